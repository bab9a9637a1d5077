import { randomUUID } from "node:crypto";
import { DecisionEvents } from "../../../proto/gen/corridor/identity/v1/decision_events";
import { DecisionStatus } from "../../../proto/gen/corridor/identity/v1/decision_status";
import { type Bus, openBus } from "../../../services/shared/bus/jetstream";
import { makeLogger } from "../../../services/shared/process/logger";
import { until } from "../../support/platform-client";
import { callbackSecret } from "../sandbox/outside-world";
import { callsOf, insistent, postedOf, reaches, recordOf } from "./looks";
import { signedCallback } from "./outside";
import { demo, type PaymentWorld, startPaymentWorld } from "./payment-world";

describe("news of a decision", () => {
  let world: PaymentWorld;
  let bus: Bus;
  const payments = () => world.mongo.connection.collection<{ _id: string }>("payments");
  /** A push that screening reviews, and that is not due for a long time. */
  const reviewed = async (): Promise<{ id: string; paymentId: string }> => {
    const mark = randomUUID().slice(0, 8);
    // The review goes on until the test ends it.
    const additionalData = { statementNarrative: `SIM:review-approve FAULT:${mark}` };
    await world.outside.fault({ provider: "screening", step: "query", mark, answer: { status: 404, body: "lost" } });
    const body = await world.push({ additionalData });
    const { text } = await world.accept(world.replicas[0], body);
    const { paymentId } = JSON.parse(text ?? "{}") as { paymentId: string };
    const id = String(body["externalPaymentId"]);
    await reaches(world, id, "ManualReview");
    await payments().updateOne({ _id: paymentId }, { $set: { dueAt: new Date("2126-01-01T00:00:00Z") } });
    return { id, paymentId };
  };
  /** What identity receives from the screening provider. */
  const decide = (reference: string, status: string) => {
    const { signature, body } = signedCallback("screening", { reference, status }, { secret: callbackSecret });
    return insistent(() => world.identity.receiveScreeningReport({ signature, body }));
  };
  /** A message on the bus in the name of identity. */
  const claim = (paymentId: string, status = DecisionStatus.APPROVED) => {
    const event = { eventId: randomUUID(), sequence: 9, occurredAt: new Date(), status, listVersion: "1" };
    const payload = DecisionEvents.encode({ tenant: demo, paymentId, events: [event] }).finish();
    const place = { subject: "corridor.identity.decisions", traceparent: undefined, committedAt: new Date() };
    return bus.publish({ id: event.eventId, payload, ...place });
  };

  beforeAll(async () => {
    world = await startPaymentWorld();
    bus = await openBus({ url: world.natsUrl, name: "test", logger: makeLogger("test", "error") });
  }, 120_000);
  afterEach(() => world.outside.clearFaults());
  afterAll(async () => {
    await bus.stop();
    await world.stop();
  });

  it("carries a payment on at once, and it is paid once", async () => {
    const { id, paymentId } = await reviewed();

    await decide(paymentId, "APPROVED");

    expect(await reaches(world, id, "Completed")).toBe("Completed");
    expect(await world.outside.book("instructions", paymentId)).toMatchObject({ status: "PAID", releases: 1 });
  });

  it("stops a payment that was refused, and nothing is paid", async () => {
    const { id, paymentId } = await reviewed();

    await decide(paymentId, "REJECTED");

    expect(await reaches(world, id, "Completed", "Cancelled")).toBe("Cancelled");
    expect(await world.outside.moved(paymentId)).toEqual([]);
    expect(await postedOf(world, id)).toEqual([]);
  });

  it("is not believed but asked about: a message that says APPROVED approves nothing", async () => {
    const { id, paymentId } = await reviewed();
    const before = (await callsOf(world, id)).length;

    await claim(paymentId);
    const calls = await until(
      () => callsOf(world, id),
      (found) => found.length > before,
    );

    expect(calls.at(-1)).toBe("send screen: REVIEW");
    expect((await recordOf(world, id))?.transactionState).toBe("ManualReview");
    expect(await world.outside.moved(paymentId)).toEqual([]);
  });

  it("leaves alone what waits for none, and payments of nobody, and does not stop the news after it", async () => {
    const body = await world.push();
    const { text } = await world.accept(world.replicas[0], body);
    const { paymentId: done } = JSON.parse(text ?? "{}") as { paymentId: string };
    await reaches(world, String(body["externalPaymentId"]), "Completed");
    const before = await recordOf(world, String(body["externalPaymentId"]));
    const { id, paymentId } = await reviewed();

    await claim(done, DecisionStatus.REJECTED);
    await claim(randomUUID());
    await claim("");
    await decide(paymentId, "APPROVED");

    expect(await reaches(world, id, "Completed")).toBe("Completed");
    expect(await recordOf(world, String(body["externalPaymentId"]))).toEqual(before);
  });

  it("is heard twice and by both replicas, and the payment is paid once", async () => {
    const { id, paymentId } = await reviewed();

    await Promise.all([decide(paymentId, "APPROVED"), ...Array.from({ length: 6 }, () => claim(paymentId))]);

    expect(await reaches(world, id, "Completed")).toBe("Completed");
    expect(await world.outside.book("instructions", paymentId)).toMatchObject({ releases: 1, releaseCalls: 1 });
    expect(await postedOf(world, id)).toHaveLength(1);
  });

  it("comes again when the store was away as it came", async () => {
    const { id, paymentId } = await reviewed();
    const restore = await world.cutOff(0);
    await decide(paymentId, "APPROVED");

    const state = await reaches(world, id, "Completed");
    await restore();

    expect(state).toBe("Completed");
    expect(await world.outside.book("instructions", paymentId)).toMatchObject({ releases: 1 });
  });
});
