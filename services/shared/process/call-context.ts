import { type Context, context, createContextKey, type Span, TraceFlags, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { parseTraceparent } from "./traceparent";

/** The context of one call and of all work that it causes, in this process and the next. */
export interface CallContext {
  /** Id of the REST request at the root; in every log line. */
  requestId: string;
  /** When the caller stops waiting, in milliseconds of the system clock. Absent: no caller waits. */
  deadlineMs?: number;
  /** W3C traceparent of the current span; absent when the call is not traced. */
  traceparent?: string;
  /** The subject of the call as far as known; one object shared by all contexts derived from this one. */
  about?: CallSubject;
}

export interface CallSubject {
  /** The caller's id of the payment; in every log line. */
  externalId?: string;
}

// Lets any library find the active span. A manager that was registered earlier stays.
context.setGlobalContextManager(new AsyncLocalStorageContextManager());

const callKey = createContextKey("corridor call");

const callOf = (active: Context): CallContext | undefined => active.getValue(callKey) as CallContext | undefined;

/** The context of the running call, or undefined outside any call. */
export const currentCall = (): CallContext | undefined => callOf(context.active());

/** Runs `work` inside a call context. The active span is the one that the context's traceparent names. */
export function runInCall<T>(call: CallContext, work: () => T): T {
  const active = context.active();
  const isOfSameSpan = callOf(active)?.traceparent === call.traceparent;
  const traced = isOfSameSpan ? active : withSpanOf(call.traceparent, active);
  const own = call.about === undefined ? { ...call, about: {} } : call;
  return context.with(traced.setValue(callKey, own), work);
}

/** Runs `work` inside a span of this process; the running call continues with the span's traceparent. */
export function runInSpan<T>(span: Span, traceparent: string, work: () => T): T {
  const active = context.active();
  const call = { ...(callOf(active) ?? { requestId: "" }), traceparent };
  return context.with(trace.setSpan(active, span).setValue(callKey, call), work);
}

/** Adds a span that another process or an earlier call has begun. */
function withSpanOf(traceparent: string | undefined, active: Context): Context {
  const named = parseTraceparent(traceparent);
  if (named === undefined) return trace.getSpan(active) === undefined ? active : trace.deleteSpan(active);
  const { traceId, spanId, sampled } = named;
  const traceFlags = sampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return trace.setSpanContext(active, { traceId, spanId, traceFlags, isRemote: true });
}

/** Sets the payment of the running call. Later log lines carry it, in the services that it calls as well. */
export function noteExternalId(externalId: string): void {
  const about = currentCall()?.about;
  if (about !== undefined) about.externalId = externalId;
}
