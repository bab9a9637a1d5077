import type { Execution } from "../domain/execution";

/** How a payment goes on, as its document has it. Undefined fields are not stored. */
export interface ExecutionRecord {
  step: Execution["step"];
  sentAt: Date | undefined;
  tries: number;
  denials: number | undefined;
  dueAt: Date | undefined;
  deadlineAt: Date | undefined;
  escalatedAt: Date | undefined;
}

/** Returns the fields of a payment's document that say how it goes on. */
export const executionFields = ({ attempts, denials, ...execution }: Execution): ExecutionRecord => ({
  ...execution,
  tries: attempts,
  denials: denials === 0 ? undefined : denials,
});

export const executionOf = (record: ExecutionRecord): Execution => ({
  step: record.step,
  sentAt: record.sentAt,
  attempts: record.tries,
  denials: record.denials ?? 0,
  dueAt: record.dueAt,
  deadlineAt: record.deadlineAt,
  escalatedAt: record.escalatedAt,
});
