import { currentCall } from "../../shared/call-context";
import type { Clock } from "../../shared/clock";
import type { Ids } from "../../shared/ids";
import type { Tracing } from "../../shared/tracing";
import { type AttemptAnswer, outcomeOf } from "../domain/attempt-outcome";
import { batchBody } from "../domain/batch";
import { afterFailure, passageOf } from "../domain/circuit";
import type { Consignment } from "../domain/consignment";
import { isBatchLane, type LoggedAttempt } from "../domain/delivery";
import { onePlan, type RetryPlan } from "../domain/retry-plan";
import type { Disabled, Subscription } from "../domain/subscription";
import type { Attempt, KeysOf, Send } from "../ports";
import type { DeliveryStore } from "../store/delivery-store";
import type { LaneStore } from "../store/lane-store";
import type { SubscriptionStore } from "../store/subscription-store";
import type { DeliveryMetrics } from "../telemetry";

export interface MakeAttemptDeps {
  subscriptions: Pick<SubscriptionStore, "find" | "disable" | "failed" | "succeeded" | "pause" | "takeTrial">;
  deliveries: Pick<DeliveryStore, "retry" | "end" | "inBatch" | "makeBatch">;
  lanes: Pick<LaneStore, "delay" | "hasten">;
  keysOf: KeysOf;
  send: Send;
  plan: RetryPlan;
  /** From 0 to 1. */
  random(): number;
  clock: Clock;
  ids: Pick<Ids, "uuid">;
  tracing: Tracing;
  metrics: DeliveryMetrics;
}

/** What is left of a consignment after its attempt. */
export type Left =
  | { kind: "settled"; waiting: readonly Consignment[] }
  /** No attempt was made; the endpoint is left alone until then. */
  | { kind: "paused"; until: Date }
  /** The subscription is gone or disabled: the whole lane is given up. */
  | { kind: "all given up" };

export type MakeAttempt = (consignment: Consignment) => Promise<Left>;

/** Makes one attempt, unless the endpoint is paused, and remembers what came of it. */
export function makeMakeAttempt(deps: MakeAttemptDeps): MakeAttempt {
  const { subscriptions, clock } = deps;
  const sendIt = makeSendOnce(deps);
  const settle = makeSettle(deps);
  return async (consignment) => {
    const { tenant, subscriptionId, isTest } = consignment.first;
    // Read for each attempt, so that no attempt begun after a rotation uses the secret before it.
    const subscription = await subscriptions.find(tenant, subscriptionId);
    if (subscription === undefined || (subscription.disabled !== undefined && !isTest)) return { kind: "all given up" };
    const pausedUntil = isTest ? undefined : await pauseOf(deps, subscription);
    if (pausedUntil !== undefined) return { kind: "paused", until: pausedUntil };
    const whole = await wholeBatch(deps, consignment);
    const at = clock.now();
    return settle(subscription, whole, at, await sendIt(subscription, whole));
  };
}

/** Until when the endpoint is left alone; undefined when an attempt may be made now. */
async function pauseOf(
  { subscriptions, lanes, clock }: MakeAttemptDeps,
  { id, health }: Subscription,
): Promise<Date | undefined> {
  const passage = passageOf(health, clock.now());
  if (passage.kind === "open") return undefined;
  if (passage.kind === "closed" || health.pausedUntil === undefined) return health.pausedUntil;
  const isOurs = await subscriptions.takeTrial(id, health.pausedUntil, passage.nextTrialAt);
  // One for all, rather than each lane being claimed to hear that it has to wait.
  if (isOurs) await lanes.delay(id, passage.nextTrialAt);
  return isOurs ? undefined : passage.nextTrialAt;
}

/** Makes the batch at its first attempt, and reads it as a whole at later ones, so that all attempts are alike. */
async function wholeBatch({ deliveries, ids }: MakeAttemptDeps, consignment: Consignment): Promise<Consignment> {
  const { first } = consignment;
  if (!isBatchLane(first.laneId)) return consignment;
  if (first.batchId !== undefined) return { ...consignment, deliveries: await deliveries.inBatch(first.batchId) };
  const batchId = ids.uuid();
  const made = consignment.deliveries.map((delivery) => ({ ...delivery, batchId }));
  await deliveries.makeBatch(
    batchId,
    made.map(({ id }) => id),
  );
  return { ...consignment, first: { ...first, batchId }, deliveries: made };
}

