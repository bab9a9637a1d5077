import { refusalOf } from "./looks";
import { nonsense } from "./outside";
import { demo, type PaymentWorld, startPaymentWorld } from "./payment-world";

describe("a link flow", () => {
  let world: PaymentWorld;
  const open = (asked: { phoneNumber?: string; androidPackageName?: string }, replica: 0 | 1 = 0) =>
    world.replicas[replica].createLinkToken({ tenant: demo, phoneNumber: "", androidPackageName: "", ...asked });
  const phone = { phoneNumber: "+13055550123" };

  beforeAll(async () => {
    world = await startPaymentWorld();
  }, 120_000);
  afterEach(() => world.outside.clearFaults());
  afterAll(() => world.stop());

  it.each<[string, object, string[]]>([
    ["no number", {}, ["phoneNumber"]],
    ["a number without its country", { phoneNumber: "3055550123" }, ["phoneNumber"]],
    ["a number of 16 digits", { phoneNumber: "+1234567890123456" }, ["phoneNumber"]],
    ["a number that is none", { phoneNumber: "13.055.550.123" }, ["phoneNumber"]],
    ["a package without a dot", { ...phone, androidPackageName: "app" }, ["androidPackageName"]],
    ["both wrong", { phoneNumber: "", androidPackageName: "1.2" }, ["phoneNumber", "androidPackageName"]],
  ])("is refused with %s, and the linker is not asked", async (_name, body, fields) => {
    // Who asked would get UNAVAILABLE.
    await world.outside.fault({ provider: "linker", step: "link", execute: false });

    expect(await refusalOf(open(body))).toMatchObject({ reason: "INVALID_ARGUMENT", fields });
  });

  it("is opened anew for each who asks, also by the same request at two replicas at once", async () => {
    const opened = await Promise.all([open(phone), open(phone), open(phone, 1), open(phone, 1)]);

    expect(new Set(opened.map(({ token }) => token)).size).toBe(4);
    for (const { token, expiration, requestId } of opened) {
      expect(token).toMatch(/^link-/);
      expect(Date.parse(expiration)).toBeGreaterThan(Date.now());
      expect(requestId).not.toBe("");
    }
  });

  it.each<[string, object]>([
    ...nonsense,
    ["200 without a token", { answer: { body: { expiration: "2126-01-01T00:00:00Z", request_id: "r" } } }],
    ["a token that is no text", { answer: { body: { link_token: 7, expiration: "2126-01-01T00:00:00Z" } } }],
    ["a token that never ends", { answer: { body: { link_token: "link-1" } } }],
    ["a redirect", { answer: { status: 302, headers: { location: "http://127.0.0.1:9/" }, body: {} } }],
    ["401", { answer: { status: 401, body: { error_code: "INVALID_API_KEYS" } } }],
    ["400", { answer: { status: 400, body: { error_code: "MISSING_FIELDS" } } }],
    ["429", { answer: { status: 429, body: { error_code: "RATE_LIMIT_EXCEEDED" } } }],
    ["503", { execute: false }],
  ])("is UNAVAILABLE when the linker answers %s, and is opened the next time", async (_name, fault) => {
    await world.outside.fault({ provider: "linker", step: "link", times: 1, ...fault });

    const refused = await refusalOf(open(phone));

    expect(refused).toMatchObject({ reason: "UNAVAILABLE" });
    // What the linker wrote is not shown to the caller.
    expect(refused?.message).toBe("the linking provider does not answer");
    expect((await open(phone)).token).toMatch(/^link-/);
  });
});
