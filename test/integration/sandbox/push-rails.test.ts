import { randomUUID } from "node:crypto";
import type { Sandbox } from "../../../sandbox/app";
import {
  call,
  eventually,
  isReleaseAnswered,
  order,
  type Platform,
  railOf,
  startPlatform,
  startWorld,
} from "./outside-world";

interface Told {
  reference: string;
  eventId: string;
  status: string;
  occurredAt: string;
  [field: string]: unknown;
}

describe("the push rails", () => {
  let world: Sandbox;
  let platform: Platform;
  const told = (reference: string): Told[] =>
    platform.received.map(({ body }) => JSON.parse(body) as Told).filter((one) => one.reference === reference);
  const statuses = (reference: string): string[] => told(reference).map(({ status }) => status);
  const sim = (name: string, changes: object = {}) => order(name, { remittance: `SIM:${name}`, ...changes });
  const advance = (seconds: number) => call("POST", `${world.url}/clock`, { advance: seconds });

  beforeAll(async () => {
    platform = await startPlatform();
    world = await startWorld({ callbackUrl: platform.root });
  });
  afterAll(async () => {
    await world.stop();
    await platform.stop();
  });

  const orders: [string, object, string][] = [
    [
      "bank",
      {
        countryCode: "DEU",
        method: "BANK_DEPOSIT",
        account: { accountNumber: "DE89370400440532013000" },
        currency: "EUR",
      },
      "/bank",
    ],
    [
      "upi",
      {
        countryCode: "IND",
        method: "BANK_DEPOSIT",
        account: { accountNumberType: "UPI", accountNumber: "asha@upi" },
        currency: "INR",
      },
      "/upi",
    ],
    ["wallet", { method: "WALLET", account: { walletId: "254700000001" }, currency: "KES" }, "/wallet"],
    ["msn", { method: "WALLET", account: { walletId: "254700000001" }, currency: "KES" }, "/msn"],
    ["card", { method: "CARD", account: { cardTokenId: "11111111-1111-4111-8111-111111111111" } }, "/card"],
  ];

  it.each(orders)(
    "%s prepares, pays, calls back at its own address and draws its funds down",
    async (name, changes, path) => {
      const rail = railOf(world.url, name);
      const body = order(`ok-${name}`, { countryCode: "KEN", amount: "10", ...changes });
      const { currency } = body as { currency: string };
      const before = await rail.available(currency);

      const prepared = await rail.prepare(body);
      const released = await rail.release(`ok-${name}`);
      await eventually(() => statuses(`ok-${name}`).includes("PAID"));

      expect([prepared.status, released.status]).toEqual([201, 202]);
      expect(prepared.body["railId"]).toMatch(new RegExp(`^${name.toUpperCase()}-`));
      expect([before, await rail.available(currency)]).toEqual(["1000000000", "999999990"]);
      expect(platform.received.find((one) => one.body.includes(`"ok-${name}"`))?.path).toBe(
        `/provider-callbacks${path}`,
      );
      expect(told(`ok-${name}`)[0]?.["receipt"]).toEqual(
        name === "msn" ? expect.stringMatching(/^\d{10}$/) : undefined,
      );
    },
  );

  it("one rail takes the whole order with the release", async () => {
    const rail = railOf(world.url, "dimo");
    const body = order("phone", {
      countryCode: "MEX",
      currency: "MXN",
      method: "BANK_DEPOSIT",
      account: { accountNumberType: "DIMO", accountNumber: "5512345678", bankCode: "012" },
    });

    expect((await rail.facts()).body).toEqual({ rail: "dimo", finalityWindowMs: 2_000, hasPrepare: false });
    expect((await railOf(world.url, "bank").facts()).body["hasPrepare"]).toBe(true);
    expect((await rail.prepare(body)).status).toBe(405);
    expect((await rail.release("phone", {})).status).toBe(400);
    const released = await Promise.all([1, 2, 3].map(() => rail.release("phone", body)));
    await eventually(() => statuses("phone").includes("PAID"));

    expect(released.map(({ status }) => status)).toEqual([202, 202, 202]);
    expect(await rail.entry("phone")).toMatchObject({ releases: 1, status: "PAID" });
    expect((await rail.release("no-such", { ...body, remittance: "SIM:reject-account" })).status).toBe(422);
  });

  it("take no order that lacks what its country asks for, and book none", async () => {
    const rail = railOf(world.url, "pix");
    const { creditor } = order("lacking") as { creditor: object };
    const lacking = order("lacking", { creditor: { ...creditor, documents: [{ number: "", type: "CPF" }] } });

    expect(await rail.prepare(lacking)).toMatchObject({
      status: 422,
      body: {
        error: "incomplete_instruction",
        reasonCode: "RR03",
        fields: [{ field: "creditor.documents.0.number", message: "is required in the form of this country" }],
      },
    });
    expect((await rail.query("lacking")).status).toBe(404);
    expect((await rail.prepare(order("lacking"))).status).toBe(201);
    expect((await rail.prepare(lacking)).body["error"]).toBe("incomplete_instruction");
    expect((await rail.prepare(order("lacking", { purpose: "SALARY" }))).body["error"]).toBe("reference_conflict");
  });

  it("keep one reference apart on two rails", async () => {
    await railOf(world.url, "pix").cancel("shared");

    const prepared = await railOf(world.url, "bank").prepare(
      order("shared", {
        method: "BANK_DEPOSIT",
        account: { accountNumber: "1", accountType: "SAVINGS", bankCode: "001", routingNumber: "1584" },
      }),
    );

    expect(prepared.status).toBe(201);
    expect((await railOf(world.url, "none").prepare(order("x"))).status).toBe(404);
  });

  /** Orders until one has gone as wanted: a hold lasts 300 ms, for which a busy machine may be too slow. */
  async function whileHeld(act: (name: string) => Promise<boolean>): Promise<string> {
    for (let turn = 1; turn <= 20; turn += 1) {
      const name = `held-${randomUUID()}`;
      if (await act(name)) return name;
    }
    throw new Error("every hold was over too soon");
  }
  const callbacksOf = async (name: string): Promise<number> =>
    (await railOf(world.url).entry(name))?.callbacks.length ?? 0;

  it("hold an order and then take it", async () => {
    const rail = railOf(world.url);
    const held = await whileHeld(async (name) => {
      expect((await rail.prepare(order(name, { remittance: "SIM:hold-release" }))).body["status"]).toBe("HELD");
      return (await rail.release(name)).status === 409;
    });

    await eventually(() => statuses(held).includes("PREPARED"));
    expect((await rail.prepare(order(held, { remittance: "SIM:hold-release" }))).body["status"]).toBe("PREPARED");
    expect((await rail.release(held)).status).toBe(202);
    await eventually(() => statuses(held).length === 2);

    expect(statuses(held)).toEqual(["PREPARED", "PAID"]);
  });

  it("hold an order and then refuse it", async () => {
    await railOf(world.url).prepare(sim("hold-reject"));

    await eventually(() => statuses("hold-reject").includes("REFUSED"));

    expect(told("hold-reject")[0]).toMatchObject({ reasonCode: "RR04", reason: expect.any(String) });
    expect((await railOf(world.url).release("hold-reject")).status).toBe(409);
  });

  it("cancel a held order for good", async () => {
    const rail = railOf(world.url);
    const held = await whileHeld(async (name) => {
      await rail.prepare(order(name, { remittance: "SIM:hold-release" }));
      await rail.cancel(name);
      return (await callbacksOf(name)) === 0;
    });
    await advance(10);

    expect((await rail.query(held)).body["status"]).toBe("CANCELLED");
    expect(await callbacksOf(held)).toBe(0);
    expect(told(held)).toEqual([]);
  });

  it("pay slowly by the world's clock, which can be moved", async () => {
    const rail = railOf(world.url);
    await rail.prepare(sim("slow"));
    await rail.release("slow");
    expect((await rail.query("slow")).body["status"]).toBe("RELEASED");

    await advance(5);

    await eventually(() => statuses("slow").includes("PAID"));
    const { releasedAt, paidAt } = (await rail.query("slow")).body;
    expect(Date.parse(String(paidAt)) - Date.parse(String(releasedAt))).toBeGreaterThanOrEqual(5_000);
  });

  it("send the money back, with its funds, after it was paid", async () => {
    const rail = railOf(world.url, "wallet");
    const body = sim("return-after-paid", {
      method: "WALLET",
      account: { walletId: "w" },
      currency: "UGX",
      amount: "7000",
    });
    await rail.prepare(body);
    await rail.release("return-after-paid");

    await eventually(() => statuses("return-after-paid").length === 2);

    expect(statuses("return-after-paid")).toEqual(["PAID", "RETURNED"]);
    expect(told("return-after-paid")[1]).toMatchObject({ reasonCode: "AC04" });
    expect(await rail.available("UGX")).toBe("1000000000");
  });

  it("execute a release and never answer it", async () => {
    const rail = railOf(world.url);
    await rail.prepare(sim("timeout-then-paid"));

    expect(await isReleaseAnswered(world.url, "timeout-then-paid")).toBe(false);
    expect((await rail.release("timeout-then-paid")).status).toBe(202);
    await eventually(() => statuses("timeout-then-paid").includes("PAID"));

    expect(await rail.entry("timeout-then-paid")).toMatchObject({ releases: 1, releaseCalls: 2 });
  });

  it("lose a release, know nothing of it, and never pay it once it is cancelled", async () => {
    const rail = railOf(world.url);
    await rail.prepare(sim("timeout-then-absent"));

    expect(await isReleaseAnswered(world.url, "timeout-then-absent")).toBe(false);
    expect((await rail.query("timeout-then-absent")).status).toBe(404);
    expect((await rail.release("timeout-then-absent")).status).toBe(404);
    expect((await rail.cancel("timeout-then-absent")).status).toBe(200);

    expect((await rail.query("timeout-then-absent")).body["status"]).toBe("CANCELLED");
    expect((await rail.prepare(sim("timeout-then-absent"))).status).toBe(422);
    expect(await rail.entry("timeout-then-absent")).toMatchObject({ releases: 0, cancelCalls: 1 });
  });

  it("repeat a callback with its event id, and send one out of order", async () => {
    const rail = railOf(world.url);
    for (const name of ["duplicate-callback", "out-of-order"]) {
      await rail.prepare(sim(name));
      await rail.release(name);
      await eventually(() => told(name).length === 2);
    }

    const [first, second] = told("duplicate-callback");
    expect(second).toEqual(first);
    expect(statuses("out-of-order")).toEqual(["PAID", "RELEASED"]);
    const [paid, released] = told("out-of-order");
    expect(released?.eventId).not.toBe(paid?.eventId);
    expect(Date.parse(released?.occurredAt ?? "")).toBeLessThan(Date.parse(paid?.occurredAt ?? ""));
  });

  it("reject for lack of funds what is released, and after a settlement fault", async () => {
    const rail = railOf(world.url);
    await call("PUT", `${world.url}/rails/pix/balance`, { currency: "BRL", available: "543.20" });
    await rail.prepare(order("poor"));
    const poor = await rail.release("poor");
    await call("PUT", `${world.url}/rails/pix/balance`, { currency: "BRL", available: "600" });
    await call("POST", `${world.url}/faults`, { rail: "pix", operation: "settle", refuse: true, times: 1 });
    await rail.prepare(order("blocked"));
    await rail.release("blocked");
    await eventually(() => statuses("blocked").length === 1);

    expect(poor).toMatchObject({ status: 422, body: { status: "REJECTED", reasonCode: "AM04" } });
    expect(await rail.entry("poor")).toMatchObject({ releases: 0 });
    expect(told("blocked")).toMatchObject([{ status: "REJECTED", reasonCode: "AC06" }]);
    expect(await rail.available("BRL")).toBe("600");
    expect((await call("PUT", `${world.url}/rails/pix/balance`, { currency: "USD", available: "-1" })).status).toBe(
      400,
    );
  });

  it("refuse cards that are unknown, declined or take no push", async () => {
    const rail = railOf(world.url, "card");
    const push = (reference: string, cardTokenId: string) =>
      rail.prepare(order(reference, { method: "CARD", account: { cardTokenId } }));

    expect((await push("c1", "12345678-1111-4111-8111-111111111111")).body["reasonCode"]).toBe("AC01");
    expect((await push("c2", "33333333-3333-4333-8333-333333333333")).body["reasonCode"]).toBe("AG01");
    expect((await push("c3", "22222222-2222-4222-8222-222222222222")).status).toBe(201);
    expect((await push("c4", "not-a-token")).status).toBe(400);
  });
});
