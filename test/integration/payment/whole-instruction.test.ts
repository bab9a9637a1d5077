import { randomUUID } from "node:crypto";
import type { Sandbox } from "../../../sandbox/app";
import corridors from "../../../sandbox/corridors.json";
import { railManifest } from "../../../services/payment/adapters/rail/manifest";
import { makeRail } from "../../../services/payment/adapters/rail/payouts";
import type { Payment } from "../../../services/payment/domain/payment";
import { methodInWords } from "../../../services/payment/domain/payment-methods";
import type { Outcome } from "../../../services/payment/ports";
import type { ProviderCall } from "../../../services/shared/http/provider-call";
import { systemClock } from "../../../services/shared/kernel/clock";
import { changed, type Json } from "../../support/corridor-payloads";
import { expectedLeaves, leavesOf } from "../../support/order-leaves";
import { paymentFrom, railSample, railSamples } from "../../support/rail-orders";
import { callTo } from "../../support/stand-in";
import { call, callbackSecret, railKey, startWorld } from "../sandbox/outside-world";

type PaidOut = ReturnType<typeof paymentFrom>;

describe("a rail", () => {
  let world: Sandbox;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.stop());

  /** Instructs the payment's rail; `spoil` changes what is sent. */
  function instruct(payment: PaidOut, spoil = (order: Json): Json => order): Promise<Outcome> {
    const manifest = railManifest(payment.payout.rail, 2_000);
    const send = callTo(world.url, railKey);
    const spoiling: ProviderCall = (method, path, body) => send(method, path, body && spoil({ ...body }));
    return makeRail({ manifest, call: spoiling, callbackSecret, clock: systemClock }).perform(
      payment,
      manifest.hasPrepare ? "prepare" : "release",
    );
  }

  /** What stands in the rail's own book of a payment. */
  async function booked({ id }: Pick<Payment, "id">): Promise<Json | undefined> {
    const { body: shelves } = await call("GET", `${world.url}/book?reference=${id}`);
    const [instruction] = shelves["instructions"] as { order: Json }[];
    return instruction?.order;
  }

  async function book(body: Json): Promise<Json> {
    const payment = paymentFrom(body);
    expect(await instruct(payment)).toMatchObject({ kind: "facts" });
    const order = await booked(payment);
    const { method, countryCode } = payment.payout;
    expect(order).toMatchObject({ method: methodInWords(method).type, countryCode });
    return order ?? {};
  }

  it.each(railSamples)("has every word of a payment in its book, in its place: %s", async (_name, body) => {
    const kept = new Map(leavesOf(await book(body)));

    const told = expectedLeaves(body);
    expect(told.length).toBeGreaterThan(8);
    expect(told.filter(([place, text]) => kept.get(place) !== text)).toEqual([]);
  });

  it("takes no order without the name of either party", async () => {
    for (const name of ["debtor.lastName", "creditor.firstName", "creditor.lastName"]) {
      const payment = paymentFrom(railSample("USA"));

      const outcome = await instruct(payment, (order) => changed(order, name));

      expect(outcome).toMatchObject({ kind: "refused", refusal: { code: "incomplete_instruction" } });
      expect(await booked(payment)).toBeUndefined();
    }
  });

  const demanded = railSamples.flatMap(([name, body]) => {
    const { payout } = paymentFrom(body);
    const words = methodInWords(payout.method);
    const demands: Readonly<Record<string, Readonly<Record<string, Record<string, string>>>>> = Object.fromEntries(
      Object.entries(corridors).map(([country, facts]) => [country, facts.demands]),
    );
    const own = demands[payout.countryCode]?.[words["accountNumberType"] ?? words.type] ?? {};
    return Object.keys(own).length === 0 ? [] : [[name, body, Object.keys(own)] as const];
  });

  it.each(demanded)("takes no order that lacks what its country asks for: %s", async (_name, body, demands) => {
    for (const path of demands) {
      const payment = paymentFrom(body);

      const outcome = await instruct(payment, (order) => changed(order, path));

      // Some fields of an account belong to the rail's own form, which it looks at first.
      expect({ path, code: outcome.kind === "refused" && outcome.refusal.code }).toEqual({
        path,
        code: expect.stringMatching(/^(incomplete_instruction|invalid_request)$/),
      });
      expect(await booked(payment)).toBeUndefined();
    }
  });

  it.each([
    ["MEX", "account.accountNumber", "12345", "AC01"],
    ["KOR", "debtor.birthDate", undefined, "RR02"],
    ["BRA", "creditor.documents", undefined, "RR03"],
    ["CHN", "purpose", undefined, "RR04"],
  ])("says why it takes no order: %s, %s", async (country, path, value, code) => {
    const payment = paymentFrom(railSample(country));

    const outcome = await instruct(payment, (order) => changed(order, path, value));

    expect(outcome).toMatchObject({ kind: "refused", refusal: { code: "incomplete_instruction", reason: { code } } });
  });

  it("takes the same order again, and none with one word more or less under its reference", async () => {
    const id = randomUUID();
    const body = railSample("KOR");
    expect(await instruct(paymentFrom(body, id))).toMatchObject({ kind: "facts" });

    expect(await instruct(paymentFrom(body, id))).toMatchObject({ kind: "facts" });
    for (const [path, value] of [
      ["sender.address.city", "Tampa"],
      ["recipient.address.line2", "2nd floor"],
      ["additionalData.costCentre", undefined],
      ["externalPaymentId", "another-one"],
    ] as const) {
      const other = paymentFrom(changed(body, path, value), id);
      expect({ path, told: await instruct(other) }).toMatchObject({
        path,
        told: { facts: [{ kind: "REFERENCE_TAKEN" }] },
      });
    }
  });
});
