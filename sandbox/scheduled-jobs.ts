import { plusMs } from "../services/shared/kernel/clock";
import { errorFields, type Logger } from "../services/shared/process/logger";
import type { Database } from "./database";
import type { SandboxClock } from "./sandbox-clock";

/** Jobs scheduled by the sandbox clock. They survive a restart. */
export interface ScheduledJobs {
  /** Called inside `Database.write`: schedules a call of `kind`'s handler with the reference. */
  add(kind: string, reference: string, afterMs: number): void;
  /** Registers a handler. It runs inside the `Database.write` that removes its job. */
  on(kind: string, handler: (reference: string) => void): void;
  /** Starts with the jobs that are due. Every kind must have its handler by now. */
  start(): void;
  stop(): Promise<void>;
}

interface JobDeps {
  database: Database;
  clock: SandboxClock;
  logger: Logger;
}

const schema = `
  CREATE TABLE IF NOT EXISTS duties (
    id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, reference TEXT NOT NULL, dueAt INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS dutiesByTime ON duties (dueAt, id);
`;
const batchSize = 500;
const idleMs = 60_000;
const afterFailureMs = 1_000;

export function openScheduledJobs({ database, clock, logger }: JobDeps): ScheduledJobs {
  const { sql } = database;
  sql.exec(schema);
  const insert = sql.prepare("INSERT INTO duties (kind, reference, dueAt) VALUES (?, ?, ?)");
  const due = sql.prepare("SELECT id, kind, reference FROM duties WHERE dueAt <= ? ORDER BY dueAt, id LIMIT ?");
  const remove = sql.prepare("DELETE FROM duties WHERE id = ?");
  const first = sql.prepare("SELECT min(dueAt) AS dueAt FROM duties");
  const handlers = new Map<string, (reference: string) => void>();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let isRunning = false;
  let isStarted = false;

  const perform = (): void => {
    for (const { id, kind, reference } of due.all(clock.now().getTime(), batchSize)) {
      const handler = handlers.get(String(kind));
      if (handler === undefined) throw new Error(`no handler for jobs of kind ${String(kind)}`);
      remove.run(Number(id));
      handler(String(reference));
    }
  };
  const arm = (atLeastMs = 0): void => {
    clearTimeout(timer);
    const next = isStarted ? first.get()?.["dueAt"] : undefined;
    if (typeof next !== "number") return;
    const waitMs = Math.max(next - clock.now().getTime(), atLeastMs);
    timer = setTimeout(run, Math.min(waitMs, idleMs));
  };
  const run = (): void => {
    if (isRunning) return;
    isRunning = true;
    running = database
      .write(perform)
      .then(() => 0)
      .catch((error: unknown) => {
        logger.error(errorFields(error), "a due job failed");
        return afterFailureMs;
      })
      .then((waitMs) => {
        isRunning = false;
        arm(waitMs);
      });
  };
  clock.onAdvance(() => arm());
  return {
    add(kind, reference, afterMs) {
      insert.run(kind, reference, plusMs(clock.now(), afterMs).getTime());
      database.afterCommit(() => arm());
    },
    on(kind, handler) {
      handlers.set(kind, handler);
    },
    start() {
      isStarted = true;
      arm();
    },
    async stop() {
      isStarted = false;
      clearTimeout(timer);
      await running;
    },
  };
}
