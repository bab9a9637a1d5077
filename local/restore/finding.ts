/** Everything that may be wrong with a restored platform. */
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
  ERASED_SINCE: "told",
  BUS_BEHIND: "told",
  PROVIDER_AHEAD: "told",
} as const;
export type FindingCode = keyof typeof findingCodes;

/**
 * `refused`: no service may start on it, restore again. `accept`: what a restore to an earlier time must bring, which a person
 * takes over by its code. `told`: nothing to decide; what follows is done by the services, or is said in the text.
 */
export type Weight = (typeof findingCodes)[FindingCode];

export interface RestoreFinding {
  code: FindingCode;
  weight: Weight;
  text: string;
  /** The first of what it is about. */
  examples?: readonly string[];
}

const mostExamples = 20;

export function finding(code: FindingCode, text: string, about: readonly string[] = []): RestoreFinding {
  const examples = about.slice(0, mostExamples);
  return { code, weight: findingCodes[code], text, ...(examples.length === 0 ? {} : { examples }) };
}
