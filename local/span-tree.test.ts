import { type CollectedSpan, renderSpanTree, renderTimeline } from "./span-tree";

const span = (
  spanId: string,
  parentSpanId: string,
  service: string,
  start: bigint,
  durationMs: number,
): CollectedSpan => ({
  traceId: "t",
  spanId,
  parentSpanId,
  name: `span ${spanId}`,
  service,
  kind: "INTERNAL",
  startUnixNano: start,
  durationMs,
  attributes: {},
});

describe("renderSpanTree", () => {
  it("puts children below their parent, by start, with service and duration", () => {
    const spans = [
      span("d", "b", "store", 40n, 0.26),
      span("c", "a", "fx", 30n, 2),
      span("a", "", "gateway", 10n, 12.34),
      span("b", "a", "payment", 20n, 5),
    ];

    expect(renderSpanTree(spans)).toBe(
      [
        "gateway  span a  12.3 ms",
        "payment    span b  5.0 ms",
        "store        span d  0.3 ms",
        "fx         span c  2.0 ms",
      ].join("\n"),
    );
  });

  it("keeps a span whose parent was not collected", () => {
    expect(renderSpanTree([span("b", "lost", "fx", 1n, 1)])).toBe("fx  span b  1.0 ms");
  });

  it("renders nothing as nothing", () => {
    expect(renderSpanTree([])).toBe("");
  });
});

describe("renderTimeline", () => {
  it("shows when each span began and how long it ran, on one scale", () => {
    const ms = 1_000_000n;
    const spans = [
      span("b", "a", "payment", 20n * ms, 10),
      span("a", "", "gateway", 10n * ms, 40),
      span("c", "b", "payment", 30n * ms, 20),
    ];

    expect(renderTimeline(spans)).toBe(
      [
        `gateway  span a          0.0     40.0 ms |${"\u2588".repeat(40)}|`,
        `payment    span b       10.0     10.0 ms |${" ".repeat(10)}${"\u2588".repeat(11)}${" ".repeat(19)}|`,
        `payment      span c     20.0     20.0 ms |${" ".repeat(20)}${"\u2588".repeat(20)}|`,
      ].join("\n"),
    );
  });
});
