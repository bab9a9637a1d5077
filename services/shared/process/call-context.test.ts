import { setTimeout as sleep } from "node:timers/promises";
import { context, trace } from "@opentelemetry/api";
import { currentCall, runInCall } from "./call-context";

const named = (spanId: string): string => `00-0af7651916cd43dd8448eb211c80319c-${spanId}-01`;
const activeSpanId = (): string | undefined => trace.getActiveSpan()?.spanContext().spanId;

describe("runInCall", () => {
  it("keeps calls apart that wait at the same time", async () => {
    const seen = await Promise.all(
      ["a", "b", "c"].map((requestId, at) =>
        runInCall({ requestId }, async () => {
          await sleep(3 - at);
          return currentCall()?.requestId;
        }),
      ),
    );

    expect(seen).toEqual(["a", "b", "c"]);
    expect(currentCall()).toBeUndefined();
  });

  it("makes the span active that the call names, and none where it names none", () => {
    const seen: (string | undefined)[] = [];
    const note = () => void seen.push(activeSpanId());
    const traceparent = named("b7ad6b7169203331");
    runInCall({ requestId: "a", traceparent }, () => {
      note();
      runInCall({ requestId: "a", traceparent, deadlineMs: 1 }, note);
      runInCall({ requestId: "a", traceparent: named("00f067aa0ba902b7") }, note);
      runInCall({ requestId: "b" }, note);
      note();
    });
    note();

    const own = "b7ad6b7169203331";
    expect(seen).toEqual([own, own, "00f067aa0ba902b7", undefined, own, undefined]);
  });

  it("is what a callback finds that a library has bound to it", () => {
    const bound = runInCall({ requestId: "a" }, () =>
      context.bind(context.active(), (word: string) => `${word} ${currentCall()?.requestId}`),
    );

    expect(bound("in")).toBe("in a");
  });
});
