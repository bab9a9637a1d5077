/** The content of a traceparent (W3C Trace Context level 1). */
export interface TraceParent {
  traceId: string;
  spanId: string;
  sampled: boolean;
}

const traceparentPattern = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Reads a traceparent; undefined for a malformed one, as the standard requires. */
export function parseTraceparent(header: string | undefined): TraceParent | undefined {
  const [, traceId = "", spanId = "", flags = ""] = traceparentPattern.exec(header ?? "") ?? [];
  if (/^0*$/.test(traceId) || /^0*$/.test(spanId)) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export const formatTraceparent = ({ traceId, spanId, sampled }: TraceParent): string =>
  `00-${traceId}-${spanId}-${sampled ? "01" : "00"}`;
