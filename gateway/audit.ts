import type { AppendAuditRecordsRequest, AuditEntry } from "../proto/gen/corridor/auth/v1/audit_service";
import { type Clock, systemClock } from "../services/shared/kernel/clock";
import type { Running } from "../services/shared/process/lifecycle";
import { errorFields, type Logger } from "../services/shared/process/logger";
import { repeat } from "../services/shared/process/repeat";

/** One call as the audit log records it. */
export interface AuditedCall {
  actor: string;
  tenant: string;
  action: string;
  object: string;
  requestId: string;
  address: string;
  /** Id of a person's session; empty for all other callers. */
  session: string;
}

/** Records privileged calls and callers that were refused. `stop` writes the counts that are not yet written. */
export interface Audit extends Running {
  /** Resolves when the record is stored; a call that cannot be recorded must not proceed. */
  record(call: AuditedCall, outcome: string): Promise<void>;
  /**
   * Records a refusal that has happened already: a failure is counted and logged. Repeats, and refusals over the tenant's share, are
   * counted and recorded together once a minute, so that no caller can fill the log that privileged calls wait for.
   */
  recordRefusal(call: AuditedCall, reason: string): Promise<void>;
}

export interface AuditDeps {
  appendAuditRecords(request: AppendAuditRecordsRequest): Promise<object>;
  /** Takes one from the tenant's share of individually recorded refusals, which all replicas have in common; false when it is spent. */
  takeOfTenant(tenant: string): Promise<boolean>;
  /** Called for each record that is lost. */
  recordLost(): void;
  logger: Logger;
  clock?: Clock;
  /** How often repeats are recorded, milliseconds. */
  togetherMs?: number;
}

const longestObject = 512;
const recordsPerCall = 100;

/** Sends records to the auth service, which owns the log. */
export function makeAudit(deps: AuditDeps): Audit {
  const { appendAuditRecords, takeOfTenant, recordLost, logger, clock = systemClock, togetherMs = 60_000 } = deps;
  const repeats = makeRepeats();
  const entryOf = (call: AuditedCall, outcome: string): AuditEntry => ({
    ...call,
    object: call.object.slice(0, longestObject),
    outcome,
    at: clock.now(),
    count: 1,
  });
  const tryAppend = async (entries: AuditEntry[]): Promise<void> => {
    try {
      await appendAuditRecords({ entries });
    } catch (error) {
      for (const { requestId, action, outcome } of entries) {
        recordLost();
        logger.error({ requestId, action, outcome, ...errorFields(error) }, "a record of the audit log is lost");
      }
    }
  };
  const recordRepeats = async (): Promise<void> => {
    const entries = repeats.take();
    for (let from = 0; from < entries.length; from += recordsPerCall) {
      await tryAppend(entries.slice(from, from + recordsPerCall));
    }
  };
  const recording = repeat(togetherMs, recordRepeats, () => {});
  return {
    async record(call, outcome) {
      await appendAuditRecords({ entries: [entryOf(call, outcome)] });
    },
    async recordRefusal(call, reason) {
      const entry = entryOf(call, reason);
      if (!repeats.isFirst(entry)) return;
      if (isOperators(entry) || (await takeOfTenant(entry.tenant))) await tryAppend([entry]);
      else repeats.countForTenant(entry);
    },
    async stop() {
      await recording.stop();
      await recordRepeats();
    },
  };
}

/** Most different refusals of one caller that are recorded one by one between two counts. */
const mostOfOneCaller = 20;

const isOperators = ({ actor }: AuditEntry): boolean => actor.startsWith("operator:");

const nameOf = ({ actor, action, object, outcome, address }: AuditEntry): string =>
  JSON.stringify([actor, action, object, outcome, address]);

const several = (entry: AuditEntry): AuditEntry => ({ ...entry, action: "several", object: "", outcome: "refused" });

/** Counts refusals that need no record of their own: those just recorded, and those of a caller with too many. */
function makeRepeats() {
  let counted = new Map<string, AuditEntry>();
  let seen = new Set<string>();
  let recorded = new Map<string, number>();
  /** Tenants that have spent their share. */
  let over = new Set<string>();
  const count = (name: string, entry: AuditEntry): void => {
    counted.set(name, { ...entry, count: (counted.get(name)?.count ?? 0) + 1 });
  };
  /** Counts a refusal that is over its tenant's share, whichever of the tenant's callers it concerns. */
  const countForTenant = (entry: AuditEntry): void => {
    const actor = `tenant:${entry.tenant}`;
    seen.delete(nameOf(entry));
    over.add(entry.tenant);
    count(`several of ${actor}`, { ...several(entry), actor, session: "" });
  };
  return {
    /** True for a refusal that has to be recorded now; any other is counted. */
    isFirst(entry: AuditEntry): boolean {
      const { actor, tenant } = entry;
      const name = nameOf(entry);
      const own = recorded.get(actor) ?? 0;
      if (seen.has(name)) count(name, entry);
      else if (over.has(tenant) && !isOperators(entry)) countForTenant(entry);
      else if (own >= mostOfOneCaller) count(actor, several(entry));
      else {
        seen.add(name);
        recorded.set(actor, own + 1);
        return true;
      }
      return false;
    },
    countForTenant,
    /** Takes what was counted since the previous call. */
    take(): AuditEntry[] {
      const entries = [...counted.values()];
      counted = new Map();
      seen = new Set();
      recorded = new Map();
      over = new Set();
      return entries;
    },
  };
}
