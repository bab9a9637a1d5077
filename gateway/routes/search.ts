import type { Scope } from "../../services/shared/kernel/scopes";
import type { Upstreams } from "../clients";
import { defineRoute } from "../contract/define-route";
import { searchedServices, searchQuery, searchResult } from "../contract/search";
import { type Found, findAnything, type SearchedService } from "../find-anything";
import type { Route } from "../route";

/** The scope that a token needs for the objects of a service: a caller who may not read an object does not find it either. */
const scopeOf: Readonly<Record<SearchedService, Scope>> = {
  payment: "payments",
  fx: "fx",
  wallet: "wallets",
  identity: "persons",
  // Deliveries and events are about payments.
  webhook: "payments",
};

type Searched = Pick<Upstreams, SearchedService>;

/** Finds what a tenant has under an id. */
export const searchRoutes = (upstreams: Searched): readonly Route[] => [
  defineRoute({
    method: "GET",
    path: "/search",
    scheme: "bearer",
    scope: "payments",
    tag: "Metadata",
    summary: "Find what an id belongs to, whatever it is of. Quotes, wallets and persons need their scope, too.",
    query: searchQuery,
    response: { status: 200, description: "What it belongs to.", schema: searchResult },
    refusals: ["INVALID_ARGUMENT"],
    async handle({ tenant, scopes, query: { q } }) {
      const allowed = searchedServices.filter((service) => scopes.has(scopeOf[service]));
      const { found, missing } = await findAnything(upstreams, tenant, q, { services: allowed, withNumbers: true });
      // Decisions of operators about a payment or person are internal to the platform.
      const own = found.filter(({ kind }) => kind !== "review");
      return { found: own.map(({ tenant: _own, ...one }) => ({ ...one, ...hrefOf(one) })), missing };
    },
  }),
];

/** Path at which a tenant reads it. */
function hrefOf({ kind, id, externalId }: Pick<Found, "kind" | "id" | "externalId">): { href?: string } {
  switch (kind) {
    case "payment":
    case "leg":
    case "refund":
    case "provider reference":
    case "receipt":
    case "trace":
      return { href: `/v2/payment/${encodeURIComponent(externalId ?? id)}` };
    case "quote":
      return externalId === null ? { href: `/v2/foreign-exchange/${id}` } : { href: `/v2/payment/${externalId}` };
    case "wallet":
      return { href: `/wallets/${id}` };
    case "wallet transaction":
      return { href: `/wallet-transactions/${id}` };
    case "transfer":
      return { href: `/wallet-transfers/${encodeURIComponent(externalId ?? id)}` };
    default:
      return {};
  }
}
