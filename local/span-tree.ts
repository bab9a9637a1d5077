/** One finished span as a service reported it. `parentSpanId` is empty at the root of a trace. */
export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId: string;
  name: string;
  service: string;
  kind: "INTERNAL" | "SERVER" | "CLIENT" | "PRODUCER" | "CONSUMER";
  startUnixNano: bigint;
  durationMs: number;
  attributes: Readonly<Record<string, unknown>>;
}

const byStart = (a: CollectedSpan, b: CollectedSpan): number =>
  a.startUnixNano < b.startUnixNano ? -1 : Number(a.startUnixNano > b.startUnixNano);

/**
 * Spans as an indented tree, each below its parent and in the order of their start, with service, name and duration.
 * A span whose parent was not collected stands at the left edge.
 */
export function renderSpanTree(spans: readonly CollectedSpan[]): string {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  const children = Map.groupBy(spans.toSorted(byStart), ({ parentSpanId }) =>
    ids.has(parentSpanId) ? parentSpanId : "",
  );
  const serviceWidth = Math.max(0, ...spans.map(({ service }) => service.length));
  const lines: string[] = [];
  const render = (parentSpanId: string, depth: number): void => {
    for (const { spanId, service, name, durationMs } of children.get(parentSpanId) ?? []) {
      const label = `${service.padEnd(serviceWidth)}  ${"  ".repeat(depth)}${name}`;
      lines.push(`${label}  ${durationMs.toFixed(1)} ms`);
      render(spanId, depth + 1);
    }
  };
  render("", 0);
  return lines.join("\n");
}
