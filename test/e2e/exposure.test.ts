import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { compiled } from "../../local/compiled";
import type { Platform } from "../../local/platform";
import { connectClient, freshId, type PlatformClient, pushBody, type Reply, until } from "../support/platform-client";
import { readCsv } from "../support/read-csv";
import { startTestPlatform } from "../support/test-platform";

const run = promisify(execFile);

describe("two operators and the platform's position in a currency", () => {
  let platform: Platform;
  let client: PlatformClient;

  beforeAll(async () => {
    const env = { fx: { FX_EXPOSURE_REFRESH_SECONDS: "1" } };
    platform = await startTestPlatform({ fourEyes: true, env });
    client = connectClient(platform);
  });
  afterAll(async () => {
    await client.close();
    await platform.stop();
  });

  interface Call {
    token?: string;
    body?: object;
    approval?: string;
    accept?: string;
  }
  async function operate(method: "GET" | "PUT", path: string, { token, body, approval, accept }: Call = {}) {
    const { operatorUrl, operatorToken } = platform.credentials;
    const headers = {
      "content-type": "application/json",
      authorization: `Bearer ${token ?? operatorToken}`,
      ...(approval === undefined ? {} : { "x-approval": approval }),
      ...(accept === undefined ? {} : { accept }),
    };
    const sent = { method, headers, body: body === undefined ? null : JSON.stringify(body) };
    const answer = await fetch(`${operatorUrl}${path}`, sent);
    const text = await answer.text();
    return { status: answer.status, text, json: accept === undefined ? (JSON.parse(text) as object) : {} };
  }
  const rowOf = async (path: string, member: string, currency: string) => {
    const { json } = await operate("GET", path);
    const rows = Reflect.get(json, member) as Record<string, string | null>[];
    return rows.find((row) => row["currency"] === currency);
  };
  const exposure = (currency: string) => rowOf("/fx/exposure", "exposures", currency);
  const hedge = (currency: string) => rowOf("/fx/hedges", "hedges", currency);
  const limitPath = (currency: string): string => `/fx/exposure/${currency}/limit`;

  /** Has one operator ask for a limit, and the other agree. */
  async function limit(currency: string, body: object): Promise<void> {
    const asked = await operate("PUT", limitPath(currency), { body });
    const { approval } = asked.json as { approval: string };
    const before = (await exposure(currency))?.["limitMinor"];
    const token = platform.credentials.secondOperatorToken;

    expect(asked.status).toBe(202);
    expect((await operate("PUT", limitPath(currency), { body, approval })).status).not.toBe(200);
    expect((await exposure(currency))?.["limitMinor"]).toBe(before);
    expect(await operate("PUT", limitPath(currency), { token, body, approval })).toMatchObject({ status: 200 });
  }
  const askQuote = async (changes: object = {}): Promise<Reply> => {
    const order = { sourceCurrencyCode: "USD", destinationCurrencyCode: "BRL", paymentMethod: "BANK_ACCOUNT" };
    const headers = { authorization: `Bearer ${await client.token()}`, "content-type": "application/json" };
    return client.send("POST", "/v2/foreign-exchange", headers, JSON.stringify({ ...order, ...changes }));
  };
  const exceeded = {
    status: 400,
    body: { code: "PAY_001", message: "the limit of the platform's position in BRL would be exceeded" },
  };

  it("is shown, limited by both, and then refuses what takes it further until it is closed or freed", async () => {
    const accepted = pushBody(freshId(), await client.quote());
    const first = await client.pay(accepted);
    const held = await client.quote();
    const shown = await until(
      () => exposure("BRL"),
      (row) => row?.["openMinor"] === "0" && Number(row["settledMinor"]) < 0,
    );
    const net = -Number(shown?.["netMinor"]);
    expect(first.status).toBe(200);
    expect(shown).toMatchObject({ reportingCurrency: "USD", limitMinor: null, limitAuthor: null });
    expect(Number(shown?.["valueMinor"])).toBeCloseTo(-10_000, -3);
    expect(await hedge("BRL")).toMatchObject({ action: "BUY", toFlatMinor: String(net), toLimitMinor: "0" });
    expect(await hedge("USD")).toMatchObject({ action: "SELL" });

    await limit("BRL", { limitMinor: String(net - 100), note: "no more of it" });
    const refused = await until(askQuote, ({ status }) => status !== 200);

    expect(refused).toMatchObject(exceeded);
    expect(await askQuote({ sourceCurrencyAmount: 0.01 })).toMatchObject(exceeded);
    expect(await client.pay(pushBody(freshId(), held))).toMatchObject(exceeded);
    expect(await client.pay(accepted)).toMatchObject({ status: 200, text: first.text });
    expect(await askQuote({ destinationCurrencyCode: "EUR" })).toMatchObject({ status: 200 });
    expect(await exposure("BRL")).toMatchObject({
      limitMinor: String(net - 100),
      limitNote: "no more of it",
      limitAuthor: expect.stringMatching(/\S/) as unknown,
    });
    expect(await hedge("BRL")).toMatchObject({ action: "BUY", toFlatMinor: String(net), toLimitMinor: "100" });

    await limit("BRL", { note: "hedged" });
    expect((await until(askQuote, ({ status }) => status === 200)).status).toBe(200);
    expect((await client.pay(pushBody(freshId(), held))).status).toBe(200);
  });

  it.each([
    ["/fx/exposure", "exposures"],
    ["/fx/hedges", "hedges"],
  ])("is the same as text: %s", async (path, member) => {
    const { text } = await operate("GET", path, { accept: "text/csv" });
    const { json } = await operate("GET", path);
    const rows = Reflect.get(json, member) as Record<string, string | null>[];
    // A text that begins with a sign would be run as a formula.
    const asText = (value: string | null): string => (value ?? "").replace(/^-/, "'-");

    expect(rows.length).toBeGreaterThan(1);
    expect(readCsv(text).map(({ rateSource: _source, ...row }) => row)).toEqual(
      rows.map(({ rateSource: _source, ...row }) =>
        Object.fromEntries(Object.entries(row).map(([name, value]) => [name, asText(value)])),
      ),
    );
  });

  it("earned what the quotes promised, by currency and by payment, also as text", async () => {
    const always = "from=2020-01-01T00:00:00Z&until=2099-01-01T00:00:00Z";
    const path = `/fx/margin/conversions?${always}`;
    const list = async (asked: string, member: string) =>
      Reflect.get((await operate("GET", asked)).json, member) as Record<string, string | null>[];
    const conversions = await until(
      () => list(path, "conversions"),
      ({ length }) => length > 1,
    );
    const sum = conversions.reduce((all, one) => all + BigInt(one["postedMarginMinor"] ?? 0), 0n);
    const [first] = conversions;

    expect(new Set(conversions.map(({ outcome, kind }) => `${outcome} ${kind}`))).toEqual(new Set(["AGREES PAYOUT"]));
    expect(first).toMatchObject({ promisedReceivedMinor: "10000", postedReceivedMinor: "10000" });
    expect(Number(first?.["midRate"])).toBeGreaterThan(Number(first?.["rate"]));
    expect(await list(`/fx/margin?${always}`, "margins")).toContainEqual(
      expect.objectContaining({ currency: "USD", marginMinor: String(sum) }),
    );
    expect(await list(`${path}&outcome=DIFFERS`, "conversions")).toEqual([]);
    const { text } = await operate("GET", path, { accept: "text/csv" });
    expect(readCsv(text).map((row) => row["postedMarginMinor"])).toEqual(
      conversions.map((row) => row["postedMarginMinor"]),
    );
  });

  it.each(["from=2026-01-01T00:00:00Z", "from=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z"])(
    "is not told of a span that does not end after it begins: %s",
    async (asked) => {
      for (const path of ["/fx/margin", "/fx/margin/conversions"])
        expect(await operate("GET", `${path}?${asked}`)).toMatchObject({
          status: 400,
          json: { code: "VE_001", errors: [{ field: "until" }] },
        });
    },
  );

  it("is limited in nothing but whole minor units of a currency that exists", async () => {
    const refused = (currency: string, body: object) => operate("PUT", limitPath(currency), { body });

    expect(await refused("BRL", { limitMinor: "-1", note: "no" })).toMatchObject({
      status: 400,
      json: { code: "VE_001" },
    });
    expect(await refused("BRL", { limitMinor: "1.5", note: "no" })).toMatchObject({ status: 400 });
    expect(await refused("BRL", { limitMinor: "1" })).toMatchObject({ status: 400 });
    const body = { limitMinor: "1", note: "no" };
    const { approval } = (await refused("ABC", body)).json as { approval: string };
    const token = platform.credentials.secondOperatorToken;
    expect(await operate("PUT", limitPath("ABC"), { token, body, approval })).toMatchObject({
      status: 400,
      json: { code: "VE_001", errors: [{ field: "currency" }] },
    });
  });

  it("is shown and limited at the command line, too", async () => {
    const env = { ...process.env, CORRIDOR_DIR: platform.dir };
    const operator = async (...words: readonly string[]): Promise<string> =>
      (await run(process.execPath, [compiled("local/cli/operator"), ...words], { env })).stdout;

    expect(JSON.parse(await operator("exposure", "list"))).toMatchObject({
      exposures: expect.arrayContaining([expect.objectContaining({ currency: "BRL" })]) as unknown,
    });
    expect(JSON.parse(await operator("exposure", "hedges"))).toMatchObject({
      hedges: expect.arrayContaining([expect.objectContaining({ currency: "USD" })]) as unknown,
    });
    const span = ["2020-01-01T00:00:00Z", "2099-01-01T00:00:00Z"];
    expect(JSON.parse(await operator("exposure", "margin", ...span))).toMatchObject({
      margins: expect.arrayContaining([expect.objectContaining({ currency: "USD" })]) as unknown,
    });
    expect(await operator("exposure", "conversions", ...span, "AGREES")).toContain("AGREES");
    expect(JSON.parse(await operator("exposure", "conversions", ...span, "DIFFERS"))).toMatchObject({
      conversions: [],
    });
    expect(await operator("exposure", "limit", "JPY", "1000", "as agreed")).toContain("approval");
    expect(await exposure("JPY")).toBeUndefined();
  });
});
