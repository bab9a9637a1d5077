import { ExposureServiceService } from "../../../proto/gen/corridor/fx/v1/exposure_service";
import { FxServiceService } from "../../../proto/gen/corridor/fx/v1/fx_service";
import { noTracing } from "../../../services/shared/process/tracing";
import type { Rpc } from "../../../services/shared/rpc/rpc";
import { makeRpcClient } from "../../../services/shared/rpc/rpc-client";
import { until } from "../../support/platform-client";
import { reaches } from "../payment/looks";
import { demo, type PaymentRpc, type PaymentWorld, startPaymentWorld } from "../payment/payment-world";

const services = { ...FxServiceService, ...ExposureServiceService };
type FxRpc = Rpc<typeof services> & { stop(): Promise<void> };

const openFx = (target: string): FxRpc =>
  makeRpcClient(services, { target, tls: undefined, timeoutMs: 20_000, retryable: [], tracing: noTracing });
const positionIn = async (fx: FxRpc, currency: string) =>
  (await fx.getExposure({})).exposures.find((one) => one.currency === currency);
const netIn = async (fx: FxRpc, currency: string): Promise<bigint> => (await positionIn(fx, currency))?.netMinor ?? 0n;
const limit = (fx: FxRpc, currency: string, limitMinor: bigint | undefined) =>
  fx.setExposureLimit({ currency, limitMinor, author: "ada", note: "test" });
/** Asks for a quote; the result is `quoted`, or why not. */
const quoted = (fx: FxRpc, source: string, destination: string, amountMinor?: bigint): Promise<string> =>
  fx
    .createQuote({
      ...{ tenant: demo, sourceCurrency: source, destinationCurrency: destination, paymentMethod: "BANK_ACCOUNT" },
      ...(amountMinor === undefined ? {} : { amountMinor }),
    })
    .then(
      () => "quoted",
      ({ message }: Error) => message,
    );
const exceeded = (currency: string): string => `the limit of the platform's position in ${currency} would be exceeded`;
const unknown = (currency: string): string =>
  `the platform's position in ${currency}, which is limited, is not known at present`;
const answers = (fx: FxRpc, source: string, destination: string, wanted: string) =>
  until(
    () => quoted(fx, source, destination),
    (answer) => answer === wanted,
  );
const nameOf = (body: Record<string, unknown>): string => String(body["externalPaymentId"]);

