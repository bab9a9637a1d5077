import {
  type Context,
  SpanKind as OtelKind,
  ROOT_CONTEXT,
  SpanStatusCode,
  TraceFlags,
  trace,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { AlwaysOnSampler, BatchSpanProcessor, type SpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { currentCall, runInSpan } from "./call-context";
import { formatTraceparent, parseTraceparent, type TraceParent } from "./traceparent";
import { isDropped, isSampled, newTrace, type SpanKind, type Tracing, underTraceparent } from "./tracing";

/** Interval of exports, milliseconds. Each is a request, so rare ones are cheap; traces appear this much later. */
const exportEveryMs = 2_000;

const kinds: Record<SpanKind, OtelKind> = {
  server: OtelKind.SERVER,
  client: OtelKind.CLIENT,
  producer: OtelKind.PRODUCER,
  consumer: OtelKind.CONSUMER,
  internal: OtelKind.INTERNAL,
};

const contextOf = ({ traceId, spanId }: TraceParent): Context =>
  trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true });

/** Runs unsampled work without a new object where the running call already has the same traceparent. */
const unsampled = <T>(traceparent: string, work: () => Promise<T>): Promise<T> =>
  currentCall()?.traceparent === traceparent ? work() : underTraceparent(traceparent, work);

/** Tracing through the OpenTelemetry SDK to an OTLP/HTTP endpoint. `ratio` is the share of traces that are kept, 0 to 1. */
export function makeOtelTracing(service: string, endpoint: string, ratio: number): Tracing {
  const exporter = new OTLPTraceExporter({ url: new URL("/v1/traces", endpoint).href });
  return makeSdkTracing(service, [new BatchSpanProcessor({ exporter, scheduledDelayMillis: exportEveryMs })], ratio);
}

/** The same with the given span processors. */
export function makeSdkTracing(service: string, spanProcessors: SpanProcessor[], ratio: number): Tracing {
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": service }),
    sampler: new AlwaysOnSampler(),
    spanProcessors,
  });
  const tracer = provider.getTracer("corridor");

  /** The trace to continue: the parent's, or a new one whose first span has no parent. */
  const placeOf = (parent: string | undefined): { at: TraceParent; context: Context } => {
    const given = parseTraceparent(parent ?? currentCall()?.traceparent);
    const { traceId, spanId } = given ?? newTrace();
    const at = { traceId, spanId, sampled: isSampled(traceId, ratio) };
    return { at, context: given === undefined ? ROOT_CONTEXT : contextOf(at) };
  };

  return {
    isOn: true,
    async span(name, { kind, parent, attributes }, work) {
      const inherited = parent ?? currentCall()?.traceparent;
      if (inherited !== undefined && isDropped(inherited)) return unsampled(inherited, work);
      const { at, context } = placeOf(parent);
      if (!at.sampled) return unsampled(formatTraceparent(at), work);
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes: attributes ?? {} }, context);
      const { traceId, spanId } = span.spanContext();
      try {
        return await runInSpan(span, formatTraceparent({ traceId, spanId, sampled: true }), work);
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    },
    async stop() {
      await provider.shutdown();
    },
  };
}
