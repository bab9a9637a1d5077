import { currentCall } from "../../shared/call-context";
import type { Clock } from "../../shared/clock";
import type { Tracing } from "../../shared/tracing";
import { type AttemptAnswer, outcomeOf } from "../domain/attempt-outcome";
import type { Delivery } from "../domain/delivery";
import { nextInLane } from "../domain/lane";
import type { RetryPlan } from "../domain/retry-plan";
import type { Subscription } from "../domain/subscription";
import type { KeysOf, Send } from "../ports";
import type { DeliveryStore } from "../store/delivery-store";
import type { Lane, LaneStore } from "../store/lane-store";
import type { SubscriptionStore } from "../store/subscription-store";
import type { DeliveryMetrics } from "../telemetry";

export interface DeliverLaneDeps {
  subscriptions: Pick<SubscriptionStore, "find" | "disable">;
  deliveries: Pick<DeliveryStore, "undelivered" | "retry" | "end" | "abandonLane">;
  lanes: Pick<LaneStore, "reread" | "close" | "postpone">;
  keysOf: KeysOf;
  send: Send;
  plan: RetryPlan;
  /** From 0 to 1. */
  random(): number;
  clock: Clock;
  tracing: Tracing;
  metrics: DeliveryMetrics;
}

/** Works on a lane until it is empty or has to wait. `isHeld` is asked before each attempt. */
export type DeliverLane = (lane: Lane, isHeld: () => boolean) => Promise<void>;

/**
 * Sends what a lane holds, one after the other. An attempt is remembered after it was made, so a crash in between repeats
 * that one and no other.
 */
export function makeDeliverLane(deps: DeliverLaneDeps): DeliverLane {
  const { deliveries, lanes, clock } = deps;
  const attempt = makeAttempt(deps);
  return async (lane, isHeld) => {
    // A lane that got more deliveries meanwhile can neither be closed nor postponed, and is read again.
    for (let held: Lane | undefined = lane; held !== undefined; held = await lanes.reread(held)) {
      let waiting = await deliveries.undelivered(held.id);
      let move = nextInLane(waiting, clock.now());
      while (move.kind === "send") {
        if (!isHeld()) return;
        const { delivery } = move;
        const left = await attempt(delivery);
        if (left === "nothing") waiting = [];
        else waiting = waiting.flatMap((other) => (other.id !== delivery.id ? [other] : left));
        move = nextInLane(waiting, clock.now());
      }
      const isDone = move.kind === "empty" ? await lanes.close(held) : await lanes.postpone(held, move.until);
      if (isDone) return;
    }
  };
}

/** What is left of a delivery after an attempt; `nothing` when the whole lane is given up. */
type Left = Delivery[] | "nothing";

function makeAttempt(deps: DeliverLaneDeps): (delivery: Delivery) => Promise<Left> {
  const { subscriptions, deliveries, plan, random, clock, metrics } = deps;

  const settle = async (delivery: Delivery, answer: AttemptAnswer): Promise<Left> => {
    const { id, laneId, tenant, subscriptionId } = delivery;
    const at = clock.now();
    const outcome = outcomeOf(answer, delivery, plan, random(), at);
    metrics.attempted(outcome.kind, outcome.kind === "delivered" ? at.getTime() - delivery.occurredAt.getTime() : 0);
    switch (outcome.kind) {
      case "retry":
        await deliveries.retry(id, outcome, answer.status);
        return [{ ...delivery, attempts: outcome.attempts, nextAttemptAt: outcome.nextAttemptAt }];
      case "endpoint gone":
        await subscriptions.disable(tenant, subscriptionId, at);
        await deliveries.end(id, "abandoned", answer.status, at);
        await deliveries.abandonLane(laneId, at);
        return "nothing";
      default:
        await deliveries.end(id, outcome.kind, answer.status, at);
        return [];
    }
  };

  return async (delivery) => {
    // Read for each attempt, so that no attempt begun after a rotation uses the secret before it.
    const subscription = await subscriptions.find(delivery.tenant, delivery.subscriptionId);
    if (subscription === undefined || subscription.disabledAt !== undefined) {
      await deliveries.abandonLane(delivery.laneId, clock.now());
      return "nothing";
    }
    return settle(delivery, await sendOnce(deps, subscription, delivery));
  };
}

function sendOnce(
  { tracing, send, keysOf }: DeliverLaneDeps,
  subscription: Subscription,
  { eventId, sequence, attempts, body, traceparent }: Delivery,
): Promise<AttemptAnswer> {
  const attempt = attempts + 1;
  const span = { kind: "client", parent: traceparent, attributes: { "webhook.attempt": attempt } } as const;
  return tracing.span("webhook POST", span, () =>
    send({
      url: subscription.url,
      eventId,
      sequence,
      attempt,
      body,
      keys: keysOf(subscription),
      traceparent: currentCall()?.traceparent ?? traceparent,
    }),
  );
}
