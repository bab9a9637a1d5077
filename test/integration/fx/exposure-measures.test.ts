import type { LimitedPosition } from "../../../services/fx/domain/exposure";
import { measureExposure } from "../../../services/fx/telemetry";
import { plusMs } from "../../../services/shared/kernel/clock";
import { makeMetrics } from "../../../services/shared/process/metrics";

const now = new Date("2026-11-28T12:00:00Z");
const limit = { limitMinor: 200n, author: "ada", note: "", setAt: now, takenMinor: -20n };

describe("measures of exposure", () => {
  it("count a position as unknown exactly when it is not converted by any more", async () => {
    const readings = [
      undefined,
      { at: plusMs(now, -5_000), netMinor: -80n },
      { at: plusMs(now, -5_001), netMinor: 1n },
    ];
    const limited = readings.map((reading, at): LimitedPosition => ({ ...limit, currency: `C${at}`, reading }));
    const metrics = makeMetrics("fx");
    measureExposure(metrics, { limited: () => limited, maxAgeMs: 5_000, clock: { now: () => now } });

    const text = await metrics.registry.metrics();

    expect(text).toMatch(/^corridor_exposure_unknown(\{.*\})? 2$/m);
    expect(text).toMatch(/^corridor_exposure_limit_used_ratio\{.*currency="C1".*\} 0.5$/m);
  });
});
