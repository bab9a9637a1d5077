import type { Clock } from "../../shared/kernel/clock";
import type { Ids } from "../../shared/kernel/ids";
import { batchCalls } from "../../shared/process/batch-calls";
import { passageOf } from "../domain/circuit";
import { isBatchLane } from "../domain/delivery";
import type { Dispatch } from "../domain/dispatch";
import type { Subscription } from "../domain/subscription";
import type { DeliveryStore, Settlement } from "../store/delivery-store";
import type { SubscriptionStore } from "../store/subscription-store";
import { type Attempted, type MakeOneAttempt, paceOf } from "./attempt";
import { type EndpointSlots, inPlace } from "./endpoint-slots";
import type { KnownSubscriptions } from "./known-subscriptions";

export interface MakeAttemptDeps {
  known: Pick<KnownSubscriptions, "find">;
  subscriptions: Pick<SubscriptionStore, "takeTrial">;
  deliveries: Pick<DeliveryStore, "inBatch" | "makeBatch">;
  slots: Pick<EndpointSlots, "begin">;
  makeOneAttempt: MakeOneAttempt;
  remember: Remember;
  clock: Clock;
  ids: Pick<Ids, "uuid">;
}

/** The state of a request's deliveries after its attempt. */
export type Left =
  | { kind: "settled"; waiting: readonly Dispatch[] }
  /** No attempt was made; the endpoint is paused until then. */
  | { kind: "paused"; until: Date }
  /** The subscription is gone or disabled: all its deliveries are given up, except tests of one that exists. */
  | { kind: "all given up"; isGone: boolean }
  /** No attempt was made, since the queue passed to another process. */
  | { kind: "lost" };

export type MakeAttempt = (dispatch: Dispatch, isHeld: () => boolean) => Promise<Left>;

/** Makes one attempt, unless the endpoint is paused, and stores the result. */
export function makeMakeAttempt(deps: MakeAttemptDeps): MakeAttempt {
  const { known, makeOneAttempt, slots, remember } = deps;
  /** Returns the attempt with its request, or the reason why none was made. */
  const tryOnce = async (dispatch: Dispatch, isHeld: () => boolean): Promise<Exclude<Left, Settled> | Tried> => {
    const { tenant, subscriptionId, isTest } = dispatch.first;
    // Looked up for each attempt, so that a secret from before a rotation is used no longer than its signal may take.
    const subscription = await known.find(tenant, subscriptionId);
    if (subscription === undefined) return { kind: "all given up", isGone: true };
    if (subscription.disabled !== undefined && !isTest) return { kind: "all given up", isGone: false };
    const pausedUntil = isTest ? undefined : await pauseOf(deps, subscription);
    if (pausedUntil !== undefined) return { kind: "paused", until: pausedUntil };
    const whole = await wholeBatch(deps, dispatch);
    if (whole === undefined || !isHeld()) return { kind: "lost" };
    return { kind: "tried", whole, attempted: await makeOneAttempt(subscription, whole) };
  };
  return async (dispatch, isHeld) => {
    const endPlace = await slots.begin(dispatch.first.subscriptionId);
    const trying = isHeld() ? tryOnce(dispatch, isHeld) : lost;
    const tried = await inPlace(endPlace, trying, (one) => (one.kind === "tried" ? paceOf(one.attempted) : undefined));
    return tried.kind === "tried" ? remember(tried.whole, tried.attempted) : tried;
  };
}

type Settled = Extract<Left, { kind: "settled" }>;

interface Tried {
  kind: "tried";
  whole: Dispatch;
  attempted: Attempted;
}

const lost = Promise.resolve({ kind: "lost" } as const);

/** Until when the endpoint is paused; undefined when an attempt may be made now. */
async function pauseOf(
  { subscriptions, clock }: MakeAttemptDeps,
  { id, tenant, health }: Subscription,
): Promise<Date | undefined> {
  const passage = passageOf(health, clock.now());
  if (passage.kind === "open") return undefined;
  if (passage.kind === "closed" || health.pausedUntil === undefined) return health.pausedUntil;
  const isOurs = await subscriptions.takeTrial({ id, tenant }, health.pausedUntil, passage.nextTrialAt);
  return isOurs ? undefined : passage.nextTrialAt;
}

/**
 * Creates the batch at its first attempt, and reads the whole batch at later ones, so that all attempts are identical.
 * Undefined when another process has put any of the deliveries into another batch.
 */
async function wholeBatch({ deliveries, ids }: MakeAttemptDeps, dispatch: Dispatch): Promise<Dispatch | undefined> {
  const { first } = dispatch;
  if (!isBatchLane(first.laneId)) return dispatch;
  if (first.batchId !== undefined) return { ...dispatch, deliveries: await deliveries.inBatch(first.batchId) };
  const batchId = ids.uuid();
  const made = dispatch.deliveries.map((delivery) => ({ ...delivery, batchId }));
  const isWhole = await deliveries.makeBatch(
    batchId,
    made.map(({ id }) => id),
  );
  if (!isWhole) return undefined;
  return { ...dispatch, first: { ...first, batchId }, deliveries: made };
}

/** Stores the result of an attempt at stored deliveries; returns their state after it. */
export type Remember = (dispatch: Dispatch, attempted: Attempted) => Promise<Left>;

const largestGroup = 256;

/** Writes results in groups: those that arrive during a write go into the next one. */
export function makeRemember({ deliveries }: { deliveries: Pick<DeliveryStore, "settle"> }): Remember {
  const settle = batchCalls(
    async (settlements: readonly Settlement[]) => {
      await deliveries.settle(settlements);
      return settlements.map(() => ({ value: undefined }));
    },
    { most: largestGroup },
  );
  return async (dispatch, { outcome, attempt, isDisabled }) => {
    const ids = dispatch.deliveries.map(({ id }) => id);
    if (outcome.kind !== "retry") {
      await settle({ ids, next: { end: outcome.kind === "delivered" ? "delivered" : "failed" }, attempt });
      return isDisabled ? { kind: "all given up", isGone: false } : { kind: "settled", waiting: [] };
    }
    const { failures, nextAttemptAt } = outcome;
    await settle({ ids, next: { failures, nextAttemptAt }, attempt });
    if (isDisabled) return { kind: "all given up", isGone: false };
    const first = { ...dispatch.first, failures, nextAttemptAt, attempts: attempt.number };
    return { kind: "settled", waiting: [{ ...dispatch, first, failures, nextAttemptAt }] };
  };
}
