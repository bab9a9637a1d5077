import { Ajv } from "ajv";
import defaultTerms from "./default-terms.json";
import { type FeeTable, feePlanOf, type Terms } from "./fees";
import type { AgentLimits } from "./limits";

/** What is agreed with each tenant; `*` stands for all others. */
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

/** The terms of a tenant and method: the tenant's own, else those of all tenants. */
export function makeTerms(table: TermsTable): (tenant: string, method: string) => Terms {
  return (tenant, method) => {
    const { fees = {}, reversalLimit } = table[tenant] ?? table["*"] ?? {};
    return {
      fees: feePlanOf(fees, method),
      reversalLimitMinor: reversalLimit === undefined ? undefined : BigInt(reversalLimit),
    };
  };
}

/** What each agent of a tenant may send: what the tenant's own row says, else that of all tenants, else the default. */
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

/** Reads a table of terms; undefined when the text is none. */
export function readTerms(text: string): TermsTable | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isTable(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
