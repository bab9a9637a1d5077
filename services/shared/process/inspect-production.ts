import { systemClock } from "../kernel/clock";
import { type Settings, weaknessesOfConfig } from "./production-config";
import { weaknessesOfStore } from "./production-ground";

/** How far the clocks of a process and of its store may be apart: leases and expiries are judged by both. */
const mostSkewMs = 1_000;

/**
 * Everything that is too weak for production about one process: its settings, its certificate, its secrets, and its store, which
 * is asked. Empty: nothing. The one check of every start, of `operator doctor`, and of tests.
 */
export async function inspectProduction(service: string, config: Settings): Promise<string[]> {
  const uri = config["MONGODB_URI"];
  const own = weaknessesOfConfig(service, config);
  return typeof uri === "string" ? [...own, ...(await inspectStore(uri))] : own;
}

/** Thrown at a start in production that is not fit for it. */
export class WeakGroundError extends Error {
  constructor(readonly weaknesses: readonly string[]) {
    super(`this is not fit for the production profile:\n${weaknesses.map((one) => `  - ${one}`).join("\n")}`);
    this.name = "WeakGroundError";
  }
}

async function inspectStore(uri: string): Promise<string[]> {
  // Loaded by those alone that have a store.
  const { askStore } = await import("./ask-store.js");
  try {
    const { hello, buildInfo, askedAtMs, answeredAtMs } = await askStore(uri, systemClock);
    const clock = weaknessOfClock(hello["localTime"], askedAtMs, answeredAtMs);
    return [...weaknessesOfStore(hello, buildInfo), ...clock].map((one) => `the store of MONGODB_URI: ${one}`);
  } catch {
    return ["the store of MONGODB_URI: it does not answer"];
  }
}

/** Why a store's clock is not in step with ours, which was asked before and after; none when it is. */
export function weaknessOfClock(localTime: unknown, askedAtMs: number, answeredAtMs: number): string[] {
  if (!(localTime instanceof Date)) return ["it does not say what time it is"];
  const early = askedAtMs - localTime.getTime();
  const late = localTime.getTime() - answeredAtMs;
  const skewMs = Math.max(early, late);
  return skewMs > mostSkewMs ? [`its clock and ours are ${Math.round(skewMs)} ms apart, more than ${mostSkewMs}`] : [];
}
