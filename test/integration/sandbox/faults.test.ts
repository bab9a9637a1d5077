import type { Sandbox } from "../../../sandbox/app";
import {
  call,
  cardToken,
  eventually,
  isReleaseAnswered,
  order,
  type Platform,
  railOf,
  startPlatform,
  startWorld,
} from "./outside-world";

const walletOrder = (reference: string) => order(reference, { method: "WALLET", account: { walletId: "w" } });
const dimoOrder = order("x", {
  method: "BANK_DEPOSIT",
  countryCode: "MEX",
  currency: "MXN",
  account: { accountNumberType: "DIMO", accountNumber: "5512345678", bankCode: "012" },
});
const cardOrder = {
  reference: "x",
  cardToken: cardToken("1"),
  amount: "1",
  currency: "USD",
  capture: false,
  ipAddress: "203.0.113.7",
};
const cardCheck = {
  reference: "x",
  cardToken: cardToken("1"),
  firstName: "Ada",
  lastName: "Lovelace",
  address: { countryCode: "GBR", city: "London", line1: "1", zipCode: "N1" },
};
const debitOrder = {
  reference: "x",
  amount: "1",
  currency: "USD",
  account: { routingNumber: "021000021", accountNumber: "1234567890", accountType: "checking" },
};

describe("faults", () => {
  let world: Sandbox;
  let platform: Platform;
  let rail: ReturnType<typeof railOf>;
  const fault = (rule: object) => call("POST", `${world.url}/faults`, { rail: "pix", ...rule });

  beforeAll(async () => {
    platform = await startPlatform();
    world = await startWorld({ callbackUrl: platform.root });
    rail = railOf(world.url);
  });
  afterEach(() => call("DELETE", `${world.url}/faults`));
  afterAll(async () => {
    await world.stop();
    await platform.stop();
  });

  it("make prepare refuse, which the book keeps after the fault is gone", async () => {
    expect((await fault({ operation: "prepare", refuse: true, times: 1 })).status).toBe(201);

    expect(await rail.prepare(order("refused"))).toMatchObject({ status: 422, body: { reasonCode: "AG01" } });
    expect(await rail.prepare(order("refused"))).toMatchObject({ status: 422, body: { reasonCode: "AG01" } });
    expect((await rail.prepare(order("accepted"))).status).toBe(201);
  });

  it("answer a status without executing, so many times", async () => {
    await rail.prepare(order("broken"));
    await fault({ operation: "release", status: 503, times: 2 });

    const statuses = [await rail.release("broken"), await rail.release("broken")].map(({ status }) => status);

    expect(statuses).toEqual([503, 503]);
    expect(await rail.entry("broken")).toMatchObject({ releases: 0, releaseCalls: 0, status: "PREPARED" });
    expect((await rail.release("broken")).status).toBe(202);
  });

  it("delay the answer after the effect is booked", async () => {
    await rail.prepare(order("slow"));
    await fault({ operation: "release", latencyMs: 3_000 });

    const slow = rail.release("slow");
    await eventually(async () => (await rail.entry("slow"))?.releases === 1);
    const isAnswered = await Promise.race([slow.then(() => true), Promise.resolve(false)]);

    expect(isAnswered).toBe(false);
    expect((await slow).status).toBe(202);
  });

  it("execute and never answer", async () => {
    await rail.prepare(order("lost"));
    await fault({ operation: "release", timeoutAfterExecute: true, times: 1 });

    expect(await isReleaseAnswered(world.url, "lost")).toBe(false);
    expect(await rail.entry("lost")).toMatchObject({ releases: 1 });
  });

  it("lose the answer to a callback, which is then sent again", async () => {
    platform.received.length = 0;
    await fault({ operation: "callback", timeoutAfterExecute: true, times: 1 });
    await rail.prepare(order("twice"));
    await rail.release("twice");
    const mine = () => platform.received.filter(({ body }) => body.includes('"twice"'));

    await eventually(() => mine().length === 2);

    expect(mine()[0]?.body).toBe(mine()[1]?.body);
  });

  it("make the sink refuse and keep nothing", async () => {
    await fault({ rail: "sink", operation: "receive", status: 500, times: 1 });
    const send = () => fetch(`${world.url}/sink/faulty`, { method: "POST", body: "x" });

    expect([(await send()).status, (await send()).status]).toEqual([500, 200]);
    expect((await call("GET", `${world.url}/sink/faulty`)).body["items"]).toHaveLength(1);
  });

  const calls: [string, string, string, string, object | undefined][] = [
    ["wallet", "prepare", "POST", "/rails/wallet/instructions", walletOrder("x-prepare")],
    ["wallet", "query", "GET", "/rails/wallet/instructions/x-prepare", undefined],
    ["wallet", "cancel", "POST", "/rails/wallet/instructions/x-prepare/cancel", undefined],
    ["wallet", "balance", "GET", "/rails/wallet/balance", undefined],
    ["dimo", "release", "POST", "/rails/dimo/instructions/x/release", dimoOrder],
    ["screening", "screen", "POST", "/screening/payments", { reference: "x", amount: "1", currency: "USD" }],
    ["screening", "query", "GET", "/screening/payments/x", undefined],
    ["acquirer", "authorize", "POST", "/acquirer/authorizations", cardOrder],
    ["acquirer", "query", "GET", "/acquirer/authorizations/x", undefined],
    ["acquirer", "capture", "POST", "/acquirer/authorizations/x/capture", { reference: "x", amount: "1" }],
    ["acquirer", "void", "POST", "/acquirer/authorizations/x/void", { reference: "x" }],
    ["acquirer", "refund", "POST", "/acquirer/authorizations/x/refunds", { reference: "x", amount: "1" }],
    ["acquirer", "verify", "POST", "/acquirer/verifications", cardCheck],
    ["debits", "debit", "POST", "/debits", debitOrder],
    ["debits", "query", "GET", "/debits/x", undefined],
    ["debits", "void", "POST", "/debits/x/void", { reference: "x" }],
    ["debits", "refund", "POST", "/debits/x/refunds", { reference: "x", amount: "1" }],
    ["tokenizer", "tokenize", "POST", "/card-tokens", { number: "4111111111111111", expMonth: 1, expYear: 2999 }],
  ];

  it.each(calls)("reach %s %s, once, and nothing else", async (provider, operation, method, path, body) => {
    await call("POST", `${world.url}/faults`, { rail: provider, operation, status: 507, times: 1 });

    const faulty = await call(method, `${world.url}${path}`, body);
    const { status } = await call(method, `${world.url}${path}`, body);

    expect(faulty.status).toBe(507);
    expect(status).toBeLessThan(507);
  });

  it("are refused when they name no operation or a wrong number", async () => {
    expect(await fault({ operation: "pay", latencyMs: -1 })).toMatchObject({
      status: 400,
      body: { fields: [{ field: "operation" }, { field: "latencyMs" }] },
    });
  });
});
