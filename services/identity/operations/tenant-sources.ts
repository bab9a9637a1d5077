import type { EvaluationSources } from "./evaluate-person";

/** Returns the sources with the lists under the thresholds of a tenant. */
export const sourcesOfTenant = <T extends Pick<EvaluationSources, "screening">>(sources: T, tenant: string): T => ({
  ...sources,
  screening: { ...sources.screening, screen: (...people) => sources.screening.screenFor(tenant, ...people) },
});
