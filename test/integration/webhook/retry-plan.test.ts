import { randomUUID } from "node:crypto";
import { DeliveryState } from "../../../proto/gen/corridor/webhook/v1/webhook_service";
import { productionPlan, quickPlan, type RetryPlan } from "../../../services/webhook/domain/retry-plan";
import { eventually } from "../bus/bus-testbed";
import { makeStandingClock, startWebhookWorld, statusEvents, type WebhookWorld } from "./webhook-world";

const second = 1_000;
const hour = 3_600 * second;

/** Ids whose random bytes are always in the middle, so that waits are as planned. */
const evenIds = { uuid: () => randomUUID(), bytes: (count: number) => Buffer.from([0x80, ...Buffer.alloc(count - 1)]) };

describe.each([
  ["production", productionPlan, 10, 75 * hour + 35 * 60 * second + 5 * second],
  ["sandbox and local", quickPlan, 5, 372 * second],
] as const)("the plan of %s", (_profile, plan: RetryPlan, attempts, spanMs) => {
  const clock = makeStandingClock();
  let world: WebhookWorld;

  beforeAll(async () => {
    world = await startWebhookWorld({ clock, plan, ids: evenIds });
  });
  afterAll(async () => {
    await world.stop();
  });

  const startFailing = async (path: string, headers: Record<string, string> = {}) => {
    const tenant = `t-${randomUUID().slice(0, 8)}`;
    const subscriptionId = await world.subscribe(path, tenant);
    world.sink.respond(path, (_received, response) => response.writeHead(503, headers).end());
    const publish = (): Promise<unknown> => world.publish(statusEvents(randomUUID(), 1, 1, tenant));
    const delivery = async () => {
      const request = { tenant, subscriptionId, subjectId: undefined, after: "", limit: 1 };
      const { deliveries } = await world.webhook.listDeliveries({ ...request, state: DeliveryState.UNSPECIFIED });
      return deliveries[0];
    };
    const afterAttempt = async (count: number) => {
      await eventually(async () => (await delivery())?.attempts === count);
      return delivery();
    };
    return { publish, afterAttempt };
  };

  it("is followed attempt by attempt to its end, never early", async () => {
    const path = `/${randomUUID()}`;
    const { publish, afterAttempt } = await startFailing(path);
    const begunAt = clock.now();
    await publish();

    for (let attempt = 1; attempt < attempts; attempt += 1) {
      const waiting = await afterAttempt(attempt);
      const waitMs = (waiting?.nextAttemptAt?.getTime() ?? 0) - clock.now().getTime();
      expect(Math.abs(waitMs - (plan.delaysMs[attempt] ?? 0))).toBeLessThanOrEqual(1);
      clock.advance(waitMs - 1);
      // Looked at by the workers, and not yet due.
      await new Promise((resolve) => setTimeout(resolve, 600));
      expect(world.sink.received(path)).toHaveLength(attempt);
      clock.advance(1);
    }
    const ended = await afterAttempt(attempts);

    expect(ended?.state).toBe(DeliveryState.FAILED);
    expect(Math.abs(clock.now().getTime() - begunAt.getTime() - spanMs)).toBeLessThan(second);
    clock.advance(100 * hour);
    await new Promise((resolve) => setTimeout(resolve, 600));
    const received = world.sink.received(path);
    expect(received).toHaveLength(attempts);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
  });

  it("waits as long as the receiver asks, to twice the plan at most", async () => {
    const planned = plan.delaysMs[1] ?? 0;
    const asked = await startFailing(`/${randomUUID()}`, {
      "retry-after": String(Math.round((planned * 1.5) / second)),
    });
    const greedy = await startFailing(`/${randomUUID()}`, { "retry-after": "864000" });
    await asked.publish();
    await greedy.publish();

    const waits = [await asked.afterAttempt(1), await greedy.afterAttempt(1)].map(
      (delivery) => (delivery?.nextAttemptAt?.getTime() ?? 0) - clock.now().getTime(),
    );

    expect(waits[0]).toBeGreaterThanOrEqual(planned * 1.4);
    expect(waits[0]).toBeLessThanOrEqual(planned * 1.6);
    expect(Math.abs((waits[1] ?? 0) - 2 * planned)).toBeLessThanOrEqual(2);
  });
});
