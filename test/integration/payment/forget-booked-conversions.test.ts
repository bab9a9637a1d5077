import { ExposureServiceService } from "../../../proto/gen/corridor/fx/v1/exposure_service";
import { makeOpenConversionStore } from "../../../services/payment/store/open-conversion-store";
import { noTracing } from "../../../services/shared/process/tracing";
import type { Rpc } from "../../../services/shared/rpc/rpc";
import { makeRpcClient } from "../../../services/shared/rpc/rpc-client";
import { until } from "../../support/platform-client";
import { reaches } from "./looks";
import { type PaymentWorld, startPaymentWorld } from "./payment-world";

describe("the platform's position", () => {
  let world: PaymentWorld;
  let fx: Rpc<typeof ExposureServiceService> & { stop(): Promise<void> };

  beforeAll(async () => {
    world = await startPaymentWorld({}, { hasClock: true, wallet: { NATS_URL: "nats://127.0.0.1:9" } });
    const options = { tls: undefined, timeoutMs: 20_000, retryable: [], tracing: noTracing };
    fx = makeRpcClient(ExposureServiceService, { ...options, target: await world.startFx() });
  }, 120_000);
  afterAll(async () => {
    await fx.stop();
    await world.stop();
  });

  it("has a paid conversion in its position exactly once, while the ledger does not know of it and afterwards", async () => {
    const body = await world.push();
    const seen = new Set<bigint>();
    const look = async () => {
      const found = (await fx.getExposure({})).exposures.find(({ currency }) => currency === "BRL");
      seen.add(found?.netMinor ?? 0n);
      return found;
    };
    await world.accept(world.replicas[0], body);
    await reaches(world, String(body["externalPaymentId"]), "Completed");
    expect(await look()).toMatchObject({ settledMinor: 0n });

    await world.startWallet({ NATS_URL: world.natsUrl });
    await until(look, (found) => found?.openMinor === 0n && found.settledMinor < 0n);
    expect(seen.size).toBe(1);

    // The payments' part of it ends when the ledger has had it for a while.
    await world.outside.advance(60);
    const conversions = makeOpenConversionStore(world.mongo.connection);
    await until(
      () => conversions.open(),
      ({ sums, entries }) => sums.size === 0 && entries.length === 0,
    );
    await look();
    expect(seen.size).toBe(1);
  });
});
