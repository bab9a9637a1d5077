import { setTimeout as sleep } from "node:timers/promises";
import { eventsMissing } from "../../shared/bus/inbox";
import { type Clock, plusMs, systemClock } from "../../shared/kernel/clock";
import type { ItemResult } from "../../shared/process/grouped";
import { isOutage } from "../../shared/process/outages";
import { isDuplicateKey, type Transact } from "../../shared/storage/mongo";
import { afterFirstAttempt, whileUnderWay } from "../domain/attempt-outcome";
import { type Delivery, deliveryOf } from "../domain/delivery";
import { type FeedEvent, isTold } from "../domain/event";
import type { FeedPage } from "../domain/feed-page";
import { unhandledOf } from "../domain/handled";
import { leaseMs } from "../domain/lane";
import { positionFloor, type Restore } from "../domain/restore";
import type { Subscription } from "../domain/subscription";
import type { DeliveryStore } from "../store/delivery-store";
import type { EventStore } from "../store/event-store";
import type { HandledStore } from "../store/handled-store";
import type { QueueStore } from "../store/queue-store";
import { makeFeedEnds } from "./feed-ends";
import type { KnownSubscriptions } from "./known-subscriptions";
import type { EventMessage, FirstAttempt } from "./try-at-once";

export interface FanOutEventsDeps {
  transact: Transact;
  handled: Pick<HandledStore, "known" | "keep" | "forget">;
  restores: readonly Restore[];
  events: Pick<EventStore, "add" | "last">;
  known: Pick<KnownSubscriptions, "of">;
  deliveries: Pick<DeliveryStore, "add">;
  queues: Pick<QueueStore, "touch">;
  clock: Clock;
  /** Name of this process among all that share the work. */
  holder: string;
  /** Is told whose feed has grown, when that is stored. */
  noteTold(tenant: string): void;
  /** Hands over queues that may have been opened for this process. */
  handOver(subscriptionIds: readonly string[]): void;
}

export interface FanOutEventsCommand {
  message: EventMessage;
  /** What was tried already. */
  attempts: readonly FirstAttempt[];
}

/** Handles several messages together. The answer names those that have to come again. */
export type FanOutEvents = (commands: readonly FanOutEventsCommand[]) => Promise<ItemResult<void>[]>;

/** Most characters that the events of one page may have, so that it stays well below what a document may hold. */
const largestPage = 1_000_000;
/** So often a page is tried again that others seem to have stored before, although nothing of theirs is seen. */
const mostUnseen = 4;
/** Rest before it is looked for what others have stored, milliseconds. */
const restMs = 25;

/**
 * Gives each event its place in the feed of its tenant, and makes one delivery per event and subscription that wants it,
 * as its first attempt left it. Both happen once. What comes together for one tenant is stored as one page, in a transaction
 * of its own, so that no tenant's failure is another's. Queues that this opens are this process's. Answers VERSION_CONFLICT
 * for a message with missing events before it.
 */
export function makeFanOutEvents(deps: FanOutEventsDeps): FanOutEvents {
  const storePage = makeStorePage(deps);
  /** When a page fails, but not because the store is away, its messages are stored one by one, so that one that can never be stored fails alone. */
  const storeOrSplit = async (commands: readonly FanOutEventsCommand[]): Promise<ItemResult<void>[]> => {
    try {
      return await storePage(commands);
    } catch (error) {
      const failed = { error: error instanceof Error ? error : new Error(String(error)) };
      if (commands.length === 1 || isOutage(error)) return commands.map(() => failed);
      const results: ItemResult<void>[] = [];
      for (const command of commands) results.push(...(await storeOrSplit([command])));
      return results;
    }
  };
  return async (commands) => {
    const results = new Map<FanOutEventsCommand, ItemResult<void>>();
    const ofTenants = Map.groupBy(commands, ({ message }) => message.subject.tenant).values();
    const storeAll = async (own: readonly FanOutEventsCommand[]): Promise<void> => {
      for (const part of partsOf(own)) {
        const stored = await storeOrSplit(part);
        for (const [index, command] of part.entries()) results.set(command, stored[index] ?? noAnswer);
      }
    };
    await Promise.all([...ofTenants].map(storeAll));
    return commands.map((command) => results.get(command) ?? noAnswer);
  };
}

const noAnswer = { error: new Error("the page has no answer for a message") };

/** Messages of one tenant that fit on one page, in their order. */
function partsOf(commands: readonly FanOutEventsCommand[]): FanOutEventsCommand[][] {
  const parts: FanOutEventsCommand[][] = [];
  let room = 0;
  for (const command of commands) {
    const length = command.message.events.reduce((sum, { telling }) => sum + (telling?.fields.length ?? 0), 0);
    if (length > room || parts.length === 0) {
      parts.push([]);
      room = largestPage;
    }
    parts.at(-1)?.push(command);
    room -= length;
  }
  return parts;
}

