import { setTimeout as delay } from "node:timers/promises";
import { Router } from "express";
import { type Clock, plusMs, systemClock } from "../services/shared/kernel/clock";
import type { Database } from "./database";
import { answerProblems, asObject, text } from "./input";

/** The sandbox clock: the machine's time, moved forward on request. It survives a restart. */
export interface SandboxClock extends Clock {
  readonly version: number;
  readonly offsetMs: number;
  /** Moves the time forward; returns how many followers were waiting. */
  advance(ms: number): Promise<number>;
  /** Resolves once the version differs from `known`, at the latest when the signal aborts. */
  changed(known: number, signal: AbortSignal): Promise<void>;
  /** Calls `listener` after each advance. */
  onAdvance(listener: () => void): void;
  /** Releases all followers. */
  close(): void;
}

const schema = `
  CREATE TABLE IF NOT EXISTS clock (id INTEGER PRIMARY KEY, version INTEGER NOT NULL, offsetMs INTEGER NOT NULL) STRICT;
  INSERT OR IGNORE INTO clock VALUES (1, 1, 0);
`;
const longestAdvanceSeconds = 10 * 366 * 86_400;

/** Reads how far the clock is ahead of the machine. */
export function openSandboxClock(database: Database): SandboxClock {
  database.sql.exec(schema);
  const row = database.sql.prepare("SELECT version, offsetMs FROM clock").get();
  const update = database.sql.prepare("UPDATE clock SET version = ?, offsetMs = ?");
  let version = Number(row?.["version"]);
  let offsetMs = Number(row?.["offsetMs"]);
  const listeners: (() => void)[] = [];
  const waiting = new Set<() => void>();
  let isClosed = false;
  const wakeAll = (): number => {
    const woken = [...waiting];
    waiting.clear();
    for (const wake of woken) wake();
    return woken.length;
  };
  return {
    now: () => plusMs(systemClock.now(), offsetMs),
    get version() {
      return version;
    },
    get offsetMs() {
      return offsetMs;
    },
    async advance(ms) {
      await database.write(() => {
        version += 1;
        offsetMs += ms;
        update.run(version, offsetMs);
      });
      for (const listener of listeners) listener();
      return wakeAll();
    },
    async changed(known, signal) {
      if (version !== known || isClosed || signal.aborted) return;
      await new Promise<void>((resolve) => {
        waiting.add(resolve);
        const leave = (): void => {
          waiting.delete(resolve);
          resolve();
        };
        signal.addEventListener("abort", leave, { once: true });
      });
    },
    onAdvance(listener) {
      listeners.push(listener);
    },
    close() {
      isClosed = true;
      wakeAll();
    },
  };
}

/** How long a follower's request is held, and how long an advance waits for its followers. */
export interface ClockPatience {
  followMs: number;
  advanceMs: number;
}

/**
 * `POST /clock` moves the time forward and answers once every waiting follower has returned with the new version, or when its
 * patience ends. Followers wait with `GET /clock?after=`.
 */
export function clockRoutes(clock: SandboxClock, { followMs, advanceMs }: ClockPatience): Router {
  const router = Router();
  /** Called with the version that a follower has returned with. */
  const watchers = new Set<(version: number) => void>();
  router.get("/clock", async (req, res) => {
    const known = Number.parseInt(text(req.query["after"]), 10);
    for (const watch of watchers) watch(known);
    const gone = new AbortController();
    res.once("close", () => gone.abort());
    await clock.changed(known, AbortSignal.any([gone.signal, AbortSignal.timeout(followMs)]));
    res.json({ version: clock.version, offsetMs: clock.offsetMs });
  });
  router.post("/clock", async (req, res) => {
    const { advance } = asObject(req.body);
    const ms = typeof advance === "number" ? Math.round(advance * 1_000) : Number.NaN;
    const isGood = typeof advance === "number" && Math.abs(ms - advance * 1_000) < 1e-6 && ms >= 0;
    if (!isGood || advance > longestAdvanceSeconds) {
      const message = `must be seconds from 0 to ${longestAdvanceSeconds}, with at most 3 decimals`;
      answerProblems(res, { problems: [{ field: "advance", message }] });
      return;
    }
    let missing = await clock.advance(ms);
    const { version, offsetMs } = clock;
    const late = delay(advanceMs, undefined, { ref: false });
    let watch = (_version: number): void => {};
    const allBack = new Promise<void>((resolve) => {
      watch = (known) => {
        if (known >= version) missing -= 1;
        if (missing <= 0) resolve();
      };
    });
    watchers.add(watch);
    if (missing > 0) await Promise.race([allBack, late]);
    watchers.delete(watch);
    res.json({ version, offsetMs, now: clock.now().toISOString() });
  });
  return router;
}
