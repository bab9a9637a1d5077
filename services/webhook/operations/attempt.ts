import { type Clock, latest } from "../../shared/kernel/clock";
import { currentCall } from "../../shared/process/call-context";
import type { Tracing } from "../../shared/process/tracing";
import { type AttemptAnswer, type AttemptOutcome, outcomeOf } from "../domain/attempt-outcome";
import { batchBody } from "../domain/batch";
import { afterFailure } from "../domain/circuit";
import { endOf, type LoggedAttempt } from "../domain/delivery";
import type { Dispatch } from "../domain/dispatch";
import { onePlan, type RetryPlan } from "../domain/retry-plan";
import type { Disabled, Subscription } from "../domain/subscription";
import type { Attempt, KeysOf, Send } from "../ports";
import type { QueueStore } from "../store/queue-store";
import type { SubscriptionStore } from "../store/subscription-store";
import type { DeliveryMetrics } from "../telemetry";
import type { Pace } from "./endpoint-slots";
import type { SwitchSubscription } from "./switch-subscription";

export interface AttemptDeps {
  subscriptions: Pick<SubscriptionStore, "failed" | "succeeded" | "pause">;
  switching: Pick<SwitchSubscription, "disable">;
  queues: Pick<QueueStore, "hasten">;
  keysOf: KeysOf;
  send: Send;
  plan: RetryPlan;
  /** From 0 to 1. */
  random(): number;
  clock: Clock;
  tracing: Tracing;
  metrics: DeliveryMetrics;
}

/** The result of an attempt, for all deliveries of its request. */
export interface Attempted {
  outcome: AttemptOutcome;
  attempt: LoggedAttempt;
  /** True when the subscription was disabled. */
  isDisabled: boolean;
}

/** An endpoint that answers within this time is quick, milliseconds. */
export const quickMs = 1_000;

/** Anything but a quick success is slow. */
export const paceOf = ({ outcome, attempt }: Attempted): Pace =>
  outcome.kind === "delivered" && attempt.durationMs <= quickMs ? "quick" : "slow";

/** Makes one attempt and updates the endpoint's health. The caller stores the result. */
export type MakeOneAttempt = (subscription: Subscription, dispatch: Dispatch) => Promise<Attempted>;

export function makeMakeOneAttempt(deps: AttemptDeps): MakeOneAttempt {
  const { plan, random, clock, metrics } = deps;
  const sendIt = makeSendIt(deps);
  const updateHealth = makeUpdateHealth(deps);
  return async (subscription, dispatch) => {
    const { first } = dispatch;
    const begunAt = latest([clock.now(), ...earlierTimes(dispatch)]);
    const answer = await sendIt(subscription, dispatch);
    const { status, durationMs, failure } = answer;
    const attempt = { number: first.attempts + 1, at: begunAt, status, durationMs, failure };
    const at = clock.now();
    const outcome = outcomeOf(answer, dispatch, first.isTest ? onePlan : plan, random, at);
    metrics.attempted(outcome.kind, at.getTime() - first.occurredAt.getTime(), durationMs);
    const isDisabled = !first.isTest && (await updateHealth(subscription, outcome.kind, at));
    return { outcome, attempt, isDisabled };
  };
}

/** Times that precede an attempt, possibly by the clock of another machine. */
const earlierTimes = ({ deliveries }: Dispatch): Date[] =>
  deliveries.flatMap(({ createdAt, log }) => [createdAt, ...log.map(endOf)]);

function makeSendIt({ tracing, send, keysOf }: AttemptDeps) {
  return (subscription: Subscription, { first, deliveries }: Dispatch): Promise<AttemptAnswer> => {
    const attempt = first.attempts + 1;
    const attributes = { "webhook.attempt": attempt, "webhook.events": deliveries.length };
    const span = { kind: "client", parent: first.traceparent, attributes } as const;
    return tracing.span("webhook POST", span, () =>
      send({
        ...contentOf({ first, deliveries }),
        url: subscription.url,
        attempt,
        keys: keysOf(subscription),
        traceparent: currentCall()?.traceparent ?? first.traceparent,
      }),
    );
  };
}

function contentOf({
  first,
  deliveries,
}: Pick<Dispatch, "first" | "deliveries">): Pick<Attempt, "eventId" | "sequence" | "body"> {
  const { batchId } = first;
  if (batchId === undefined) return { eventId: first.eventId, sequence: first.sequence, body: first.body };
  const bodies = deliveries.map(({ body }) => body);
  return { eventId: batchId, sequence: first.position, body: batchBody(batchId, bodies) };
}

/** Updates an endpoint's health. Returns true when that disables its subscription. */
function makeUpdateHealth({ subscriptions, switching, queues, metrics }: AttemptDeps) {
  const disable = async (id: string, disabled: Disabled): Promise<true> => {
    if (await switching.disable(id, disabled)) metrics.disabled(id, disabled.reason);
    return true;
  };
  return async ({ id, tenant, health }: Subscription, outcome: AttemptOutcome["kind"], at: Date): Promise<boolean> => {
    if (outcome === "endpoint gone") return disable(id, { at, reason: "gone" });
    if (outcome === "delivered") {
      // An endpoint may be paused and have no failures: another attempt can have succeeded between the two writes.
      if (health.failures > 0 || health.pausedUntil !== undefined) await subscriptions.succeeded({ id, tenant });
      if (health.pausedUntil !== undefined) await queues.hasten(id, at);
      return false;
    }
    const consequence = afterFailure(await subscriptions.failed({ id, tenant }, at), at);
    if (consequence.kind === "pause") await subscriptions.pause({ id, tenant }, consequence.until);
    return consequence.kind === "disable" ? disable(id, { at, reason: "failing" }) : false;
  };
}
