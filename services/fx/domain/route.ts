import { DomainError } from "../../shared/kernel/errors";
import { parseJsonObject } from "../../shared/kernel/json";
import type { PaymentMethod } from "./pricing";

/** What can be paid to one country. */
export interface Corridor {
  currencies: readonly string[];
  paymentMethods: readonly PaymentMethod[];
}

/** A route that is not offered. A missing field matches everything. */
export interface ClosedRoute {
  tenant?: string;
  /** Id of the agent whose calls are refused. */
  agent?: string;
  country?: string;
  paymentMethod?: PaymentMethod;
}

/** Which corridors are offered to which tenants and agents. */
export interface RoutePolicy {
  /** ISO 4217 codes of the currencies that can be sent along a corridor. */
  sourceCurrencies: readonly string[];
  closed: readonly ClosedRoute[];
}

/** A request for a quote. */
export interface QuoteRequest {
  tenant: string;
  /** The agent that asks; undefined when the tenant asks directly. */
  agentId: string | undefined;
  sourceCurrency: string;
  destinationCurrency: string;
  paymentMethod: PaymentMethod;
  /** Absent: any country. */
  destinationCountry: string | undefined;
  /** What is converted, minor units of the source currency; undefined when the caller did not say. */
  amountMinor: bigint | undefined;
}

/**
 * Refuses a route that is not offered: an unknown corridor, a method or currency that the corridor lacks, a source currency
 * that no route accepts, and a route that the policy closes. `corridor` belongs to the requested country; a request without
 * a country accepts every pair that has a rate.
 */
export function requireRoute(policy: RoutePolicy, request: QuoteRequest, corridor: Corridor | undefined): void {
  const isCarried = request.destinationCountry === undefined || carries(corridor, policy, request);
  if (!isCarried || policy.closed.some((route) => closes(route, request))) {
    throw new DomainError("NO_ROUTE", "no route for this payment method on this corridor");
  }
}

const carries = (corridor: Corridor | undefined, policy: RoutePolicy, request: QuoteRequest): boolean =>
  corridor?.currencies.includes(request.destinationCurrency) === true &&
  corridor.paymentMethods.includes(request.paymentMethod) &&
  [request.destinationCurrency, ...policy.sourceCurrencies].includes(request.sourceCurrency);

const closes = ({ tenant, agent, country, paymentMethod }: ClosedRoute, request: QuoteRequest): boolean =>
  (tenant ?? request.tenant) === request.tenant &&
  (agent ?? request.agentId) === request.agentId &&
  (country ?? request.destinationCountry) === request.destinationCountry &&
  (paymentMethod ?? request.paymentMethod) === request.paymentMethod;

/**
 * Reads a policy in the form of the service's own routes.json. Throws at the first broken rule: a misread policy file would
 * open a closed route.
 */
export function parseRoutePolicy(text: string): RoutePolicy {
  const { value } = parseJsonObject(text, policyLimits);
  const { sourceCurrencies, closed, ...unknown } = value;
  const strange = Object.keys(unknown);
  if (strange.length > 0) throw new Error(`the route policy has unknown fields: ${strange.join(", ")}`);
  if (!isListOf(sourceCurrencies, isCurrency)) throw new Error("sourceCurrencies must be a list of ISO 4217 codes");
  if (!isListOf(closed, isClosedRoute)) {
    throw new Error("closed must be a list of objects with tenant, agent (UUID), country (alpha-3) or paymentMethod");
  }
  return { sourceCurrencies, closed };
}

const policyLimits = { depth: 4, keys: 10_000, stringLength: 64, arrayLength: 5_000, keyLength: 64, pathLength: 256 };

const isListOf = <T>(value: unknown, isItem: (item: unknown) => item is T): value is T[] =>
  Array.isArray(value) && value.every(isItem);

const isCurrency = (value: unknown): value is string => typeof value === "string" && /^[A-Z]{3}$/.test(value);

function isClosedRoute(value: unknown): value is ClosedRoute {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.entries(value).every(
    ([field, text]) => typeof text === "string" && closedRouteRules[field]?.test(text),
  );
}

const closedRouteRules: Readonly<Record<string, RegExp>> = {
  tenant: /^[a-z0-9-]{1,64}$/,
  agent: /^[0-9a-f-]{36}$/,
  country: /^[A-Z]{3}$/,
  paymentMethod: /^(?:BANK_ACCOUNT|WALLET|CARD)$/,
};
