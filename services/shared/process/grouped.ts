import { systemClock } from "../kernel/clock";
import { DomainError } from "../kernel/errors";
import { type CallContext, currentCall, runInCall } from "./call-context";
import { isOutage } from "./outages";

/** What came of one item, or why it alone failed. */
export type ItemResult<R> = { value: R } | { error: Error };

/** Handles several items in one go. The answer has a place for each. */
export type HandleAll<T, R> = (items: readonly T[]) => Promise<readonly ItemResult<R>[]>;

export interface GroupLimits<T> {
  /** Most items of a group. */
  most: number;
  /** Most bytes of a group, by `bytesOf`; an item that is larger makes a group of its own. */
  mostBytes?: number;
  bytesOf?: (item: T) => number;
  /** Whose an item is: while more waits than a group holds, owners take turns. */
  ownerOf?: (item: T) => string;
  /** The next group begins beside one that takes longer, milliseconds: nothing waits behind a connection that hangs. Absent: groups follow each other. */
  slowMs?: number;
  /** Most items that wait; one more is refused with UNAVAILABLE. */
  mostWaiting?: number;
}

interface Waiting<T, R> {
  item: T;
  call: CallContext | undefined;
  settle(result: ItemResult<R>): void;
}

const unanswered = { error: new Error("the group has no answer for its item") };
const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/**
 * Handles items one group at a time: what one turn of the event loop brings, or comes while a group is being handled, makes the next.
 * A lone item waits for nothing.
 * Items whose callers have stopped waiting are not begun: they are refused with UNAVAILABLE. An outage fails the whole group. When
 * a group fails otherwise, its items are handled one by one, so that one that can never be handled fails alone; a `handleAll`
 * that must not meet an item twice answers with an error for each in place of throwing.
 */
export function grouped<T, R>(handleAll: HandleAll<T, R>, limits: GroupLimits<T>): (item: T) => Promise<R> {
  const queue = makeFairQueue<T, R>(limits);
  const turn = makeTurn(limits.slowMs);
  let isRunning = false;

  const handle = async (group: readonly Waiting<T, R>[]): Promise<void> => {
    try {
      const results = await handleAll(group.map(({ item }) => item));
      for (const [index, { settle }] of group.entries()) settle(results[index] ?? unanswered);
    } catch (error) {
      if (group.length > 1 && !isOutage(error)) for (const one of group) await handle([one]);
      else for (const { settle } of group) settle({ error: asError(error) });
    }
  };
  const run = async (): Promise<void> => {
    for (let group = queue.take(); group.length > 0; group = queue.take()) {
      const live = group.filter(isAwaited);
      if (live.length > 0) await turn(inCallOf(live[0], () => handle(live)));
    }
    isRunning = false;
  };

  return (item) =>
    new Promise((resolve, reject) => {
      if (queue.size() >= (limits.mostWaiting ?? Number.POSITIVE_INFINITY))
        return reject(new DomainError("UNAVAILABLE", "more work waits here than can be taken"));
      queue.add({
        item,
        call: currentCall(),
        settle: (result) => ("error" in result ? reject(result.error) : resolve(result.value)),
      });
      if (isRunning) return;
      isRunning = true;
      setImmediate(() => void run());
    });
}

/** So many groups may be under way together when they are slow. */
const mostSlow = 16;

/** Waits until the next group may begin: when this one has ended, or is slow and not one of too many. */
function makeTurn(slowMs: number | undefined): (work: Promise<void>) => Promise<void> {
  if (slowMs === undefined) return (work) => work;
  const underWay = new Set<Promise<void>>();
  return async (work) => {
    const ended = work.finally(() => underWay.delete(ended));
    underWay.add(ended);
    let timer: NodeJS.Timeout | undefined;
    const slow = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, slowMs);
    });
    await Promise.race([ended, slow]);
    clearTimeout(timer);
    if (underWay.size >= mostSlow) await Promise.race(underWay);
  };
}

/** True while somebody waits for the item; settles it when nobody does. */
function isAwaited<T, R>({ call, settle }: Waiting<T, R>): boolean {
  const isLate = (call?.deadlineMs ?? Number.POSITIVE_INFINITY) <= systemClock.now().getTime();
  if (isLate) settle({ error: new DomainError("UNAVAILABLE", "the caller stopped waiting before the work began") });
  return !isLate;
}

/** The work of a group is a part of the call that its first item came with. */
const inCallOf = <T, R>(first: Waiting<T, R> | undefined, work: () => Promise<void>): Promise<void> =>
  first?.call === undefined ? work() : runInCall(first.call, work);

/** What waits, a line for each owner. A group takes from each line in turn. */
function makeFairQueue<T, R>({ most, mostBytes, bytesOf = () => 0, ownerOf = () => "" }: GroupLimits<T>) {
  const lines = new Map<string, Waiting<T, R>[]>();
  let count = 0;
  return {
    size: () => count,
    add(waiting: Waiting<T, R>): void {
      const owner = ownerOf(waiting.item);
      const line = lines.get(owner);
      if (line === undefined) lines.set(owner, [waiting]);
      else line.push(waiting);
      count += 1;
    },
    take(): Waiting<T, R>[] {
      const group: Waiting<T, R>[] = [];
      let bytes = 0;
      // A line that was served goes behind the others, and so does the loop: it ends with the last line.
      for (const [owner, line] of lines) {
        const [first] = line;
        if (first === undefined) continue;
        bytes += bytesOf(first.item);
        if (group.length === most || (group.length > 0 && bytes > (mostBytes ?? Number.POSITIVE_INFINITY))) break;
        group.push(first);
        line.shift();
        lines.delete(owner);
        if (line.length > 0) lines.set(owner, line);
      }
      count -= group.length;
      return group;
    },
  };
}
