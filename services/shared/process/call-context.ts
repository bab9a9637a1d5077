import { AsyncLocalStorage } from "node:async_hooks";

/** What belongs to one call and to everything that it causes, in this process and the next. */
export interface CallContext {
  /** Id of the REST request at the root; in every log line. */
  requestId: string;
  /** When the caller stops waiting, in milliseconds of the system clock. Absent: no caller waits. */
  deadlineMs?: number;
  /** W3C traceparent of the present span; absent when the call is not traced. */
  traceparent?: string;
  /** What the call is about, as far as that is known by now: one object for all contexts that are made of this one. */
  about?: CallSubject;
}

export interface CallSubject {
  /** The caller's id of the payment; in every log line. */
  externalId?: string;
}

const storage = new AsyncLocalStorage<CallContext>();

/** The context of the running call, or undefined outside any call. */
export const currentCall = (): CallContext | undefined => storage.getStore();

/** Runs `work` inside a call context. */
export const runInCall = <T>(context: CallContext, work: () => T): T =>
  storage.run(context.about === undefined ? { ...context, about: {} } : context, work);

/** Notes which payment the running call is about: its log lines say so from here on, also in the services that it calls. */
export function noteExternalId(externalId: string): void {
  const about = currentCall()?.about;
  if (about !== undefined) about.externalId = externalId;
}
