import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Platform } from "../../local/platform";
import { signCallback } from "../../services/shared/crypto/callback-signature";
import { type OutsideWorld, outsideWorld } from "../support/outside-world";
import { connectClient, type PlatformClient, type Reply } from "../support/platform-client";
import { startTestPlatform } from "../support/test-platform";

const until = async <T>(read: () => Promise<T>, isGood: (value: T) => boolean): Promise<T> => {
  for (let turn = 0; turn < 2_400; turn += 1) {
    const value = await read();
    if (isGood(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("it did not come true within two minutes");
};

interface Told {
  id: string;
  occurredAt: string;
  verificationStatus: string;
}

const ordersOf = <T>(items: readonly T[]): T[][] =>
  items.length === 0
    ? [[]]
    : items.flatMap((first, at) => ordersOf(items.filter((_, index) => index !== at)).map((rest) => [first, ...rest]));

/** What a receiver keeps by the rules of the specification, in whatever order the events of one id come. */
function received(events: readonly Told[]): Told | undefined {
  const terminal = new Set(["VERIFIED", "REJECTED", "SUPERSEDED"]);
  let kept: Told | undefined;
  for (const event of events) {
    const isNewer = kept === undefined || event.occurredAt > kept.occurredAt;
    const isTerminal = kept?.verificationStatus === "PENDING" && terminal.has(event.verificationStatus);
    if (isNewer || (event.occurredAt === kept?.occurredAt && isTerminal)) kept = event;
  }
  return kept;
}

describe("KYC sessions through the edge", () => {
  let platform: Platform;
  let client: PlatformClient;
  let world: OutsideWorld;
  let token: string;
  beforeAll(async () => {
    platform = await startTestPlatform();
    client = connectClient(platform);
    world = outsideWorld(platform);
    token = await client.token();
    await client.subscribe("kyc", ["DocumentUpdatedEvents"]);
  });
  afterAll(async () => {
    await client.close();
    await platform.stop();
  });

  const call = (method: "GET" | "POST", path: string, body?: object, bearer = token): Promise<Reply> =>
    client.send(
      method,
      path,
      { authorization: `Bearer ${bearer}`, ...(body === undefined ? {} : { "content-type": "application/json" }) },
      body === undefined ? undefined : JSON.stringify(body),
    );
  const open = async (userRef: string, more: object = {}): Promise<Record<string, unknown>> => {
    const { status, body } = await call("POST", "/v1/sessions", { userRef, ...more });
    expect({ status, body }).toMatchObject({ status: 200 });
    return body;
  };
  const read = (id: unknown): Promise<Reply> => call("GET", `/v1/sessions/${String(id)}`);
  const comes = (id: unknown, status: string): Promise<Reply> =>
    until(
      () => read(id),
      ({ body }) => body["status"] === status,
    );
  const show = async (url: unknown, outcome: string): Promise<number> => {
    const form = { "content-type": "application/x-www-form-urlencoded" };
    return (await fetch(String(url), { method: "POST", headers: form, body: `outcome=${outcome}` })).status;
  };
  const told = async (id: unknown): Promise<unknown[]> =>
    (await client.sink("kyc"))
      .map(({ body }) => JSON.parse(body) as Record<string, unknown>)
      .filter((event) => event["id"] === id)
      .map((event) => event["verificationStatus"]);

  const tokenOf = async (id: string, secret: string, scope = ""): Promise<string> => {
    const form = new URLSearchParams({ grant_type: "client_credentials", client_id: id, client_secret: secret });
    if (scope !== "") form.set("scope", scope);
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    return String((await client.send("POST", "/oauth/token", headers, form.toString())).body["access_token"]);
  };
  const freshToken = (): Promise<string> => {
    const { clientId, clientSecret } = platform.credentials.tenants[0] ?? { clientId: "", clientSecret: "" };
    return tokenOf(clientId, clientSecret);
  };

  it("are opened with a page, a day and three attempts, and read back as they are", async () => {
    const userRef = `u-${randomUUID()}`;
    const more = { type: "identity", documentTypes: ["DRIVERS_LICENSE"], countryCode: "BRA", metadata: { a: 1 } };
    const session = await open(userRef, more);

    expect(session).toMatchObject({ userRef, status: "PENDING", attemptsRemaining: 3, decision: null, ...more });
    const { createdAt, expiresAt, url, sessionId } = session;
    expect(Date.parse(String(expiresAt)) - Date.parse(String(createdAt))).toBe(24 * 60 * 60 * 1_000);
    expect((await fetch(String(url))).status).toBe(200);
    expect(await read(sessionId)).toMatchObject({ status: 200, body: session });
  });

  it.each([
    ["verify", "VERIFIED", { status: "VERIFIED" }],
    ["reject", "REJECTED", { status: "REJECTED", reasonCode: "DOCUMENT_NOT_GENUINE" }],
    ["fail", "FAILED", null],
    ["expire", "EXPIRED", null],
    ["error", "ERRORED", null],
  ])("come to their end by themselves where the world has one for them: %s", async (ending, status, decision) => {
    const { sessionId } = await open(`u-${randomUUID()}-${ending}`);
    const { body } = await comes(sessionId, status);

    if (decision === null) expect(body["decision"]).toBeNull();
    else expect(body["decision"]).toMatchObject(decision);
    expect(
      await until(
        () => told(sessionId),
        ({ length }) => length > 0,
      ),
    ).toEqual([status]);
  });

  it("go through review and are decided again, and tell of each", async () => {
    const { sessionId, url } = await open(`u-${randomUUID()}`);
    expect(await show(url, "review")).toBe(200);
    await until(
      () => told(sessionId),
      (all) => all.includes("PENDING"),
    );
    expect(await show(url, "reject")).toBe(200);
    await comes(sessionId, "REJECTED");
    expect(await show(url, "verify")).toBe(200);
    await comes(sessionId, "VERIFIED");

    expect(
      await until(
        () => told(sessionId),
        ({ length }) => length === 3,
      ),
    ).toEqual(["PENDING", "REJECTED", "VERIFIED"]);
  });

  it("are told of in whole seconds by which every receiver comes to the last status, however fast they follow", async () => {
    const { sessionId, url } = await open(`u-${randomUUID()}`);
    for (const outcome of ["review", "reject", "verify", "reject"]) await show(url, outcome);
    const expected = ["PENDING", "REJECTED", "VERIFIED", "REJECTED"];
    expect(
      await until(
        () => told(sessionId),
        ({ length }) => length === expected.length,
      ),
    ).toEqual(expected);

    const events = (await client.sink("kyc")).map(({ body }) => JSON.parse(body) as Told);
    const own = events.filter(({ id }) => id === sessionId);
    for (const { occurredAt } of own) expect(occurredAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
    for (const order of ordersOf(own)) expect(received(order)?.verificationStatus).toBe("REJECTED");
    for (const order of ordersOf(own.slice(0, 3))) expect(received(order)?.verificationStatus).toBe("VERIFIED");
    for (const order of ordersOf(own.slice(0, 2))) expect(received(order)?.verificationStatus).toBe("REJECTED");
  });

  it("count unreadable pictures down to FAILED", async () => {
    const { sessionId, url } = await open(`u-${randomUUID()}`);
    await show(url, "unreadable");
    const remaining = ({ body }: Reply): boolean => body["attemptsRemaining"] === 2;
    expect((await until(() => read(sessionId), remaining)).body["status"]).toBe("PENDING");
    await show(url, "unreadable");
    await show(url, "unreadable");

    expect((await comes(sessionId, "FAILED")).body["attemptsRemaining"]).toBe(0);
    expect(await show(url, "verify")).toBe(409);
  });

  it("give way to a newer one of the same document, and to no other", async () => {
    const userRef = `u-${randomUUID()}`;
    const [older, other] = [await open(userRef), await open(userRef, { documentTypes: ["SSN"] })];
    const newer = await open(userRef);

    expect((await read(older["sessionId"])).body["status"]).toBe("SUPERSEDED");
    expect((await read(other["sessionId"])).body["status"]).toBe("PENDING");
    await show(older["url"], "verify");
    await show(newer["url"], "verify");
    await comes(newer["sessionId"], "VERIFIED");
    expect((await read(older["sessionId"])).body["status"]).toBe("SUPERSEDED");
    await open(userRef);
    expect((await read(newer["sessionId"])).body["status"]).toBe("VERIFIED");
  });

  it("leave one alone when many of a document are opened at once", async () => {
    const userRef = `u-${randomUUID()}`;
    const rivals = await Promise.all(Array.from({ length: 12 }, () => call("POST", "/v1/sessions", { userRef })));
    const states = await Promise.all(rivals.map(({ body }) => read(body["sessionId"])));

    expect(rivals.map(({ status }) => status)).toEqual(rivals.map(() => 200));
    expect(states.filter(({ body }) => body["status"] === "PENDING")).toHaveLength(1);
  });

  it("are asked about when the vendor was silent, also by a verification", async () => {
    await client.fault({ rail: "kyc", operation: "callback", status: 500 });
    try {
      const swept = await open(`u-${randomUUID()}-verify`);
      await comes(swept["sessionId"], "VERIFIED");

      const { sessionId, url } = await open(`u-${randomUUID()}`);
      await show(url, "reject");
      const asked = await call("POST", "/v1/verifications", { sessionId, checks: ["document"] });
      expect(asked).toMatchObject({ status: 202, body: { status: "REJECTED", sessionId } });
      const again = await call("GET", `/v1/verifications/${String(asked.body["verificationId"])}`);
      expect(again).toMatchObject({ status: 200, body: asked.body });
    } finally {
      await client.clearFaults();
    }
  });

  it("take a report once, and none that is not signed", async () => {
    const { sessionId } = await open(`u-${randomUUID()}`);
    const report = { reference: sessionId, attempts: 1, revision: 7, occurredAt: "2026-01-01T00:00:00.000Z" };
    const secret = readFileSync(join(platform.dir, "keys", "callback-kyc"), "utf8");
    const send = (status: string, key: string): Promise<Reply> => {
      const body = JSON.stringify({ ...report, status });
      const t = Math.floor(Date.now() / 1_000);
      const signature = signCallback(key, "kyc", "e1", t, body);
      return client.send("POST", "/provider-callbacks/kyc", { "x-signature": signature }, body);
    };

    expect(await send("VERIFIED", "wrong")).toMatchObject({ status: 401, body: { code: "AUTH_001" } });
    expect((await read(sessionId)).body["status"]).toBe("PENDING");
    expect((await send("VERIFIED", secret)).status).toBe(204);
    expect((await send("VERIFIED", secret)).status).toBe(204);
    expect((await send("REJECTED", secret)).status).toBe(204);
    expect((await read(sessionId)).body["status"]).toBe("VERIFIED");
    expect((await send("NONSENSE", secret)).status).toBe(400);
    expect(
      await until(
        () => told(sessionId),
        ({ length }) => length > 0,
      ),
    ).toEqual(["VERIFIED"]);
  });

  it("do not exist for another tenant, nor without their scope", async () => {
    const { sessionId } = await open(`u-${randomUUID()}`);
    const asked = await call("POST", "/v1/verifications", { sessionId });
    const { clientId, clientSecret } = platform.credentials.tenants[1] ?? { clientId: "", clientSecret: "" };
    const other = await tokenOf(clientId, clientSecret);
    const answers = [
      await call("GET", `/v1/sessions/${String(sessionId)}`, undefined, other),
      await call("POST", "/v1/verifications", { sessionId }, other),
      await call("GET", `/v1/verifications/${String(asked.body["verificationId"])}`, undefined, other),
      await call("GET", `/v1/sessions/${randomUUID()}`),
    ];
    expect(answers.map(({ status, body: { code } }) => [status, code])).toEqual(answers.map(() => [404, "KYC_404"]));

    const own = platform.credentials.tenants[0] ?? { clientId: "", clientSecret: "" };
    const verifier = await tokenOf(own.clientId, own.clientSecret, "verifications");
    expect(await call("GET", `/v1/sessions/${String(sessionId)}`, undefined, verifier)).toMatchObject({
      status: 403,
      body: { code: "AUTH_004" },
    });
  });

  it.each([
    [
      "/v1/sessions",
      { userRef: "u", metadta: {} },
      [{ field: "metadta", message: "is not known; did you mean metadata?" }],
    ],
    [
      "/v1/verifications",
      { sesionId: "s" },
      [
        { field: "sesionId", message: "is not known; did you mean sessionId?" },
        { field: "sessionId", message: "is required and must be a string" },
      ],
    ],
  ])("are refused by %s with the members of %j that it does not know", async (path, body, errors) => {
    const refused = await call("POST", path, body);

    expect(refused).toMatchObject({ status: 400, body: { code: "VE_001" } });
    expect(refused.body["errors"]).toEqual(expect.arrayContaining(errors));
  });

  it("are refused with every malformed field at once", async () => {
    const body = {
      type: 1,
      documentTypes: ["?"],
      countryCode: "b",
      redirectUrl: "http://a",
      personId: "x",
      metadata: 1,
    };
    const refused = await call("POST", "/v1/sessions", body);
    const errors = refused.body["errors"] as { field: string }[];

    expect(refused).toMatchObject({ status: 400, body: { code: "VE_001" } });
    expect(errors.map(({ field }) => field).toSorted()).toEqual([...Object.keys(body), "userRef"].toSorted());
    for (const redirectUrl of ["https://me@example.com/", "https://me:secret@example.com"]) {
      const lured = await call("POST", "/v1/sessions", { userRef: "u", redirectUrl });
      expect(lured).toMatchObject({ status: 400, body: { code: "VE_001", errors: [{ field: "redirectUrl" }] } });
    }
    const stranger = await call("POST", "/v1/sessions", { userRef: "u", personId: randomUUID() });
    expect(stranger).toMatchObject({ status: 404, body: { code: "PER_404" } });
  });

  /** With a new token, once all services know the new time. */
  const readAnew = (id: unknown): Promise<Reply> =>
    until(
      async () => {
        token = await freshToken();
        return read(id);
      },
      ({ status }) => status === 200,
    );

  it("end when their day is over", async () => {
    const { sessionId, url } = await open(`u-${randomUUID()}`);
    await world.advance(24 * 60 * 60 - 60);
    expect((await readAnew(sessionId)).body["status"]).toBe("PENDING");
    await world.advance(61);
    await until(
      () => told(sessionId),
      (all) => all.includes("EXPIRED"),
    );

    expect((await readAnew(sessionId)).body["status"]).toBe("EXPIRED");
    expect(await show(url, "verify")).toBe(409);
  });
});