/** Stores what messages of one tenant bring, behind what others have stored. */
function makeStorePage(deps: FanOutEventsDeps) {
  const { handled, handOver, restores } = deps;
  const floor = positionFloor(restores);
  const ends = makeFeedEnds(deps.events);
  return async (commands: readonly FanOutEventsCommand[]): Promise<ItemResult<void>[]> => {
    const messages = commands.map(({ message }) => message);
    const [tenant = ""] = messages.map(({ subject }) => subject.tenant);
    let unseen = 0;
    for (let before = ""; ; ) {
      const unhandled = unhandledOf(messages, await handled.known(messages), restores);
      const results = unhandled.fresh.map((fresh, index) =>
        fresh === undefined ? { error: eventsMissing(messages[index]?.subject.id ?? "") } : { value: undefined },
      );
      if (unhandled.handled.size === 0) return results;
      const told = commands.flatMap(({ message: { subject } }, index) =>
        (unhandled.fresh[index] ?? []).filter(isTold).map((event) => ({ ...event, subject })),
      );
      const after = told.length === 0 ? 0 : Math.max(await ends.of(tenant), floor);
      const events = told.map((event, index) => ({ ...event, position: after + 1 + index }));
      const draft = JSON.stringify([after, ...unhandled.handled]);
      unseen = draft === before ? unseen + 1 : 0;
      before = draft;
      if (unseen > 0) await sleep(restMs);
      try {
        const page = { tenant, events, handled: unhandled.handled, at: deps.clock.now() };
        const waiting = await storeWithDeliveries(deps, page, commands);
        handled.keep(unhandled.handled);
        if (events.length > 0) {
          ends.keep(tenant, after + events.length);
          deps.noteTold(tenant);
        }
        if (waiting.length > 0) handOver(waiting);
        return results;
      } catch (error) {
        handled.forget(unhandled.handled.keys());
        ends.forget(tenant);
        // What others have stored is dropped at the next try, or the page goes behind it.
        if (!isDuplicateKey(error) || unseen >= mostUnseen) throw error;
      }
    }
  };
}

/** Stores a page with its deliveries, and opens queues for what is not delivered yet; answers which these are. */
async function storeWithDeliveries(
  deps: FanOutEventsDeps,
  page: FeedPage,
  commands: readonly FanOutEventsCommand[],
): Promise<string[]> {
  const { transact, events, known, deliveries, queues, holder } = deps;
  const { at } = page;
  const all = page.events.length === 0 ? [] : await known.of([page.tenant]);
  const enabled = all.filter(({ disabled }) => disabled === undefined);
  const added = deliveriesOf(page, enabled, commands);
  const pausedUntil = new Map(enabled.map(({ id, health }) => [id, health.pausedUntil]));
  // An endpoint that is left alone is not looked at for each new event.
  const dueAt = (id: string): Date => later(at, pausedUntil.get(id));
  const waiting = new Map(added.filter(isPending).map(({ subscriptionId: id }) => [id, dueAt(id)]));
  await transact(async (tx) => {
    await events.add(tx, page);
    await deliveries.add(tx, added);
    await queues.touch(tx, waiting, { holder, leaseUntil: plusMs(systemClock.now(), leaseMs) });
  });
  return [...waiting.keys()];
}

type Tried = ReadonlyMap<string, FirstAttempt>;

/** One delivery per event and subscription that wants it, as its first attempt left it. */
function deliveriesOf(
  { events, at }: FeedPage,
  enabled: readonly Subscription[],
  commands: readonly FanOutEventsCommand[],
): Delivery[] {
  const tried = new Map(commands.flatMap(({ attempts }) => attempts.map((attempt) => [attempt.delivery.id, attempt])));
  const wanted = events.flatMap((event) =>
    enabled
      .flatMap((subscription) => deliveryOf(event, subscription, at) ?? [])
      .map((delivery) => attempted(delivery, tried.get(delivery.id))),
  );
  return [...wanted, ...endedWithTheirSubscription(events, wanted, tried, at)];
}

const isPending = ({ state }: Delivery): boolean => state === "pending";

const later = (one: Date, other: Date | undefined): Date => (other !== undefined && other > one ? other : one);

/**
 * Deliveries of a message whose subscription was disabled while a first attempt was made: that one, and what is given up
 * behind it.
 */
function endedWithTheirSubscription(
  placed: readonly FeedEvent[],
  added: readonly Delivery[],
  tried: Tried,
  at: Date,
): Delivery[] {
  const known = new Set(added.map(({ id }) => id));
  return [...tried.values()]
    .filter((first) => (first.kind === "under way" || first.attempted.isDisabled) && !known.has(first.delivery.id))
    .flatMap(({ subscription, delivery: { subjectId } }) =>
      placed
        .filter(({ subject }) => subject.id === subjectId)
        .flatMap((event) => deliveryOf(event, subscription, at) ?? [])
        .map((delivery) => attempted({ ...delivery, state: "failed", endedAt: at }, tried.get(delivery.id))),
    );
}

/** The delivery as its first attempt left it. It was made before that attempt. */
function attempted(delivery: Delivery, first: FirstAttempt | undefined): Delivery {
  if (first === undefined) return delivery;
  const { createdAt } = first.delivery;
  if (first.kind === "under way")
    return whileUnderWay({ ...delivery, createdAt, state: "pending", endedAt: undefined }, delivery.createdAt);
  return afterFirstAttempt({ ...delivery, createdAt }, first.attempted.outcome, first.attempted.attempt);
}
