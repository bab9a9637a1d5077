import { systemClock } from "../kernel/clock";
import { weaknessesOfStore } from "./production-checks";
import { type Settings, weaknessesOfConfig } from "./production-config";

/** Most difference between the clocks of a process and its store, milliseconds: leases and expiries depend on both. */
const mostSkewMs = 1_000;

/**
 * Lists everything about one process that is too weak for production: its settings, certificate, secrets and store, which
 * it queries. Every start, `operator doctor` and the tests use this check.
 */
export async function inspectProduction(service: string, config: Settings): Promise<string[]> {
  const uri = config["MONGODB_URI"];
  const own = weaknessesOfConfig(service, config);
  return typeof uri === "string" ? [...own, ...(await inspectStore(uri))] : own;
}

/** Thrown at a start in production that is not fit for it, with all weaknesses. */
export class WeakProductionError extends Error {
  constructor(readonly weaknesses: readonly string[]) {
    super(`this is not fit for the production profile:\n${weaknesses.map((one) => `  - ${one}`).join("\n")}`);
    this.name = "WeakProductionError";
  }
}

async function inspectStore(uri: string): Promise<string[]> {
  // Loaded only by processes that have a store.
  const { askStore } = await import("./ask-store.js");
  try {
    const { hello, buildInfo, askedAtMs, answeredAtMs } = await askStore(uri, systemClock);
    const clock = weaknessOfClock(hello["localTime"], askedAtMs, answeredAtMs);
    return [...weaknessesOfStore(hello, buildInfo), ...clock].map((one) => `the store of MONGODB_URI: ${one}`);
  } catch {
    return ["the store of MONGODB_URI: it does not answer"];
  }
}

/** Says why a store's clock is out of step with ours, which was read before and after; empty when it is in step. */
export function weaknessOfClock(localTime: unknown, askedAtMs: number, answeredAtMs: number): string[] {
  if (!(localTime instanceof Date)) return ["it does not say what time it is"];
  const early = askedAtMs - localTime.getTime();
  const late = localTime.getTime() - answeredAtMs;
  const skewMs = Math.max(early, late);
  return skewMs > mostSkewMs ? [`its clock and ours are ${Math.round(skewMs)} ms apart, more than ${mostSkewMs}`] : [];
}