function makeSendOnce({ tracing, send, keysOf }: MakeAttemptDeps) {
  return (subscription: Subscription, { first, deliveries }: Consignment): Promise<AttemptAnswer> => {
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
}: Pick<Consignment, "first" | "deliveries">): Pick<Attempt, "eventId" | "sequence" | "body"> {
  const { batchId } = first;
  if (batchId === undefined) return { eventId: first.eventId, sequence: first.sequence, body: first.body };
  const bodies = deliveries.map(({ body }) => body);
  return { eventId: batchId, sequence: first.position, body: batchBody(batchId, bodies) };
}

function makeSettle(deps: MakeAttemptDeps) {
  const { deliveries, random, clock, metrics } = deps;
  const judge = makeJudge(deps);

  return async (
    subscription: Subscription,
    consignment: Consignment,
    begunAt: Date,
    answer: AttemptAnswer,
  ): Promise<Left> => {
    const { first } = consignment;
    const at = clock.now();
    const of = { ids: consignment.deliveries.map(({ id }) => id) };
    const { status, durationMs, failure } = answer;
    const attempt: LoggedAttempt = { number: first.attempts + 1, at: begunAt, status, durationMs, failure };
    const outcome = outcomeOf(answer, consignment, first.isTest ? onePlan : deps.plan, random(), at);
    const lagMs = at.getTime() - first.occurredAt.getTime();
    metrics.attempted(outcome.kind, lagMs, durationMs);
    switch (outcome.kind) {
      case "retry": {
        const { failures, nextAttemptAt } = outcome;
        await deliveries.retry(of, { failures, nextAttemptAt }, attempt);
        const isDisabled = await judge(subscription, first.isTest, { kind: "failed" }, at);
        if (isDisabled) return { kind: "all given up" };
        const again = { ...first, failures, nextAttemptAt, attempts: attempt.number };
        return { kind: "settled", waiting: [{ ...consignment, first: again, failures, nextAttemptAt }] };
      }
      case "delivered":
        await deliveries.end(of, "delivered", attempt);
        await judge(subscription, first.isTest, { kind: "succeeded" }, at);
        return { kind: "settled", waiting: [] };
      default: {
        await deliveries.end(of, "failed", attempt);
        const isGone = outcome.kind === "endpoint gone";
        const isDisabled = await judge(subscription, first.isTest, { kind: isGone ? "gone" : "failed" }, at);
        return isDisabled ? { kind: "all given up" } : { kind: "settled", waiting: [] };
      }
    }
  };
}

interface Verdict {
  kind: "succeeded" | "failed" | "gone";
}

/** Keeps account of how an endpoint does. True when its subscription is disabled by that. A test changes nothing. */
function makeJudge({ subscriptions, lanes, metrics }: MakeAttemptDeps) {
  const disable = async (id: string, disabled: Disabled): Promise<true> => {
    if (await subscriptions.disable(id, disabled)) metrics.disabled(id, disabled.reason);
    return true;
  };
  return async ({ id, health }: Subscription, isTest: boolean, { kind }: Verdict, at: Date): Promise<boolean> => {
    if (isTest) return false;
    if (kind === "gone") return disable(id, { at, reason: "gone" });
    if (kind === "succeeded") {
      if (health.failures > 0) await subscriptions.succeeded(id);
      if (health.pausedUntil !== undefined) await lanes.hasten(id, at);
      return false;
    }
    const consequence = afterFailure(await subscriptions.failed(id, at), at);
    if (consequence.kind === "pause") {
      await subscriptions.pause(id, consequence.until);
      await lanes.delay(id, consequence.until);
    }
    return consequence.kind === "disable" ? disable(id, { at, reason: "failing" }) : false;
  };
}
