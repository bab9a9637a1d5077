import { randomUUID } from "node:crypto";
import { askPreflight } from "../../support/payment-door";
import { eventually } from "../bus/bus-testbed";
import { call } from "../sandbox/outside-world";
import { type PaymentRpc, type PaymentWorld, startPaymentWorld, type Told } from "./payment-world";

/** What a push of 100 USD takes of its tenant: the amount and the fee. */
const cost = 10_050n;

describe("funds of tenants and rails, promised by two replicas", () => {
  let world: PaymentWorld;
  const replica = (index: number): PaymentRpc => world.replicas[index % 2 === 0 ? 0 : 1];
  const fundingOf = (tenant: string): string => `tenant/${tenant}/funding`;
  const promises = (tenant: string) => world.wallet.getPromises({ account: fundingOf(tenant), currency: "USD" });
  const setFloor = (tenant: string, floorMinor: bigint) =>
    world.wallet.setFloor({ account: fundingOf(tenant), currency: "USD", floorMinor });
  /** A tenant with a credit line for so many payments. */
  const tenantFor = async (payments: bigint, more = 0n): Promise<string> => {
    const tenant = `t-${randomUUID().slice(0, 8)}`;
    await setFloor(tenant, -(payments * cost + more));
    return tenant;
  };
  const push = async (tenant: string, changes: object = {}) =>
    world.push(changes, (await world.quote({ tenant })).fxId);
  const outcome = ({ text, reason }: Told): string => (text === undefined ? String(reason) : "accepted");
  const stateOf = (externalId: unknown) =>
    world.mongo.connection
      .collection<{ externalId: string; state: string }>("payments")
      .findOne({ externalId: String(externalId) }, { projection: { state: 1 }, hint: { $natural: 1 } });
  const settled = (tenant: string, minor: bigint) =>
    eventually(async () => {
      const { settledMinor, promisedMinor } = await promises(tenant);
      return settledMinor === minor && promisedMinor === 0n;
    });

  beforeAll(async () => {
    world = await startPaymentWorld({
      PAYMENT_TERMS: JSON.stringify({
        "*": {
          fees: { "*": { CAPTURE: { bps: 0, fixed: 50 } } },
          agentLimits: { currency: "USD", MONTH: 100_000_000_000 },
        },
      }),
    });
  }, 120_000);
  afterAll(() => world.stop());

  it("are never promised beyond a credit line by both together, and all of it is", async () => {
    for (let round = 0; round < 2; round += 1) {
      const tenant = await tenantFor(5n, cost - 1n);
      const bodies = [];
      for (let count = 0; count < 12; count += 1) bodies.push(await push(tenant));

      const answers = await Promise.all(bodies.map((body, index) => world.accept(replica(index), body, { tenant })));

      expect(answers.filter(({ text }) => text !== undefined)).toHaveLength(5);
      const refused = answers.filter(({ text }) => text === undefined);
      expect(refused).toMatchObject(
        refused.map(() => ({
          reason: "FUNDS_TOO_LOW",
          details: {
            account: "tenant",
            available: { minor: 10_049n, currency: "USD" },
            required: { minor: 10_050n, currency: "USD" },
          },
        })),
      );
      await settled(tenant, -5n * cost);
      expect(outcome(await world.accept(replica(round), await push(tenant), { tenant }))).toBe("FUNDS_TOO_LOW");
    }
  }, 240_000);

  it("are promised once to a request that is sent to both at once, which is never told of too little", async () => {
    for (let race = 0; race < 6; race += 1) {
      const tenant = await tenantFor(1n);
      const body = await push(tenant);

      const answers = await Promise.all(
        Array.from({ length: 6 }, (_none, index) => world.accept(replica(index), body, { tenant })),
      );

      expect([...new Set(answers.map(({ text, reason }) => text ?? reason))]).toEqual([
        expect.stringContaining('"paymentId"'),
      ]);
      expect(outcome(await world.accept(replica(race), await push(tenant), { tenant }))).toBe("FUNDS_TOO_LOW");
      expect((await promises(tenant)).availableMinor).toBe(0n);
    }
  }, 240_000);

  it.each([
    ["was refused by its rail", "reject-account", "Cancelled", 0n],
    ["was held and rejected", "hold-reject", "Cancelled", 0n],
    ["was paid and returned", "return-after-paid", "Refunded", 50n],
  ])(
    "come back once from a payment that %s",
    async (_case, scenario, state, fee) => {
      const tenant = await tenantFor(2n, fee);
      const changes = { additionalData: { statementNarrative: `SIM:${scenario}` } };
      const [body, kept] = [await push(tenant, changes), await push(tenant)];
      for (const one of [body, kept]) expect(outcome(await world.accept(replica(0), one, { tenant }))).toBe("accepted");
      await eventually(async () => (await stateOf(body["externalPaymentId"]))?.state === state);
      await settled(tenant, -cost - fee);

      const again = [await push(tenant), await push(tenant)];
      const answers = [];
      for (const one of again) answers.push(outcome(await world.accept(replica(1), one, { tenant })));

      expect(answers).toEqual(["accepted", "FUNDS_TOO_LOW"]);
      await settled(tenant, -2n * cost - fee);
    },
    120_000,
  );

  it("bind promises and never facts: what was accepted is posted below a floor that was raised since", async () => {
    const tenant = await tenantFor(1n);
    expect(outcome(await world.accept(replica(0), await push(tenant), { tenant }))).toBe("accepted");
    await setFloor(tenant, 0n);

    await settled(tenant, -cost);

    expect(await promises(tenant)).toMatchObject({ floorMinor: 0n, availableMinor: -cost });
  }, 60_000);

  it("of a rail are refused without a figure, and the tenant's promise comes back", async () => {
    const tenant = await tenantFor(1_000n);
    await call("PUT", `${world.sandbox.url}/rails/pix/balance`, { currency: "BRL", available: "300" });
    // A rail that does not answer in time is taken at its last word, which was more.
    let refused = await world.accept(replica(0), await push(tenant), { tenant });
    await eventually(async () => {
      if (refused.reason === undefined) refused = await world.accept(replica(0), await push(tenant), { tenant });
      return refused.reason !== undefined;
    });
    await call("PUT", `${world.sandbox.url}/rails/pix/balance`, { currency: "BRL", available: "1000000000" });

    expect([refused.reason, refused.details]).toEqual(["FUNDS_TOO_LOW", { account: "provider" }]);
    await eventually(async () => (await promises(tenant)).promisedMinor === 0n);
    expect(outcome(await world.accept(replica(0), await push(tenant), { tenant }))).toBe("accepted");
  }, 60_000);

  it.each<[string, object]>([
    ["another currency", { rail: "pix", balances: [{ currency: "CHF", available: "1" }] }],
    ["another rail", { rail: "bank", balances: [{ currency: "BRL", available: "1" }] }],
  ])(
    "of a rail are asked for again, and nothing is refused, after an answer about %s",
    async (_name, body) => {
      const tenant = await tenantFor(1_000n);
      const fresh = await world.startReplica({});
      await world.outside.fault({ provider: "pix", step: "balance", times: 2, answer: { status: 200, body } });

      expect(outcome(await world.accept(fresh, await push(tenant), { tenant }))).toBe("accepted");
    },
    60_000,
  );

  it("of a tenant without a credit line of its own are what it has paid in, as in production", async () => {
    const tenant = `t-${randomUUID().slice(0, 8)}`;
    const target = await world.startWallet({ WALLET_UNSET_FLOOR: "zero" });
    const strict = await world.startReplica({ WALLET_TARGET: target });

    const body = await push(tenant);
    const preflight = await askPreflight(strict, tenant, body);
    expect(preflight.errors).toMatchObject([{ field: "amount.total" }]);
    const refused = await world.accept(strict, body, { tenant });
    expect(refused).toMatchObject({
      reason: "FUNDS_TOO_LOW",
      details: { account: "tenant", available: { minor: 0n } },
    });
    await world.wallet.postCorrection({
      entryId: randomUUID(),
      kind: "deposit",
      reason: "the tenant has paid in",
      links: ["deposit"],
      postings: [
        { account: fundingOf(tenant), currency: "USD", minor: cost },
        { account: "platform/suspense", currency: "USD", minor: -cost },
      ],
    });
    expect(outcome(await world.accept(strict, body, { tenant }))).toBe("accepted");
    expect(outcome(await world.accept(strict, await push(tenant), { tenant }))).toBe("FUNDS_TOO_LOW");
  }, 60_000);

  it("without an end cost the ledger no call for each payment", async () => {
    const tenant = `t-${randomUUID().slice(0, 8)}`;
    const startedMs = Date.now();
    for (let count = 0; count < 20; count += 1)
      expect(outcome(await world.accept(replica(0), await push(tenant), { tenant }))).toBe("accepted");
    const found = await world.mongo.connection
      .collection<{ tenant: string; promises: { account: string; blockId: string }[] }>("payments")
      .find({ tenant }, { hint: { $natural: 1 } })
      .toArray();
    const own = found.flatMap((payment) => payment.promises).filter(({ account }) => account === fundingOf(tenant));
    const used = new Set(own.map(({ blockId }) => blockId));

    expect(own).toHaveLength(20);
    // A block is open for ten seconds.
    expect(used.size).toBeLessThanOrEqual(1 + Math.ceil((Date.now() - startedMs) / 10_000));
  }, 120_000);
});
