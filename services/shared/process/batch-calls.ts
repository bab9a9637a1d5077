import { systemClock } from "../kernel/clock";
import { DomainError } from "../kernel/errors";
import { type CallContext, currentCall, runInCall } from "./call-context";
import { isOutage } from "./outages";

/** The result of one item, or the error of that item alone. */
export type ItemResult<R> = { value: R } | { error: Error };

/** Handles several items together. The answer has one element for each. */
export type HandleAll<T, R> = (items: readonly T[]) => Promise<readonly ItemResult<R>[]>;

export interface GroupLimits<T> {
  /** Most items of a group. */
  most: number;
  /** Most bytes of a group, by `bytesOf`; an item that is larger makes a group of its own. */
  mostBytes?: number;
  bytesOf?: (item: T) => number;
  /** The owner of an item: while more waits than a group holds, owners take turns. */
  ownerOf?: (item: T) => string;
  /** The next group starts alongside one that takes longer, milliseconds, so a hung connection blocks none. Absent: in sequence. */
  slowMs?: number;
  /** Most waiting items; further ones are refused with UNAVAILABLE. */
  mostWaiting?: number;
}

interface Waiting<T, R> {
  item: T;
  call: CallContext | undefined;
  settle(result: ItemResult<R>): void;
}

const unanswered = { error: new Error("the group has no result for its item") };
const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/**
 * Handles items in groups, one at a time: items of one turn of the event loop, or those that arrive while a group is being
 * handled, form the next. A lone item is handled at once.
 * Items whose callers have stopped waiting are refused with UNAVAILABLE. An outage fails the whole group. When
 * a group fails otherwise, its items are handled one by one, so that a faulty one fails alone; a `handleAll`
 * that must not see an item twice returns an error for each instead of throwing.
 */
export function batchCalls<T, R>(handleAll: HandleAll<T, R>, limits: GroupLimits<T>): (item: T) => Promise<R> {
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
        return reject(new DomainError("UNAVAILABLE", "too much work is waiting here; try again later"));
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

/** Most slow groups under way together. */
const mostSlow = 16;

/** Waits until the next group may start: when this one has ended, or is slow and there are not too many slow ones. */
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

/** True while the caller waits for the item; otherwise settles the item. */
function isAwaited<T, R>({ call, settle }: Waiting<T, R>): boolean {
  const isLate = (call?.deadlineMs ?? Number.POSITIVE_INFINITY) <= systemClock.now().getTime();
  if (isLate) settle({ error: new DomainError("UNAVAILABLE", "the caller stopped waiting before the work began") });
  return !isLate;
}

/** Runs the work of a group in the call context of its first item. */
const inCallOf = <T, R>(first: Waiting<T, R> | undefined, work: () => Promise<void>): Promise<void> =>
  first?.call === undefined ? work() : runInCall(first.call, work);

/** The waiting items, a line for each owner. A group takes from each line in turn. */
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
      // A served line goes behind the others, and the loop continues until no line is left.
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
