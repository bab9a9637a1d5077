import { setTimeout as sleep } from "node:timers/promises";
import { eventsMissing } from "../../shared/bus/inbox";
import { type Clock, plusMs, systemClock } from "../../shared/kernel/clock";
import type { ItemResult } from "../../shared/process/batch-calls";
import { isOutage } from "../../shared/process/outages";
import { isDuplicateKey, type Transact } from "../../shared/storage/mongo";
import { inOneCommand } from "../../shared/storage/one-command";
import { afterFirstAttempt, whileUnderWay } from "../domain/attempt-outcome";
import { type Delivery, deliveryOf } from "../domain/delivery";
import { type FeedEvent, isNotified } from "../domain/event";
import type { FeedPage } from "../domain/feed-page";
import { handledKey, unhandledOf } from "../domain/handled";
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
  /** Called with a tenant when new events are stored in its feed. */
  noteGrown(tenant: string): void;
  /** Hands over the queues that may have been opened for this process. */
  handOver(subscriptionIds: readonly string[]): void;
}

export interface FanOutEventsCommand {
  message: EventMessage;
  /** First attempts that were already made. */
  attempts: readonly FirstAttempt[];
}

/** Handles several messages together. A message with an error as its result must be redelivered. */
export type FanOutEvents = (commands: readonly FanOutEventsCommand[]) => Promise<ItemResult<void>[]>;

/** Most characters of the events of one page, to stay well below the size limit of a document. */
const largestPage = 1_000_000;
/**
 * Most retries of a page that fails on a duplicate key although no concurrent write is visible yet. A busy store may show one late, and a
 * message that fails is sent again, so a message on its own is retried longer than a page that contains other messages.
 */
const mostUnseen = { ofPage: 4, ofMessage: 8 };
/** Wait before looking for concurrent writes, milliseconds. */
const restMs = 25;

/**
 * Gives each event its position in its tenant's feed, and stores one delivery per event and interested subscription, as its
 * first attempt left it; both happen once. Messages that arrive together for one tenant are stored as one page, in its own
 * transaction, so that a failure affects one tenant only. This process holds the queues that it opens. Answers
 * VERSION_CONFLICT for a message with missing events before it.
 */
export function makeFanOutEvents(deps: FanOutEventsDeps): FanOutEvents {
  const storePage = makeStorePage(deps);
  /** Stores a page; if that fails while the store is reachable, stores its messages singly, so only a faulty one fails. */
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

const noAnswer = { error: new Error("the page has no result for a message") };

/** Splits the messages of one tenant into pages, in order. */
function partsOf(commands: readonly FanOutEventsCommand[]): FanOutEventsCommand[][] {
  const parts: FanOutEventsCommand[][] = [];
  let room = 0;
  for (const command of commands) {
    const length = command.message.events.reduce(
      (sum, { notification }) => sum + (notification?.fields.length ?? 0),
      0,
    );
    if (length > room || parts.length === 0) {
      parts.push([]);
      room = largestPage;
    }
    parts.at(-1)?.push(command);
    room -= length;
  }
  return parts;
}

/** Stores the events of one tenant's messages after those that others have stored. */
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
        (unhandled.fresh[index] ?? []).filter(isNotified).map((event) => ({ ...event, subject })),
      );
      const after = told.length === 0 ? 0 : Math.max(await ends.of(tenant), floor);
      const events = told.map((event, index) => ({ ...event, position: after + 1 + index }));
      const draft = JSON.stringify([after, ...unhandled.handled]);
      unseen = draft === before ? unseen + 1 : 0;
      before = draft;
      if (unseen > 0) await sleep(restMs);
      try {
        const page = { tenant, events, handled: unhandled.handled, at: deps.clock.now() };
        const { waiting, unclear } = await storeWithDeliveries(deps, page, commands);
        const keys = messages.filter(({ subject }) => unclear.has(subject.id)).map(handledKey);
        handled.keep(unhandled.handled, new Set(keys));
        if (events.length > 0) {
          ends.keep(tenant, after + events.length);
          deps.noteGrown(tenant);
        }
        if (waiting.length > 0) handOver(waiting);
        return results;
      } catch (error) {
        handled.forget(unhandled.handled.keys());
        ends.forget(tenant);
        // The next attempt drops events that others have stored, or appends after them.
        const most = commands.length > 1 ? mostUnseen.ofPage : mostUnseen.ofMessage;
        if (!isDuplicateKey(error) || unseen >= most) throw error;
      }
    }
  };
}

/**
 * Stores a page with its deliveries, and opens queues for those not delivered yet. Returns these queues, and the subjects of which some
 * subscription lacks an event: one that failed, or came while its subscription was disabled, can be sent later at any time.
 */
async function storeWithDeliveries(
  deps: FanOutEventsDeps,
  page: FeedPage,
  commands: readonly FanOutEventsCommand[],
): Promise<{ waiting: string[]; unclear: ReadonlySet<string> }> {
  const { transact, events, known, deliveries, queues, holder } = deps;
  const { at } = page;
  const all = page.events.length === 0 ? [] : await known.of([page.tenant]);
  const enabled = all.filter(({ disabled }) => disabled === undefined);
  const added = deliveriesOf(page, enabled, commands);
  const pausedUntil = new Map(enabled.map(({ id, health }) => [id, health.pausedUntil]));
  // A new event does not wake a paused endpoint.
  const dueAt = (id: string): Date => later(at, pausedUntil.get(id));
  const pending = added.filter(isPending);
  const waiting = new Map(pending.map(({ subscriptionId: id }) => [id, dueAt(id)]));
  await transact(async (tx) => {
    await inOneCommand(tx, async (all) => {
      await events.add(all, page);
      await deliveries.add(all, added);
      await queues.touch(all, waiting, { holder, leaseUntil: plusMs(systemClock.now(), leaseMs) });
    });
  });
  const disabled = all.filter((one) => one.disabled !== undefined);
  const missed = page.events.filter((event) => disabled.some((one) => deliveryOf(event, one, at) !== undefined));
  const unclear = [...added.filter(isUndelivered), ...missed.map(({ subject: { id } }) => ({ subjectId: id }))];
  return { waiting: [...waiting.keys()], unclear: new Set(unclear.map(({ subjectId }) => subjectId)) };
}

type Tried = ReadonlyMap<string, FirstAttempt>;

/** Makes one delivery per event and interested subscription, as its first attempt left it. */
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

const isUndelivered = ({ state }: Delivery): boolean => state !== "delivered";

const later = (one: Date, other: Date | undefined): Date => (other !== undefined && other > one ? other : one);

/**
 * Deliveries of a message after its first attempt disabled the subscription: the attempted one, and those after it, which are given up.
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

/** The delivery as its first attempt left it. `delivery` is its state before that attempt. */
function attempted(delivery: Delivery, first: FirstAttempt | undefined): Delivery {
  if (first === undefined) return delivery;
  const { createdAt } = first.delivery;
  if (first.kind === "under way")
    return whileUnderWay({ ...delivery, createdAt, state: "pending", endedAt: undefined }, delivery.createdAt);
  return afterFirstAttempt({ ...delivery, createdAt }, first.attempted.outcome, first.attempted.attempt);
}
