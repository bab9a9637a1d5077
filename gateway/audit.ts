import type { AppendAuditRecordsRequest } from "../proto/gen/corridor/auth/v1/audit_service";
import { type Clock, systemClock } from "../services/shared/clock";
import { errorFields, type Logger } from "../services/shared/logger";

/** One call as the audit log shows it. */
export interface AuditedCall {
  actor: string;
  tenant: string;
  action: string;
  object: string;
  requestId: string;
  address: string;
}

/** The record of privileged calls and of callers that were refused. */
export interface Audit {
  /** Resolved when it is stored; a caller that cannot be recorded must not go on. */
  record(call: AuditedCall, outcome: string): Promise<void>;
  /** The same for what has happened already: a failure is counted and logged. */
  tryRecord(call: AuditedCall, outcome: string): Promise<void>;
}

export interface AuditDeps {
  appendAuditRecords(request: AppendAuditRecordsRequest): Promise<object>;
  /** Called for each record that is lost. */
  recordLost(): void;
  logger: Logger;
  clock?: Clock;
}

const longestObject = 512;

/** Sends records to the auth service, which owns the log. */
export function makeAudit({ appendAuditRecords, recordLost, logger, clock = systemClock }: AuditDeps): Audit {
  const record = async (call: AuditedCall, outcome: string): Promise<void> => {
    const object = call.object.slice(0, longestObject);
    await appendAuditRecords({ entries: [{ ...call, object, outcome, at: clock.now() }] });
  };
  return {
    record,
    async tryRecord(call, outcome) {
      try {
        await record(call, outcome);
      } catch (error) {
        recordLost();
        const { requestId, action } = call;
        logger.error({ requestId, action, outcome, ...errorFields(error) }, "a record of the audit log is lost");
      }
    },
  };
}