describe("exposure of the platform's conversions", () => {
  let world: PaymentWorld;
  let targets: readonly [string, string];
  let fx: readonly [FxRpc, FxRpc];
  let payers: readonly [PaymentRpc, PaymentRpc];

  beforeAll(async () => {
    world = await startPaymentWorld();
    targets = [await world.startFx(), await world.startFx()];
    fx = [openFx(targets[0]), openFx(targets[1])];
    payers = [await world.startReplica({ FX_TARGET: targets[0] }), await world.startReplica({ FX_TARGET: targets[1] })];
  }, 120_000);
  afterAll(async () => {
    await Promise.all(fx.map((one) => one.stop()));
    await world.stop();
  });
  afterEach(async () => {
    await limit(fx[0], "BRL", undefined);
    await Promise.all(fx.map((one) => answers(one, "USD", "BRL", "quoted")));
  });

  it("is what the ledger has on platform/fx, with its value and what closes it", async () => {
    const body = await world.push();
    await world.accept(payers[0], body);
    await reaches(world, nameOf(body), "Completed");

    const found = await until(
      () => positionIn(fx[0], "BRL"),
      (one) => (one?.settledMinor ?? 0n) < 0n && one?.openMinor === 0n,
    );
    const { balances } = await world.wallet.getAccountBalances({ path: "platform/fx" });

    expect(balances).toContainEqual({ currency: "BRL", amountMinor: found?.settledMinor });
    expect(found?.toFlatMinor).toBe(-(found?.netMinor ?? 0n));
    expect(found?.valueMinor).toBeLessThan(0n);
    expect((await positionIn(fx[1], "USD"))?.settledMinor).toBeGreaterThan(0n);
  });

  it("stops quotes and payments that take a limited position further, and no others", async () => {
    const earlier = await world.push();
    const first = await world.accept(payers[0], earlier);
    const body = await world.push();
    await limit(fx[0], "BRL", 0n);
    const heard = new Set<string>();
    /** Asks on and on: before the limit counts, conversions are quoted. */
    const hearTheLimit = async (one: FxRpc): Promise<void> => {
      for (let answer = ""; answer !== exceeded("BRL"); heard.add(answer)) answer = await quoted(one, "USD", "BRL");
    };
    await Promise.all(fx.map(hearTheLimit));
    // A new limit counts together with its first reading: without one, nothing would be converted.
    expect([...heard]).not.toContain(unknown("BRL"));

    expect(await quoted(fx[0], "BRL", "USD")).toBe("quoted");
    expect(await quoted(fx[0], "USD", "EUR")).toBe("quoted");
    expect(await world.accept(payers[0], body)).toMatchObject({ reason: "NO_ROUTE", message: exceeded("BRL") });
    expect(await world.accept(payers[1], earlier)).toEqual({ ...first, replayed: true });
  });

  it("accepts exactly one of two payments that would pass a limit together, each at a replica of its own", async () => {
    const before = await netIn(fx[0], "BRL");
    await world.accept(payers[0], await world.push());
    const one = (await netIn(fx[0], "BRL")) - before;
    await limit(fx[0], "BRL", -(before + one * 2n) - one / 2n);
    await Promise.all(fx.map((replica) => answers(replica, "USD", "BRL", "quoted")));
    const bodies = [await world.push(), await world.push()] as const;
    await Promise.all(
      fx.map((replica) =>
        until(
          () => quoted(replica, "USD", "BRL", 100_000_000n),
          (answer) => answer === exceeded("BRL"),
        ),
      ),
    );

    const told = await Promise.all([world.accept(payers[0], bodies[0]), world.accept(payers[1], bodies[1])]);

    expect(told.filter(({ reason }) => reason === undefined)).toHaveLength(1);
    expect(told.filter(({ message }) => message === exceeded("BRL"))).toHaveLength(1);
    expect(await netIn(fx[0], "BRL")).toBe(before + one * 2n);
    // What was taken is part of the reading later, and counts once: a half as large payment still fits.
    expect(
      await until(
        () => quoted(fx[1], "USD", "BRL", 4_000n),
        (answer) => answer === "quoted",
      ),
    ).toBe("quoted");
    expect(await quoted(fx[1], "USD", "BRL", 10_000n)).toBe(exceeded("BRL"));
  });

  it("counts a payment that is sent twice at once to two replicas once", async () => {
    const before = await netIn(fx[0], "BRL");
    const body = await world.push();
    const told = await Promise.all(payers.map((payer) => world.accept(payer, body)));

    expect(told.map(({ reason }) => reason)).toEqual([undefined, undefined]);
    const one = (await netIn(fx[0], "BRL")) - before;
    await limit(fx[0], "BRL", -(before + one) - one - one / 2n);
    await Promise.all(
      fx.map((replica) =>
        until(
          () => quoted(replica, "USD", "BRL", 100_000_000n),
          (answer) => answer === exceeded("BRL"),
        ),
      ),
    );
    const next = await world.push();
    const again = await Promise.all(payers.map((payer) => world.accept(payer, next)));
    expect(again.map(({ reason }) => reason)).toEqual([undefined, undefined]);
  });
});

describe("a limited currency", () => {
  let world: PaymentWorld;
  const opened: FxRpc[] = [];
  const start = async (env: Readonly<Record<string, string>>): Promise<FxRpc> => {
    const client = openFx(await world.startFx(env));
    opened.push(client);
    return client;
  };

  beforeAll(async () => {
    world = await startPaymentWorld();
  }, 120_000);
  afterAll(async () => {
    await Promise.all(opened.map((one) => one.stop()));
    await world.stop();
  });

  it("is not converted while its position is not known, or has not been for the configured time", async () => {
    const away = await start({ MONGODB_DATABASE: "away", WALLET_TARGET: "ipv4:127.0.0.1:9" });
    await limit(away, "BRL", 10n ** 12n);
    await answers(away, "USD", "BRL", unknown("BRL"));
    expect(await quoted(away, "USD", "EUR")).toBe("quoted");

    const slow = { MONGODB_DATABASE: "slow", FX_EXPOSURE_REFRESH_SECONDS: "3600", FX_EXPOSURE_MAX_AGE_SECONDS: "4" };
    await limit(await start(slow), "BRL", 10n ** 12n);
    // Reads once, at its start.
    const once = await start(slow);
    await answers(once, "USD", "BRL", "quoted");
    await answers(once, "USD", "BRL", unknown("BRL"));
    expect(await quoted(once, "BRL", "USD")).toBe(unknown("BRL"));
  });
});
