import type { Upstreams } from "../clients";
import { defineRoute } from "../contract/define-route";
import { operatorSearchResult, searchedServices, searchQuery } from "../contract/search";
import { type Found, findAnything, type SearchedService } from "../find-anything";
import type { Route } from "../route";
import { maySeePeople } from "./operator-roles";

/** The route that finds everything under an id. */
export const operatorSearchRoutes = (upstreams: Pick<Upstreams, SearchedService>): readonly Route[] => [
  defineRoute({
    method: "GET",
    path: "/search",
    scheme: "operator",
    tag: "Metadata",
    summary:
      "Find what an id belongs to, of any kind and any tenant. The role compliance finds numbers of documents, too.",
    query: searchQuery,
    response: { status: 200, description: "What it belongs to.", schema: operatorSearchResult },
    refusals: ["INVALID_ARGUMENT"],
    async handle({ roles, query: { q } }) {
      // The owner of a document reveals a person's identity.
      const asked = { services: searchedServices, withNumbers: maySeePeople(roles) };
      const { found, missing } = await findAnything(upstreams, undefined, q, asked);
      return { found: found.map((one) => ({ ...one, ...hrefOf(one) })), missing };
    },
  }),
];

/** Path at which operators read it. */
function hrefOf({ kind, id, tenant, externalId }: Found): { href?: string } {
  const payment = { href: `/tenants/${tenant}/payments/${id}` };
  switch (kind) {
    case "payment":
    case "leg":
    case "refund":
    case "provider reference":
    case "receipt":
    case "trace":
      return payment;
    case "quote":
      // A caller's id leads to the payment that has used it.
      return externalId === null ? {} : payment;
    case "document":
      return { href: `/tenants/${tenant}/documents/${id}` };
    case "review":
      return { href: `/reviews/${id}` };
    default:
      return {};
  }
}
