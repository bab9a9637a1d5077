import { plusMs, systemClock } from "../../../services/shared/kernel/clock";
import { cardPullBody } from "../../support/payment-bodies";
import { sendPayment } from "../../support/payment-door";
import { callsOf, recordOf, refusalOf } from "./looks";
import { demo, type PaymentWorld, startPaymentWorld } from "./payment-world";

describe("a replica of payment whose clock is a week ahead of the store's", () => {
  let world: PaymentWorld;
  beforeAll(async () => {
    world = await startPaymentWorld();
  }, 120_000);
  afterAll(() => world.stop());

  it("accepts nothing, and ends no challenge that is still open", async () => {
    const body = cardPullBody("4", { capture: false });
    const id = String(body["externalPaymentId"]);
    await world.accept(world.replicas[0], body);
    expect((await recordOf(world, id))?.transactionState).toBe("WaitingChallenge3ds");

    const machineClock = { now: () => plusMs(systemClock.now(), 7 * 86_400_000) };
    const fast = await world.startReplica({}, { machineClock });

    expect(await refusalOf(sendPayment(fast, { tenant: demo }, cardPullBody("1")))).toMatchObject({
      reason: "UNAVAILABLE",
    });
    // To it everything is due at once, so it has looked by now.
    expect((await callsOf(world, id)).filter((call) => call.includes("void"))).toEqual([]);
    expect((await recordOf(world, id))?.transactionState).toBe("WaitingChallenge3ds");
  }, 60_000);
});
