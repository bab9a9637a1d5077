import { Ajv } from "ajv";
import type { CurrencyClass } from "./pricing";

/** Basis points by class of currency. */
export type BpsByClass = Readonly<Record<CurrencyClass, number>>;

/** What a market's rate has to pass before it is quoted by. */
export interface RatePolicy {
  /** How far a rate may be from the one that was accepted last. */
  jumpBps: BpsByClass;
  /** How far a rate may be from the one of about a day ago, so that many small steps make no jump. */
  dayBps: BpsByClass;
  /** How far sources may be from each other. */
  agreementBps: BpsByClass;
  /** How far a rate may be from the reference rate of the last day that has one. */
  referenceBps: BpsByClass;
  /** What is added to the spread while the markets are closed. */
  closedSpreadBps: BpsByClass;
  /** When the markets' week begins and ends, UTC. */
  week: Readonly<{ opensSunday: string; closesFriday: string }>;
  /** Days, `MM-DD`, on which no market is open, UTC. */
  holidays: readonly string[];
  /** Reference rates of an older day bound nothing, and nothing is valued by them. */
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

/** Reads a policy; throws an Error that names every field that is wrong. */
export function parseRatePolicy(text: string): RatePolicy {
  const value: unknown = JSON.parse(text);
  if (validate(value)) return value;
  const problems = (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || "/"} ${message}`);
  throw new Error(`the rate policy is wrong: ${problems.join(", ")}`);
}
