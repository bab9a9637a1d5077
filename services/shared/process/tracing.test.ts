import fc from "fast-check";
import { formatTraceparent, parseTraceparent } from "./traceparent";
import { isDropped, isSampled, newTrace } from "./tracing";

describe("traceparent", () => {
  it("is read as it was written, and counts as none when it is malformed", () => {
    const { traceId, spanId } = newTrace();
    const header = formatTraceparent({ traceId, spanId, sampled: true });

    expect(parseTraceparent(header)).toEqual({ traceId, spanId, sampled: true });
    for (const wrong of [
      undefined,
      "",
      header.slice(1),
      `00-${"0".repeat(32)}-${spanId}-01`,
      `${header}-x`,
      header.toUpperCase(),
    ]) {
      expect(parseTraceparent(wrong)).toBeUndefined();
    }
  });

  it("recognises a trace that is not kept", () => {
    const { traceId, spanId } = newTrace();

    expect([true, false].map((sampled) => isDropped(formatTraceparent({ traceId, spanId, sampled })))).toEqual([
      false,
      true,
    ]);
    expect(isDropped(undefined)).toBe(false);
  });

  it("keeps the wanted share of traces, each by its id alone", () => {
    const ids = Array.from({ length: 10_000 }, () => newTrace().traceId);
    const kept = ids.filter((id) => isSampled(id, 0.1));

    expect(kept.length).toBeGreaterThan(800);
    expect(kept.length).toBeLessThan(1_200);
    fc.assert(
      fc.property(fc.constantFrom(...ids), (id) => {
        expect([isSampled(id, 0), isSampled(id, 1)]).toEqual([false, true]);
        if (isSampled(id, 0.1)) expect(isSampled(id, 0.5)).toBe(true);
      }),
    );
  });
});
