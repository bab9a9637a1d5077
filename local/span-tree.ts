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

interface PlacedSpan {
  span: CollectedSpan;
  /** How many of its ancestors were collected. */
  depth: number;
}

/** Places each span below its parent, ordered by start; a span whose parent was not collected has none. */
function placeSpans(spans: readonly CollectedSpan[]): PlacedSpan[] {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  const children = Map.groupBy(spans.toSorted(byStart), ({ parentSpanId }) =>
    ids.has(parentSpanId) ? parentSpanId : "",
  );
  const below = (parentSpanId: string, depth: number): PlacedSpan[] =>
    (children.get(parentSpanId) ?? []).flatMap((span) => [{ span, depth }, ...below(span.spanId, depth + 1)]);
  return below("", 0);
}

const widest = (texts: readonly string[]): number => Math.max(0, ...texts.map(({ length }) => length));

/**
 * Renders spans as an indented tree, ordered by start, with service, name and duration. A span without a collected parent is at the left
 * edge.
 */
export function renderSpanTree(spans: readonly CollectedSpan[]): string {
  const serviceWidth = widest(spans.map(({ service }) => service));
  return placeSpans(spans)
    .map(({ span: { service, name, durationMs }, depth }) => {
      const label = `${service.padEnd(serviceWidth)}  ${"  ".repeat(depth)}${name}`;
      return `${label}  ${durationMs.toFixed(1)} ms`;
    })
    .join("\n");
}

const barWidth = 40;

/** Renders the tree with each span's start relative to the first, and a bar for its time. */
export function renderTimeline(spans: readonly CollectedSpan[]): string {
  const placed = placeSpans(spans);
  const first = spans.toSorted(byStart)[0]?.startUnixNano ?? 0n;
  const startOf = ({ startUnixNano }: CollectedSpan): number => Number(startUnixNano - first) / 1e6;
  const wholeMs = Math.max(0, ...spans.map((span) => startOf(span) + span.durationMs));
  const names = placed.map(({ span, depth }) => `${"  ".repeat(depth)}${span.name}`);
  const [serviceWidth, nameWidth] = [widest(spans.map(({ service }) => service)), widest(names)];
  const columnOf = (ms: number): number => Math.min(barWidth - 1, Math.floor((ms / wholeMs) * barWidth));
  return placed
    .map(({ span }, index) => {
      const startMs = startOf(span);
      const from = columnOf(startMs);
      const bar = "\u2588".repeat(columnOf(startMs + span.durationMs) - from + 1).padEnd(barWidth - from);
      const times = `${startMs.toFixed(1).padStart(8)} ${span.durationMs.toFixed(1).padStart(8)} ms`;
      const label = `${span.service.padEnd(serviceWidth)}  ${(names[index] ?? "").padEnd(nameWidth)}`;
      return `${label} ${times} |${" ".repeat(from)}${bar}|`;
    })
    .join("\n");
}
