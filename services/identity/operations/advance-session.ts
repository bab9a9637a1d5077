import type { Clock } from "../../shared/kernel/clock";
import { conflict, retryOnConflict } from "../../shared/process/retry-on-conflict";
import { lapsed, nextAsk, reported, type Session, type SessionReport } from "../domain/session";
import type { Verifier } from "../ports";
import type { SessionStore } from "../store/session-store";

export interface AdvanceSessionDeps {
  sessions: Pick<SessionStore, "find" | "replace">;
  verifier: Pick<Verifier, "ask" | "redecisionMs">;
  clock: Clock;
  nudgeRelay(): void;
}

export interface AdvanceSession {
  /** Applies a report of the vendor. A report about an unknown session changes nothing. */
  applyReport(report: SessionReport): Promise<Session | undefined>;
  /**
   * Asks the vendor, applies its answer, and ends a session with a closed page. A silent vendor is asked again; for a decided session,
   * until the vendor can no longer change its decision.
   */
  ask(sessionId: string): Promise<Session | undefined>;
}

/** Advances sessions. Each of several concurrent writers sees what the one before has saved. */
export function makeAdvanceSession({ sessions, verifier, clock, nudgeRelay }: AdvanceSessionDeps): AdvanceSession {
  const change = (id: string, next: (before: Session) => Session): Promise<Session | undefined> =>
    retryOnConflict("session", async () => {
      const before = await sessions.find(id);
      if (before === undefined) return undefined;
      const after = next(before);
      if (after === before) return before;
      if (!(await sessions.replace(before, after))) return conflict;
      if (after.events.length > before.events.length) nudgeRelay();
      return after;
    });
  const withNextAsk = (session: Session, now: Date): Session => {
    const dueAt = nextAsk(session, now, verifier.redecisionMs);
    return dueAt === session.dueAt ? session : { ...session, dueAt };
  };
  return {
    applyReport: (report) =>
      change(report.sessionId, (before) => {
        const now = clock.now();
        const applied = reported(before, report, now);
        return applied === before ? before : withNextAsk(applied, now);
      }),
    async ask(sessionId) {
      const report = await verifier.ask(sessionId);
      return change(sessionId, (before) => {
        const now = clock.now();
        const applied = report === undefined ? before : reported(before, report, now);
        return withNextAsk(lapsed(applied, now), now);
      });
    },
  };
}
