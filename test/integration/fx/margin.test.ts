import { randomUUID } from "node:crypto";
import { FxServiceService } from "../../../proto/gen/corridor/fx/v1/fx_service";
import { ConversionOutcome, MarginServiceService } from "../../../proto/gen/corridor/fx/v1/margin_service";
import { beginningOfTime, plusMs, systemClock } from "../../../services/shared/kernel/clock";
import { noTracing } from "../../../services/shared/process/tracing";
import type { Rpc } from "../../../services/shared/rpc/rpc";
import { makeRpcClient } from "../../../services/shared/rpc/rpc-client";
import { until } from "../../support/platform-client";
import { reaches, recordOf, refusalOf } from "../payment/looks";
import { type PaymentWorld, startPaymentWorld } from "../payment/payment-world";

const services = { ...FxServiceService, ...MarginServiceService };
const returned = { additionalData: { statementNarrative: "SIM:return-after-paid" } };
const { UNSPECIFIED, AGREES, DIFFERS, UNPROMISED } = ConversionOutcome;

describe("what conversions earned", () => {
  let world: PaymentWorld;
  let fx: Rpc<typeof services> & { stop(): Promise<void> };
  const always = { from: beginningOfTime, until: plusMs(systemClock.now(), 3_600_000) };

  beforeAll(async () => {
    world = await startPaymentWorld();
    const options = { tls: undefined, timeoutMs: 20_000, retryable: [], tracing: noTracing };
    fx = makeRpcClient(services, { ...options, target: await world.startFx() });
  }, 120_000);
  afterAll(async () => {
    await fx.stop();
    await world.stop();
  });

  const page = (changes: object = {}) =>
    fx.listConversions({ ...always, outcome: UNSPECIFIED, after: undefined, limit: 200, ...changes });
  const ofPayment = async (paymentId: string, changes: object = {}) =>
    (await page(changes)).conversions.filter((one) => one.paymentId === paymentId);
  /** Makes a payment and waits until it is in a state, and as many conversions of it are in the ledger. */
  const paid = async (state: string, count: number, changes: object = {}) => {
    const body = await world.push(changes);
    const name = String(body["externalPaymentId"]);
    await world.accept(world.replicas[0], body);
    await reaches(world, name, state);
    const paymentId = (await recordOf(world, name))?.paymentId ?? "";
    const found = await until(
      () => ofPayment(paymentId),
      (conversions) => conversions.length === count,
    );
    return { body, paymentId, found };
  };
  /** The quotes of all replicas of fx. */
  const quotes = () => {
    const { connection } = world.mongo;
    return connection
      .getClient()
      .db(connection.name.replace(/payment$/, "fx"))
      .collection<{ _id: string; midMantissa: bigint; rateSource: string; rateDate: string }>("quotes");
  };

  it("is what the quotes promised, payment by payment, and adds up to what the ledger has", async () => {
    const { body, found } = await paid("Completed", 1);
    const [one] = found;
    const quote = await quotes().findOne({ _id: String(body["fxId"]) });

    expect(one).toMatchObject({ outcome: AGREES, tenant: "demo" });
    expect(one?.comparison).toMatchObject({
      isReturn: false,
      sourceCurrency: "USD",
      destinationCurrency: "BRL",
      quote: {
        quoteId: body["fxId"],
        rateSource: quote?.rateSource,
        rateDate: quote?.rateDate,
      },
    });
    expect(one?.comparison?.promised).toMatchObject({ receivedMinor: 10_000n });
    expect(one?.comparison?.posted).toEqual(one?.comparison?.promised);
    expect(Number(one?.comparison?.quote?.midRate)).toBeGreaterThan(Number(one?.comparison?.quote?.rate));

    const { margins } = await fx.getMargin(always);
    const posted = (await page()).conversions.map(({ comparison }) => comparison?.posted);
    const sum = (name: "receivedMinor" | "paidMinor" | "marginMinor"): bigint =>
      posted.reduce((all, figures) => all + (figures?.[name] ?? 0n), 0n);
    expect(margins).toEqual([
      { currency: "BRL", marginMinor: 0n, positionMinor: -sum("paidMinor") },
      { currency: "USD", marginMinor: sum("marginMinor"), positionMinor: sum("receivedMinor") - sum("marginMinor") },
    ]);
    expect(sum("marginMinor")).toBeGreaterThan(0n);
  });

  it("goes back with a payout that comes back", async () => {
    const { paymentId, found } = await paid("Refunded", 2, returned);
    const [out, back] = found.map(({ comparison }) => comparison);

    expect(found.map(({ outcome }) => outcome)).toEqual([AGREES, AGREES]);
    expect([out?.isReturn, back?.isReturn]).toEqual([false, true]);
    expect(back?.posted?.marginMinor).toBe(-(out?.posted?.marginMinor ?? 0n));
    expect(back?.posted?.paidMinor).toBe(-(out?.posted?.paidMinor ?? 0n));
    expect(await ofPayment(paymentId, { outcome: DIFFERS })).toEqual([]);
  });

  it("is told where the ledger has something else than was promised, and which side says what", async () => {
    const { body, paymentId } = await paid("Completed", 1);
    const { paymentId: sound } = await paid("Completed", 1);
    await quotes().updateOne({ _id: String(body["fxId"]) }, { $mul: { midMantissa: 2n } });
    const [differing] = await ofPayment(paymentId);

    expect(differing).toMatchObject({ outcome: DIFFERS });
    expect(differing?.comparison?.promised?.marginMinor).toBeGreaterThan(5_000n);
    expect(differing?.comparison?.posted?.marginMinor).toBeLessThan(500n);
    expect(await ofPayment(paymentId, { outcome: DIFFERS })).toEqual([differing]);
    expect(await ofPayment(paymentId, { outcome: AGREES })).toEqual([]);
    expect(await ofPayment(sound, { outcome: DIFFERS })).toEqual([]);
  });

  it("is compared with the payment's own figures once its quote is deleted", async () => {
    const { body, paymentId, found } = await paid("Completed", 1);
    await quotes().deleteOne({ _id: String(body["fxId"]) });
    const [later] = await ofPayment(paymentId);

    expect(later).toMatchObject({ outcome: AGREES });
    expect(later?.comparison?.quote).toBeUndefined();
    expect(later?.comparison?.promised).toEqual(found[0]?.comparison?.promised);
  });

  it("shows what an operator posted as promised by nobody", async () => {
    const entryId = randomUUID();
    const posting = (account: string, minor: bigint) => ({ account, currency: "USD", minor });
    const postings = [posting("platform/fx", -500n), posting("provider/pix/clearing", 500n)];
    await world.wallet.postCorrection({ entryId, kind: "hedge", reason: "sold", links: ["hedge-1"], postings });

    const { conversions } = await page({ outcome: UNPROMISED });

    expect(conversions.map((one) => one.entryId)).toEqual([entryId]);
    expect(conversions[0]?.comparison).toBeUndefined();
  });

  it("is read a page at a time, each entry once, and only within its span", async () => {
    const all = (await page()).conversions;
    const walked: string[] = [];
    let after: string | undefined;
    do {
      const { conversions, next } = await page({ after, limit: 2 });
      walked.push(...conversions.map(({ entryId }) => entryId));
      after = next;
    } while (after !== undefined);
    const [first, second] = all.map(({ postedAt }) => postedAt ?? beginningOfTime);
    const within = (await page({ from: first, until: second })).conversions;

    expect(walked).toEqual(all.map(({ entryId }) => entryId));
    expect(all.length).toBeGreaterThan(5);
    expect(within.map(({ entryId }) => entryId)).toEqual([all[0]?.entryId]);
    expect((await fx.getMargin({ from: first, until: second })).margins).toContainEqual({
      currency: "BRL",
      marginMinor: 0n,
      positionMinor: -(all[0]?.comparison?.posted?.paidMinor ?? 0n),
    });
  });

  it("is asked for by a span that ends after it begins", async () => {
    const now = systemClock.now();
    const backwards = { from: now, until: now };

    for (const asked of [fx.getMargin(backwards), page(backwards)])
      expect(await refusalOf(asked)).toMatchObject({ reason: "INVALID_ARGUMENT", fields: ["until"] });
    expect(await refusalOf(fx.getMargin({ from: undefined, until: undefined }))).toMatchObject({
      fields: ["from", "until"],
    });
    expect(await refusalOf(page({ after: "x" }))).toMatchObject({ reason: "INVALID_ARGUMENT", fields: ["after"] });
  });
});
