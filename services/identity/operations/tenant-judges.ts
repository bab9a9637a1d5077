import type { Judges } from "./evaluate-person";

/** The judges, with the lists by the thresholds of a tenant. */
export const judgesOf = <T extends Pick<Judges, "screening">>(judges: T, tenant: string): T => ({
  ...judges,
  screening: { ...judges.screening, screen: (...people) => judges.screening.screenFor(tenant, ...people) },
});
