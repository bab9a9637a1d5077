import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Platform } from "../../local/platform";
import { changed, type Json, validPayload } from "../support/corridor-payloads";
import { connectClient, freshId, type PlatformClient, statesOf, until } from "../support/platform-client";
import { startTestPlatform } from "../support/test-platform";

/** A primary account number, which payouts to China may name as the recipient's account; not the one that the schema gives as an example. */
const account = "6222027182818284597";
const card = new RegExp(account);

describe("a UnionPay number as the account of a payout to China", () => {
  let platform: Platform;
  let client: PlatformClient;
  beforeAll(async () => {
    platform = await startTestPlatform();
    client = connectClient(platform);
  });
  afterAll(async () => {
    await client.close();
    await platform.stop();
  });

  const filesBelow = (folder: string): string[] =>
    readdirSync(join(platform.dir, folder), { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));

  it("reaches the rail, is shown to nobody else, and stands in no log, on no bus and nowhere in the store", async () => {
    await client.subscribe("union");
    const headers = { authorization: `Bearer ${await client.token()}`, "content-type": "application/json" };
    const send = (method: "GET" | "POST", path: string, body?: object) =>
      client.send(method, path, headers, body === undefined ? undefined : JSON.stringify(body));
    const payload = changed(validPayload("CHN"), "recipient.paymentMethod.accountNumber", account);
    const quote = await send("POST", "/v2/foreign-exchange", {
      sourceCurrencyCode: "USD",
      destinationCurrencyCode: "CNY",
      paymentMethod: "BANK_ACCOUNT",
      destinationCountryCode: "CHN",
    });
    const externalPaymentId = freshId();
    const total = 100 * Number(quote.body["conversionRate"]);
    const body: Json = {
      ...payload,
      externalPaymentId,
      fxId: quote.body["fxId"],
      recipientAmount: { ...Object(payload["recipientAmount"]), total },
    };
    expect(JSON.stringify(body)).toMatch(card);

    const paid = await send("POST", "/v2/payment", body);
    expect(paid.status).toBe(200);
    await until(
      async () => statesOf(await client.sink("union"), externalPaymentId),
      (states) => states.includes("Paid"),
    );
    const book = await fetch(`${platform.credentials.sandboxUrl}/book?reference=${String(paid.body["paymentId"])}`);
    expect(await book.text()).toMatch(card);

    const shown = [
      paid,
      await send("GET", `/v2/payment/${externalPaymentId}`),
      await send("GET", `/v2/payment/${externalPaymentId}/timeline`),
      await send("GET", "/v2/payments"),
      await send("POST", "/v2/payment/validate", body),
    ].map(({ text }) => text);
    expect([...shown, ...(await client.sink("union")).map((item) => item.body)].join("\n")).not.toMatch(card);
    // Anywhere else it is a card number, and refused without being repeated.
    const elsewhere = await send("POST", "/v2/payment", { ...body, externalPaymentId: account });
    expect(elsewhere).toMatchObject({ status: 400, body: { code: "VE_001" } });
    expect(elsewhere.text).not.toMatch(card);

    for (const one of platform.processes.toReversed()) await one.end(one.stopSignal);
    const holding = ["logs", "nats", "store"]
      .flatMap(filesBelow)
      .filter((file) => readFileSync(file, "latin1").includes(account));
    expect(holding).toEqual([]);
    // The search finds what is there.
    expect(filesBelow("store").some((file) => readFileSync(file, "latin1").includes(externalPaymentId))).toBe(true);
  });
});
