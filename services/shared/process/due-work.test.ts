import { plusMs } from "../kernel/clock";
import { type DueWorkOptions, makeDueNotes, startDueWork } from "./due-work";
import type { Running } from "./lifecycle";

const longMs = 600_000;

describe("startDueWork", () => {
  const started: Running[] = [];
  afterEach(async () => {
    for (const one of started.splice(0)) await one.stop();
  });

  /** A worker that counts its runs, on a clock that stands still until it is moved. */
  function startWorker(work: () => Promise<Date | undefined>, options: Partial<DueWorkOptions> = {}) {
    let now = new Date("2026-01-01T00:00:00Z");
    const listeners = new Set<() => void>();
    const notes = makeDueNotes();
    const errors: unknown[] = [];
    let runs = 0;
    let waiting: { count: number; tell(): void }[] = [];
    const clock = {
      now: () => now,
      onMove(listener: () => void) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    };
    const counted = async (): Promise<Date | undefined> => {
      try {
        return await work();
      } finally {
        runs += 1;
        const ready = waiting.filter(({ count }) => count <= runs);
        waiting = waiting.filter(({ count }) => count > runs);
        // The worker has received the answer by then.
        for (const { tell } of ready) setImmediate(tell);
      }
    };
    const onError = (error: unknown): void => void errors.push(error);
    const common = { notes, clock, onError, lookMs: longMs, restMs: longMs };
    const worker = startDueWork({ ...common, work: counted, ...options });
    started.push(worker);
    return {
      notes,
      errors,
      clock,
      stop: worker.stop,
      runs: () => runs,
      followers: () => listeners.size,
      /** Resolves after the run with this number, counted from 1. */
      ran: (count: number) =>
        count <= runs ? Promise.resolve() : new Promise<void>((tell) => waiting.push({ count, tell })),
      move(ms: number) {
        now = plusMs(now, ms);
        for (const listener of listeners) listener();
      },
    };
  }

  it("works at its start, and at once when something is noted that is due", async () => {
    const worker = startWorker(async () => undefined);
    await worker.ran(1);

    worker.notes.note();

    await worker.ran(2);
    expect(worker.runs()).toBe(2);
  });

  it("works at the time that the last look has found, as soon as the clock is moved there", async () => {
    let next: Date | undefined;
    const worker = startWorker(async () => next);
    await worker.ran(1);
    next = plusMs(worker.clock.now(), 60_000);
    worker.notes.note();
    await worker.ran(2);
    next = undefined;

    worker.move(59_999);
    expect(worker.runs()).toBe(2);
    worker.move(1);

    await worker.ran(3);
  });

  it("works at the earliest of the times that are noted", async () => {
    const worker = startWorker(async () => undefined);
    await worker.ran(1);

    for (const seconds of [50, 20, 30]) worker.notes.note(plusMs(worker.clock.now(), seconds * 1_000));
    worker.move(19_999);
    expect(worker.runs()).toBe(1);
    worker.move(1);

    await worker.ran(2);
  });

  it("works at a time that was noted before it was committed, although it has looked meanwhile", async () => {
    const worker = startWorker(async () => undefined);
    await worker.ran(1);

    worker.notes.note(plusMs(worker.clock.now(), 10_000));
    worker.notes.note();
    await worker.ran(2);
    worker.move(10_000);

    // The run must not come at the next look that a signal causes.
    await new Promise((resolve) => setImmediate(resolve));
    expect(worker.runs()).toBe(3);
  });

  it("works when a real timer has run out", async () => {
    const worker = startWorker(async () => undefined, { clock: { now: () => new Date() } });
    await worker.ran(1);
    const startMs = performance.now();

    worker.notes.note(new Date(Date.now() + 60));

    await worker.ran(2);
    expect(performance.now() - startMs).toBeGreaterThan(55);
  });

  it("looks now and then although no word comes, since one may be lost", async () => {
    const worker = startWorker(async () => undefined, { lookMs: 5 });

    await worker.ran(4);
  });

  it("looks at other times than other replicas do", async () => {
    const order: number[] = [];
    const looks = [1, 0].map(async (random) => {
      const worker = startWorker(async () => undefined, { lookMs: 200, random: () => random });
      await worker.ran(2);
      order.push(random);
    });

    await Promise.all(looks);

    expect(order).toEqual([0, 1]);
  });

  it("rests before it looks at what is left, unless something is noted", async () => {
    const worker = startWorker(async () => new Date(0));
    await worker.ran(1);
    worker.move(1_000);
    expect(worker.runs()).toBe(1);

    worker.notes.note();

    await worker.ran(2);
  });

  it("runs no more often than it may, however many words come", async () => {
    const worker = startWorker(async () => undefined, { leastMs: 100, clock: { now: () => new Date() } });
    const startMs = performance.now();
    let isOver = false;
    const talk = (): void => {
      worker.notes.note();
      if (!isOver) setImmediate(talk);
    };
    await worker.ran(1);
    talk();

    await worker.ran(3);
    isOver = true;

    expect(performance.now() - startMs).toBeGreaterThan(195);
  });

  it("takes up what is left behind the rest", async () => {
    const worker = startWorker(async () => new Date(0), { restMs: 1 });

    await worker.ran(3);
  });

  it("goes on behind a failure", async () => {
    let failures = 2;
    const work = async () => {
      failures -= 1;
      if (failures >= 0) throw new Error("away");
      return undefined;
    };
    const worker = startWorker(work, { restMs: 1 });

    await worker.ran(3);
    expect(worker.errors).toHaveLength(2);
  });

  it("keeps a word that comes while it works", async () => {
    let go = (): void => {};
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    const worker = startWorker(async () => {
      await gate;
      return undefined;
    });

    worker.notes.note();
    go();

    await worker.ran(2);
  });

  it("runs one at a time, and stops behind the run that is under way", async () => {
    let running = 0;
    let most = 0;
    const worker = startWorker(async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return undefined;
    });
    worker.notes.note();
    worker.notes.note();

    await worker.stop();

    expect([running, most]).toEqual([0, 1]);
    const before = worker.runs();
    worker.notes.note();
    worker.move(1);
    await new Promise((resolve) => setImmediate(resolve));
    expect([worker.runs(), worker.followers()]).toEqual([before, 0]);
  });

  it("looks within 38 seconds without a word, and six seconds behind one", async () => {
    jest.useFakeTimers({ doNotFake: ["nextTick", "queueMicrotask", "setImmediate"] });
    try {
      const standing = { lookMs: undefined, clock: { now: () => new Date() } };
      const worker = startWorker(async () => undefined, { ...standing, random: () => 1 });
      const runsIn = async (ms: number): Promise<number> => {
        await jest.advanceTimersByTimeAsync(ms);
        return worker.runs();
      };
      expect([await runsIn(0), await runsIn(37_400), await runsIn(100)]).toEqual([1, 1, 2]);

      for (const speak of [() => worker.notes.note(), () => worker.notes.refresh()]) {
        const before = worker.runs();
        speak();
        expect([await runsIn(0), await runsIn(5_900), await runsIn(100)]).toEqual([before + 1, before + 1, before + 2]);
        expect(await runsIn(37_400)).toBe(before + 2);
        await runsIn(100);
      }
    } finally {
      jest.useRealTimers();
    }
  });

  it("receives what was noted before it began, and what other replicas wrote", async () => {
    const notes = makeDueNotes();
    const told: string[] = [];
    notes.onNote(() => told.push("noted"));
    notes.note(new Date());
    const heard: unknown[] = [];

    notes.listen((...word) => heard.push(word));
    notes.refresh();
    notes.note();

    expect(heard).toEqual([[undefined], [undefined], [undefined]]);
    expect(told).toEqual(["noted", "noted"]);
  });
});
