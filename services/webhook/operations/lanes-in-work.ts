import { type Clock, monotonicMs } from "../../shared/kernel/clock";
import { type Delivery, isBatchLane } from "../domain/delivery";
import { type Dispatch, dispatchesOf } from "../domain/dispatch";
import { attemptsBeforePassing, nextInLane } from "../domain/lane";
import type { LanePass } from "../domain/lane-pass";
import type { MakeAttempt } from "./make-attempt";

export interface LanesInWorkDeps {
  makeAttempt: MakeAttempt;
  clock: Clock;
}

/** Deliveries of a queue as they were read, and the lanes in work during the read, which may have moved since. */
export interface Page {
  deliveries: readonly Delivery[];
  wereBusy: ReadonlySet<string>;
}

/** The result of scanning a part of a queue. */
export interface Seen {
  /** When the earliest waiting delivery is due. */
  until: Date | undefined;
  /** True when work on a lane has begun. */
  hasBegun: boolean;
}

/** The lanes of one queue that are in work. */
export interface LanesInWork {
  busy(): number;
  /** Grows with every change that a scan may have missed; the queue is then scanned again. */
  moves(): number;
  isFull(): boolean;
  /** True when another process has the queue, or the store does not answer: no more work is begun. */
  isLost(): boolean;
  /** True when the subscription is gone or disabled: no more work is begun. */
  isGivenUp(): boolean;
  isGone(): boolean;
  read(page: () => Promise<Delivery[]>): Promise<Page>;
  /** Works on the next page of a pass, and waits a while for it. */
  workOn(page: Page, pass: LanePass): Promise<Seen>;
  /** Resolves when the next lane ends, or after a while. */
  someEnd(): Promise<void>;
  /** Resolves when the last lane has ended. Rejects with the error of any of them. */
  allEnd(): Promise<void>;
}

/** Most deliveries on one page. */
export const pageSize = 256;
/** The next page is read when at most this many lanes are left in work. */
const fewLanes = 32;
/** How long to wait for slow lanes before the queue is scanned again, milliseconds. */
const patienceMs = 250;

/** The result of work on a lane. `until`: when the lane may continue, if it has to wait. */
type LaneEnd =
  | { kind: "done"; until: Date | undefined; isBlocked: boolean; hasTried: boolean }
  | { kind: "lost" }
  | { kind: "all given up"; isGone: boolean };

/** `isHeld` is called before each attempt. */
export function makeLanesInWork(deps: LanesInWorkDeps, isHeld: () => boolean): LanesInWork {
  const busy = new Map<string, Promise<void>>();
  let moves = 0;
  let isGivenUp = false;
  let isGone = false;
  let isLost = false;
  let failure: Error | undefined;
  const workOnLane = makeWorkOnLane(deps, () => !isLost && !isGivenUp && isHeld());

  const begin = (laneId: string, lane: readonly Delivery[], ended: (end: LaneEnd) => void): void => {
    const work = async (): Promise<void> => {
      try {
        const end = await workOnLane(dispatchesOf(lane, isBatchLane(laneId)));
        isLost ||= end.kind === "lost" && !isGivenUp;
        isGivenUp ||= end.kind === "all given up";
        isGone ||= end.kind === "all given up" && end.isGone;
        ended(end);
      } catch (error) {
        failure = error instanceof Error ? error : new Error(String(error));
        isLost = true;
      }
      busy.delete(laneId);
    };
    busy.set(laneId, work());
  };

  /** Waits until at most `count` lanes are left, or a while. */
  const fewLeft = async (count: number): Promise<void> => {
    const deadlineMs = monotonicMs() + patienceMs;
    while (busy.size > count && monotonicMs() < deadlineMs) {
      await within(Promise.race(busy.values()), deadlineMs - monotonicMs());
    }
  };

  return {
    busy: () => busy.size,
    moves: () => moves,
    isFull: () => busy.size > fewLanes,
    isLost: () => isLost,
    isGivenUp: () => isGivenUp,
    isGone: () => isGone,
    async read(page) {
      const wereBusy = new Set(busy.keys());
      return { deliveries: await page(), wereBusy };
    },
    async workOn({ deliveries, wereBusy }, pass) {
      let seen: Seen = { until: undefined, hasBegun: false };
      let isOver = false;
      const ended = (laneId: string, end: LaneEnd): void => {
        if (isOver || end.kind !== "done" || end.hasTried) moves += 1;
        if (end.kind !== "done") return;
        if (end.isBlocked) pass.close(laneId);
        seen = { ...seen, until: earlier(seen.until, end.until) };
      };
      for (const [laneId, lane] of Map.groupBy(deliveries, (delivery) => delivery.laneId)) {
        const isAdmitted = pass.admits(laneId, busy.has(laneId) || wereBusy.has(laneId));
        // The lane ended while the page was read, so its rest must be scanned again.
        if (wereBusy.has(laneId) && !busy.has(laneId)) moves += 1;
        if (!isAdmitted) continue;
        seen = { ...seen, hasBegun: true };
        begin(laneId, lane, (end) => ended(laneId, end));
      }
      await fewLeft(deliveries.length < pageSize ? 0 : fewLanes);
      isOver = true;
      return seen;
    },
    someEnd: () => (busy.size === 0 ? Promise.resolve() : within(Promise.race(busy.values()), patienceMs)),
    async allEnd() {
      await Promise.all(busy.values());
      if (failure !== undefined) throw failure;
    },
  };
}

/** Sends the deliveries of a lane one after the other until it is empty or has to wait. */
function makeWorkOnLane({ makeAttempt, clock }: LanesInWorkDeps, mayBegin: () => boolean) {
  return async (lane: readonly Dispatch[]): Promise<LaneEnd> => {
    let waiting = lane;
    for (let hasTried = false; ; hasTried = true) {
      const move = nextInLane(waiting, clock.now());
      const isBlocked = waiting.some(({ failures }) => failures < attemptsBeforePassing);
      if (move.kind === "empty") return { kind: "done", until: undefined, isBlocked, hasTried };
      if (move.kind === "wait") return { kind: "done", until: move.until, isBlocked, hasTried };
      const left = await makeAttempt(move.delivery, mayBegin);
      if (left.kind === "paused") return { kind: "done", until: left.until, isBlocked: true, hasTried };
      if (left.kind !== "settled") return left;
      waiting = waiting.flatMap((other) => (other === move.delivery ? left.waiting : other));
    }
  };
}

/** Waits for `work`, which never rejects, up to a time. */
function within(work: Promise<unknown>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, Math.max(0, ms));
    void work.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** The earlier of two times, either of which may be missing. */
export const earlier = (one: Date | undefined, other: Date | undefined): Date | undefined =>
  one === undefined || (other !== undefined && other < one) ? other : one;
