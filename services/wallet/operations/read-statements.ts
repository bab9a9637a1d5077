import { type Clock, plusMs } from "../../shared/kernel/clock";
import type { Lease } from "../../shared/storage/lease";
import type { StatementSource } from "../ports";
import type { StatementStore } from "../store/statement-store";
import type { FindBreaks } from "./find-breaks";
import type { KeepProof } from "./keep-proof";
import type { MatchStatements } from "./match-statements";

export interface ReadStatementsDeps {
  sources: readonly StatementSource[];
  matchStatements: MatchStatements;
  findBreaks: FindBreaks;
  keepProof: KeepProof;
  statements: Pick<StatementStore, "source">;
  lease: Lease;
  /** A statement is due this long after it was last read to its end, milliseconds. */
  everyMs: number;
  clock: Clock;
  pause(ms: number): Promise<void>;
}

interface Failed {
  provider: string;
  error: unknown;
}

/**
 * Reads the statements that are due, or all of them, and looks for breaks. An unreadable statement does not stop the
 * others; the result names the unreadable ones. `busy`: another replica is reading and did not finish in time.
 */
export type ReadStatements = (which: "due" | "now") => Promise<readonly Failed[] | "busy">;

/** How long to wait for another replica; shorter than callers wait. */
const patienceMs = 3_000;
const askAgainMs = 200;

/** Allows one run at a time: runs queue within the process and exclude each other across replicas by a lease. */
export function makeReadStatements(deps: ReadStatementsDeps): ReadStatements {
  let before: Promise<unknown> = Promise.resolve();
  return (which) => {
    const run = before.then(() => (which === "now" ? readNow(deps) : readDue(deps)));
    before = run.catch(() => undefined);
    return run;
  };
}

async function readDue(deps: ReadStatementsDeps): ReturnType<ReadStatements> {
  const states = await Promise.all(deps.sources.map(({ provider }) => deps.statements.source(provider)));
  const latest = plusMs(deps.clock.now(), -deps.everyMs);
  const due = new Set(
    states.filter(({ readAt }) => readAt === undefined || readAt <= latest).map((one) => one.provider),
  );
  if (deps.sources.length > 0 && due.size === 0) return [];
  if (!(await deps.lease.hold())) return "busy";
  return read(deps, (source) => due.has(source.provider));
}

async function readNow(deps: ReadStatementsDeps): ReturnType<ReadStatements> {
  for (let waitedMs = 0; !(await deps.lease.hold()); waitedMs += askAgainMs) {
    if (waitedMs >= patienceMs) return "busy";
    await deps.pause(askAgainMs);
  }
  return read(deps, () => true);
}

async function read(deps: ReadStatementsDeps, isWanted: (source: StatementSource) => boolean) {
  const { sources, matchStatements, findBreaks, keepProof, lease } = deps;
  const failed: Failed[] = [];
  try {
    for (const source of sources.filter(isWanted)) {
      try {
        await matchStatements(source);
      } catch (error) {
        failed.push({ provider: source.provider, error });
      }
      if (!(await lease.hold())) return "busy";
    }
    await findBreaks(sources.map(({ provider }) => provider));
    await keepProof();
    return failed;
  } finally {
    await lease.release();
  }
}
