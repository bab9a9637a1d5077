import { setImmediate as nextTurn } from "node:timers/promises";
import { trace } from "@opentelemetry/api";
import { formatTraceparent } from "../../services/shared/process/traceparent";
import type { Tracing } from "../../services/shared/process/tracing";
import { makeSdkTracing } from "../../services/shared/process/tracing-otel";

/** Tracing that keeps every trace and sends none. */
export const makeTestTracing = (): Tracing => makeSdkTracing("test", [], 1);

/** Returns the span that a library which uses only OpenTelemetry finds after it has waited for something; undefined for none. */
export async function activeTraceparent(): Promise<string | undefined> {
  await nextTurn();
  const span = trace.getActiveSpan();
  if (span === undefined) return undefined;
  const active = span.spanContext();
  const sampled = active.traceFlags === 1;
  if (sampled && !span.isRecording()) throw new Error("what a library notes on the active span is lost");
  return formatTraceparent({ ...active, sampled });
}
