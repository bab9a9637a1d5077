import { Ajv } from "ajv";
import defaultTerms from "./default-terms.json";
import { type FeeTable, feePlanOf, type Terms } from "./fees";
import type { AgentLimits } from "./limits";

/** The terms agreed with each tenant; `*` applies to all other tenants. */
export type TermsTable = Readonly<
  Record<
    string,
    | {
        fees?: FeeTable /** Minor units of the payment's currency. */;
        reversalLimit?: number;
        agentLimits?: AgentLimits;
      }
    | undefined
  >
>;

/** Returns the terms of a tenant and method: the tenant's own, else those for all tenants. */
export function makeTerms(table: TermsTable): (tenant: string, method: string) => Terms {
  return (tenant, method) => {
    const { fees = {}, reversalLimit } = table[tenant] ?? table["*"] ?? {};
    return {
      fees: feePlanOf(fees, method),
      reversalLimitMinor: reversalLimit === undefined ? undefined : BigInt(reversalLimit),
    };
  };
}

/** Returns what each agent of a tenant may send: by the tenant's own row, else by the row for all tenants, else by the default. */
export const makeAgentLimits =
  (table: TermsTable) =>
  (tenant: string): AgentLimits =>
    table[tenant]?.agentLimits ?? table["*"]?.agentLimits ?? defaultTerms["*"].agentLimits;

const windowSchema = { type: "integer", minimum: 0 };
const rateSchema = {
  type: "object",
  additionalProperties: false,
  required: ["bps", "fixed"],
  properties: { bps: { type: "integer", minimum: 0, maximum: 10_000 }, fixed: { type: "integer", minimum: 0 } },
};
const isTable = new Ajv().compile<TermsTable>({
  type: "object",
  additionalProperties: {
    type: "object",
    additionalProperties: false,
    properties: {
      reversalLimit: { type: "integer", minimum: 0 },
      agentLimits: {
        type: "object",
        additionalProperties: false,
        required: ["currency"],
        properties: {
          currency: { type: "string", pattern: "^[A-Z]{3}$" },
          DAY: windowSchema,
          MONTH: windowSchema,
        },
      },
      fees: {
        type: "object",
        additionalProperties: {
          type: "object",
          additionalProperties: false,
          properties: { PRE_AUTH: rateSchema, CAPTURE: rateSchema, REFUND: rateSchema },
        },
      },
    },
  },
});

/** Reads a table of terms; undefined when the text is not one. */
export function readTerms(text: string): TermsTable | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isTable(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
