import {
  allowedInstead,
  allowedMethods,
  limitWindows,
  lowAccounts,
  refusedStates,
} from "../../services/shared/kernel/refusal-details";
import { operatorRoles, tenantRoles } from "../../services/shared/kernel/roles";
import { fieldTitle, withTitles } from "../../services/shared/kernel/schema-titles";
import { keyScopes, scopes } from "../../services/shared/kernel/scopes";
import type { DetailName } from "../render-details";
import { oauthErrors, publicErrors } from "../render-error";
import type { DocumentSchema } from "../route";
import { arrayOf, enumSchema, integerSchema, numberSchema, objectSchema, textSchema } from "./document-schema";

/** Parts that the documents of all tables share: errors, credentials, headers, and descriptions of the groups of operations. */

export const errorSchema = objectSchema(
  {
    code: { $ref: "#/components/schemas/ErrorCode" },
    message: textSchema("What is wrong, naming the field and the rule."),
    requestId: textSchema("The request's x-request-id."),
    errors: arrayOf(
      objectSchema({
        field: textSchema("Dotted path from the root of the request."),
        message: textSchema("The rule that the field breaks."),
      }),
    ),
    details: { $ref: "#/components/schemas/ErrorDetails" },
  },
  ["errors", "details"],
);

const amountIn = (description: string) => numberSchema(`${description} Exact, in \`currency\`.`);

const detailMembers: Readonly<Record<DetailName, DocumentSchema>> = {
  status: enumSchema("What the object is instead.", refusedStates),
  allowed: arrayOf(
    enumSchema("A command, a state or a method that is possible instead.", [...allowedInstead, ...allowedMethods]),
  ),
  fields: arrayOf(textSchema("A field that differs from the first request.")),
  account: enumSchema("Whose funds are too low.", lowAccounts),
  available: amountIn("What there is."),
  required: amountIn("What is needed."),
  currency: textSchema("ISO 4217 code, or the code of another asset of a wallet.", { pattern: "^[A-Z]{3,10}$" }),
  window: enumSchema("The calendar unit, in UTC, of the limit.", limitWindows),
  limit: numberSchema(
    "What may be sent in the window: exact, in `currency`. Of PAY_409: the most refunds of a payment.",
  ),
  used: amountIn("What of it was sent."),
  left: amountIn("What of it is left."),
  scope: enumSchema("The scope that is missing.", [...new Set([...scopes, ...keyScopes])]),
  roles: arrayOf(enumSchema("A role that may do it.", [...operatorRoles, ...tenantRoles])),
  maxAgeSeconds: integerSchema("Longest age of the login, in seconds."),
  retryAfterSeconds: integerSchema("When to try again, in seconds."),
  limitPerSecond: numberSchema("Most requests in a second."),
  limitPerHour: integerSchema("Most requests in an hour."),
  limitInFlight: integerSchema("Most requests at once."),
};

export const errorDetailsSchema = {
  ...objectSchema(detailMembers, Object.keys(detailMembers)),
  description: "Facts that the caller may act on. Which ones there are depends on the code.",
};

export const errorCodeSchema = enumSchema("Stable code of the refusal.", [
  ...new Set(
    Object.values(publicErrors)
      .map(({ code }) => code)
      .filter((code) => !oauthErrors.some((name) => name === code)),
  ),
]);

export const oauthErrorSchema = objectSchema({
  error: enumSchema("Name of the error, of RFC 6749 sections 5.2 and 4.1.2.1.", oauthErrors),
  error_description: textSchema("What is wrong."),
});

const apiKeyHeader = (name: string, description: string) => ({ type: "apiKey", in: "header", name, description });

export const securitySchemes = {
  bearer: {
    type: "oauth2",
    description: "Access token of POST /oauth/token, a JWT that is valid for an hour.",
    flows: {
      clientCredentials: {
        tokenUrl: "/oauth/token",
        scopes: Object.fromEntries(scopes.map((scope) => [scope, `Operations of ${scope}.`])),
      },
    },
  },
  tenantKey: apiKeyHeader("x-api-key", "API key of the tenant."),
  agentId: apiKeyHeader("x-agent-id", "Id of the agent."),
  agentKey: apiKeyHeader("x-agent-api-key", "API key of the agent, shown once when it was created."),
  person: { type: "http", scheme: "bearer", description: "Session of one of the tenant's people, or their token." },
  operator: { type: "http", scheme: "bearer", description: "Session or token of an operator." },
};

/** The purpose of each group of operations. */
export const tagWords: Readonly<Record<string, string>> = {
  Agents: "Partners of a tenant that act under keys of their own.",
  Approvals: "Commands that wait for a second operator.",
  Audit: "Records of privileged calls, in a chain that shows any change.",
  Authentication: "Access tokens, and the keys that verify them.",
  Balance: "Prefunded balances at the rails.",
  Banks: "Directories of banks by country.",
  Bus: "Messages that could not be read, and events that are published again.",
  Cases: "What the platform cannot decide by itself, and the commands that end it.",
  People: "Logins, sessions and roles of the people who work here.",
  Checks: "Checks of bank accounts and cards before money moves.",
  Compliance: "What is known of a participant, and what it may do.",
  Credentials: "Keys and secrets of tenants, agents and clients.",
  Documents: "Identity documents and their verification.",
  "Foreign exchange": "Quotes of exchange rates.",
  KYC: "Verification sessions with a vendor.",
  Keys: "Rings of keys that seal what is stored, and their renewal.",
  Ledger: "Accounts, entries and proofs of the books.",
  Metadata: "What this API is.",
  "OAuth clients": "Clients that exchange a secret for tokens.",
  Operations: "Health of the gateway.",
  Participants: "People and companies of a tenant.",
  Payments: "Collecting, paying out, or both in one payment.",
  Payouts: "Quotes with fees, and accounts that agents keep of their participants.",
  Persons: "People and companies that pay or are paid.",
  Providers: "Where providers call back.",
  Rates: "Exchange rates as they are used, and those that wait for a release.",
  "Reference data": "Countries, currencies, banks and methods.",
  Reviews: "Payments and persons that a human decides on.",
  Schemas: "The JSON Schema of each country.",
  "Signing keys": "The keys that sign access tokens.",
  Tenants: "Customers of the platform.",
  Transactions: "Payments as agents see them.",
  Wallets: "Balances on the ledger, holds and transfers.",
  Webhooks: "Subscriptions to events, their deliveries, and the feed.",
};

const header = (description: string, type = "string") => ({ description, schema: { type } });

export const responseHeaders = {
  RequestId: header("Id of the request: the caller's own x-request-id where it is fit, else a new one."),
  RateLimitLimit: header("Most requests of this kind at once.", "integer"),
  RateLimitRemaining: header("Requests that are left of them.", "integer"),
  RateLimitReset: header("Seconds until all of them are there again.", "integer"),
  RetryAfter: header("Seconds after which to try again.", "integer"),
  Authenticate: header("How to prove who calls (RFC 9110 section 11.6.1)."),
  EntityTag: header("Version of the object, between quotes (RFC 9110 section 8.8.3)."),
  Replayed: header("`true` when this is the answer that the first request had."),
};

export const titledHeaders = Object.fromEntries(
  Object.entries(responseHeaders).map(([name, { description, schema }]) => [
    name,
    { description, schema: withTitles(schema, fieldTitle(name)) },
  ]),
);
