/** All possible findings about a restored platform. */
export const findingCodes = {
  DATABASE_MISSING: "refused",
  CONSUMER_AHEAD: "refused",
  LEDGER_BROKEN: "refused",
  AUDIT_BROKEN: "refused",
  DIFFERENT_INSTANTS: "accept",
  LEDGER_OLDER: "accept",
  AUDIT_OLDER: "accept",
  BUS_AHEAD: "accept",
  BUS_UNKNOWN: "accept",
  NUMBERS_IN_USE: "accept",
  ERASED_SINCE: "info",
  BUS_BEHIND: "info",
  PROVIDER_AHEAD: "info",
} as const;
export type FindingCode = keyof typeof findingCodes;

/**
 * `refused`: no service may start, restore again. `accept`: an expected effect of restoring to an earlier time, which an operator
 * accepts by its code. `info`: nothing to decide; the services do what follows, or the text says it.
 */
export type Weight = (typeof findingCodes)[FindingCode];

export interface RestoreFinding {
  code: FindingCode;
  weight: Weight;
  text: string;
  /** The first examples. */
  examples?: readonly string[];
}

const mostExamples = 20;

export function finding(code: FindingCode, text: string, about: readonly string[] = []): RestoreFinding {
  const examples = about.slice(0, mostExamples);
  return { code, weight: findingCodes[code], text, ...(examples.length === 0 ? {} : { examples }) };
}
