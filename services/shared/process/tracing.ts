import { randomBytes } from "node:crypto";
import { currentCall, runInCall } from "./call-context";

export type SpanKind = "server" | "client" | "producer" | "consumer" | "internal";

export interface SpanOptions {
  kind: SpanKind;
  /** W3C traceparent to continue. Absent: the running call's span, else a new trace. */
  parent?: string | undefined;
  attributes?: Record<string, string | number | boolean>;
}

/** Spans of this process. Without a configured endpoint it is `noTracing`, which does nothing. */
export interface Tracing {
  readonly isOn: boolean;
  /** Runs `work` inside a span; the call context of `work` carries the span's traceparent. */
  span<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T>;
  /** Sends buffered spans and ends. */
  stop(): Promise<void>;
}

export const noTracing: Tracing = {
  isOn: false,
  span: (_name, _options, work) => work(),
  stop: () => Promise.resolve(),
};

/** True for a traceparent whose trace is not kept: decided upstream and not decided again. */
export const isDropped = (traceparent: string | undefined): boolean => traceparent?.endsWith("-00") === true;

/**
 * The sampling decision: a pure function of the trace id, so that every process decides alike and no object is made for
 * a trace that is not kept. Compares the id's 56 random bits with the ratio (W3C Trace Context level 2, random flag).
 */
export function isSampled(traceId: string, ratio: number): boolean {
  return Number.parseInt(traceId.slice(-14), 16) < ratio * 2 ** 56;
}

/** A fresh identity for a trace that starts here. */
export const newTrace = (): { traceId: string; spanId: string } => {
  const hex = randomBytes(24).toString("hex");
  return { traceId: hex.slice(0, 32), spanId: hex.slice(32) };
};

/** Runs `work` under a traceparent without a span, which passes an unsampled decision on. */
export function underTraceparent<T>(traceparent: string, work: () => T): T {
  return runInCall({ ...(currentCall() ?? { requestId: "" }), traceparent }, work);
}
