import { type Clock, plusMs } from "../../services/shared/clock";
import { DomainError } from "../../services/shared/errors";
import { makeBoundedCache } from "../bounded-cache";
import type { Upstreams } from "../clients";
import { readQuery } from "../query-reader";
import { type Answer, type Call, jsonAnswer, type Route, requireParam } from "../route";
import { arrayOf, objectSchema, textSchema } from "../schemas/document-schema";

const freshMs = 30_000;
/** More than there are countries, so that nothing but a flood of new names ever evicts. */
const cacheCapacity = 300;
const tag = "Schemas";
const versionPattern = /^\d{1,4}\.\d{1,4}\.\d{1,4}$/;
const mediaType = "application/schema+json";

export interface SchemaRouteDeps extends Pick<Upstreams, "schema"> {
  clock: Clock;
}

/** Names that have an address: countries, and the two shapes of a push. */
const servedName = /^(?:[A-Z]{3}|push|customer)$/;

const publishedSchema = objectSchema({
  name: textSchema("ISO 3166-1 alpha-3 code, `push` or `customer`."),
  title: textSchema("Title of the document."),
  version: textSchema("The present version."),
  versions: arrayOf(textSchema("A version that can be read."), { minItems: 1 }),
  etag: textSchema("Entity tag of the present document."),
  href: textSchema("Path of the present document."),
});

export function schemaRoutes(deps: SchemaRouteDeps): readonly Route[] {
  return [documentRoute(deps), referenceRoute(deps)];
}

function documentRoute({ schema, clock }: SchemaRouteDeps): Route {
  const documents = makeBoundedCache<{ etag: string; body: Buffer }>(cacheCapacity, clock);

  const load = async (name: string, version: string | undefined): Promise<{ etag: string; body: Buffer }> => {
    const key = version === undefined ? name : `${name}@${version}`;
    const hit = documents.get(key);
    if (hit !== undefined) return hit;
    const { etag, documentJson } = await schema.getSchema(version === undefined ? { name } : { name, version });
    const document = { etag, body: Buffer.from(documentJson) };
    documents.set(key, document, plusMs(clock.now(), freshMs));
    return document;
  };

  return {
    method: "GET",
    path: "/schema/{countryCode}",
    scheme: "bearer",
    scope: "schemas",
    summary: "What a payout to a country must contain, as a JSON Schema (draft-07). Answers If-None-Match.",
    tag,
    body: "none",
    params: {
      countryCode:
        "ISO 3166-1 alpha-3 code, `push` for what every push must contain, or `customer` for a push between customers.",
    },
    query: {
      version: {
        description: "A published version; the present one when absent.",
        required: false,
        schema: textSchema("Version.", { pattern: versionPattern.source }),
      },
    },
    success: {
      status: 200,
      description: "The schema document as it is published.",
      mediaType,
      schema: { type: "object" },
    },
    refusals: ["COUNTRY_UNSUPPORTED", "INVALID_ARGUMENT"],
    async handle(call): Promise<Answer> {
      const name = requireParam(call, "countryCode");
      if (!servedName.test(name)) throw new DomainError("COUNTRY_UNSUPPORTED", "there is no such schema");
      const { etag, body } = await load(name, readVersion(call));
      // The live schema must be used, so a copy is good only after asking again.
      const headers = { etag, "cache-control": "private, no-cache" };
      if (matchesTag(call.headers["if-none-match"], etag)) return { status: 304, headers };
      return { status: 200, headers: { ...headers, "content-type": mediaType }, body };
    },
  };
}

function readVersion(call: Call): string | undefined {
  if (call.query === "") return undefined;
  const query = readQuery(call);
  const version = query.optionalText("version");
  query.check(version === undefined || versionPattern.test(version), "version", "must be a version such as 1.0.0");
  query.finish();
  return version;
}

const referenceRoute = ({ schema }: SchemaRouteDeps): Route => ({
  method: "GET",
  path: "/reference/schemas",
  scheme: "agent",
  summary: "List the published schemas with their versions. Every version stays readable.",
  tag,
  body: "none",
  success: {
    status: 200,
    description: "Countries and shapes, sorted by name.",
    schema: objectSchema({ schemas: arrayOf(publishedSchema) }),
  },
  refusals: [],
  async handle() {
    const { schemas } = await schema.listSchemas({});
    const served = schemas.filter(({ name }) => servedName.test(name));
    return jsonAnswer({ schemas: served.map((published) => ({ ...published, href: `/schema/${published.name}` })) });
  },
});

/** Weak comparison of RFC 9110 section 13.1.2. */
function matchesTag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const strong = (tag: string): string => tag.trim().replace(/^W\//, "");
  return ifNoneMatch.trim() === "*" || ifNoneMatch.split(",").some((tag) => strong(tag) === strong(etag));
}
