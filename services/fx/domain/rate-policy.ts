import { Ajv } from "ajv";
import type { CurrencyClass } from "./pricing";

/** Basis points by class of currency. */
export type BpsByClass = Readonly<Record<CurrencyClass, number>>;

/** The checks that a market rate must pass before it is quoted. */
export interface RatePolicy {
  /** Largest distance from the last accepted rate. */
  jumpBps: BpsByClass;
  /** Largest distance from the rate of about a day ago, so that many small steps cannot add up to a jump. */
  dayBps: BpsByClass;
  /** Largest distance between sources. */
  agreementBps: BpsByClass;
  /** Largest distance from the latest available reference rate. */
  referenceBps: BpsByClass;
  /** Added to the spread while the markets are closed. */
  closedSpreadBps: BpsByClass;
  /** When the markets' week begins and ends, UTC. */
  week: Readonly<{ opensSunday: string; closesFriday: string }>;
  /** Days, `MM-DD`, on which no market is open, UTC. */
  holidays: readonly string[];
  /** Older reference rates limit nothing and value nothing. */
  referenceMaxAgeDays: number;
}

const byClass = (maximum: number) => {
  const bps = { type: "integer", minimum: 0, maximum };
  return closed({ major: bps, common: bps, exotic: bps });
};
const closed = <T extends object>(properties: T) => ({
  type: "object",
  additionalProperties: false,
  properties,
  required: Object.keys(properties),
});
const timeOfDay = { type: "string", pattern: "^([01]\\d|2[0-3]):[0-5]\\d$" };

const validate = new Ajv({ allErrors: true }).compile<RatePolicy>(
  closed({
    jumpBps: byClass(9_999),
    dayBps: byClass(9_999),
    agreementBps: byClass(9_999),
    referenceBps: byClass(9_999),
    closedSpreadBps: byClass(1_000),
    week: closed({ opensSunday: timeOfDay, closesFriday: timeOfDay }),
    holidays: {
      type: "array",
      maxItems: 100,
      items: { type: "string", pattern: "^(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$" },
    },
    referenceMaxAgeDays: { type: "integer", minimum: 1, maximum: 30 },
  }),
);

/** Reads a policy; throws an Error that names every wrong field. */
export function parseRatePolicy(text: string): RatePolicy {
  const value: unknown = JSON.parse(text);
  if (validate(value)) return value;
  const problems = (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || "/"} ${message}`);
  throw new Error(`the rate policy is wrong: ${problems.join(", ")}`);
}
