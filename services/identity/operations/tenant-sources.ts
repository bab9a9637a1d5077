import type { EvaluationSources } from "./evaluate-person";

/** Returns the sources with the lists as the thresholds of a tenant apply them. */
export const sourcesOfTenant = <T extends Pick<EvaluationSources, "screening">>(sources: T, tenant: string): T => ({
  ...sources,
  screening: { ...sources.screening, screen: (...people) => sources.screening.screenFor(tenant, ...people) },
});
