import { type Clock, plusMs } from "../../services/shared/clock";
import { DomainError } from "../../services/shared/errors";
import { makeBoundedCache } from "../bounded-cache";
import type { Upstreams } from "../clients";
import { type Answer, type Route, requireParam } from "../route";

const freshMs = 30_000;
/** More than there are countries, so that nothing but a flood of new names ever evicts. */
const cacheCapacity = 300;
const mediaType = "application/schema+json";

export interface SchemaRouteDeps extends Pick<Upstreams, "schema"> {
  clock: Clock;
}

export function schemaRoutes({ schema, clock }: SchemaRouteDeps): readonly Route[] {
  const documents = makeBoundedCache<{ etag: string; body: Buffer }>(cacheCapacity, clock);

  const load = async (name: string): Promise<{ etag: string; body: Buffer }> => {
    const hit = documents.get(name);
    if (hit !== undefined) return hit;
    const { etag, documentJson } = await schema.getSchema({ name });
    const document = { etag, body: Buffer.from(documentJson) };
    documents.set(name, document, plusMs(clock.now(), freshMs));
    return document;
  };

  return [
    {
      method: "GET",
      path: "/schema/{countryCode}",
      scheme: "bearer",
      scope: "schemas",
      summary: "What a payout to a country must contain, as a JSON Schema (draft-07). Answers If-None-Match.",
      tag: "Schemas",
      body: "none",
      params: { countryCode: "ISO 3166-1 alpha-3 code, or `push` for what every push must contain." },
      success: {
        status: 200,
        description: "The schema document as it is published.",
        mediaType,
        schema: { type: "object" },
      },
      refusals: ["COUNTRY_UNSUPPORTED"],
      async handle(call): Promise<Answer> {
        const name = requireParam(call, "countryCode");
        if (!/^[A-Za-z]{1,16}$/.test(name)) throw new DomainError("COUNTRY_UNSUPPORTED", "there is no such schema");
        const { etag, body } = await load(name);
        // The live schema must be used, so a copy is good only after asking again.
        const headers = { etag, "cache-control": "private, no-cache" };
        if (matchesTag(call.headers["if-none-match"], etag)) return { status: 304, headers };
        return { status: 200, headers: { ...headers, "content-type": mediaType }, body };
      },
    },
  ];
}

/** Weak comparison of RFC 9110 section 13.1.2. */
function matchesTag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const strong = (tag: string): string => tag.trim().replace(/^W\//, "");
  return ifNoneMatch.trim() === "*" || ifNoneMatch.split(",").some((tag) => strong(tag) === strong(etag));
}
