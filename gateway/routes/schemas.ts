import { makeBoundedCache } from "../../services/shared/bounded-cache";
import { type Clock, plusMs } from "../../services/shared/clock";
import { DomainError } from "../../services/shared/errors";
import type { Upstreams } from "../clients";
import { type QueryReader, readQuery } from "../query-reader";
import { type Answer, type Call, jsonAnswer, type Route, requireParam, type TenantCall } from "../route";
import { arrayOf, objectSchema, textSchema } from "../schemas/document-schema";

const freshMs = 30_000;
/** More than there are documents and names for them, so that nothing but a flood of versions ever evicts. */
const cacheCapacity = 600;
const tag = "Schemas";
const versionPattern = /^\d{1,4}\.\d{1,4}\.\d{1,4}$/;
const mediaType = "application/schema+json";

export interface SchemaRouteDeps extends Pick<Upstreams, "schema"> {
  clock: Clock;
}

/** Names that have an address: countries, and the two shapes of a push. */
const servedName = /^(?:[A-Z]{3}|push|customer)$/;

const publishedSchema = objectSchema({
  name: textSchema("ISO 3166-1 alpha-3 code, the same after `person/`, `push` or `customer`."),
  title: textSchema("Title of the document."),
  version: textSchema("The present version."),
  versions: arrayOf(textSchema("A version that can be read."), { minItems: 1 }),
  etag: textSchema("Entity tag of the present document."),
  href: textSchema("Path of the present document."),
});

/** A document as the schema service serves it. */
interface Published {
  etag: string;
  documentJson: Uint8Array;
}

/** Answers a call with a document; `name` is unique among all of them. */
type ServeDocument = (
  call: Call,
  name: string,
  version: string | undefined,
  load: () => Promise<Published>,
) => Promise<Answer>;

export function schemaRoutes(deps: SchemaRouteDeps): readonly Route[] {
  const serve = makeServeDocument(deps.clock);
  return [documentRoute(deps, serve), personRoute(deps, serve), referenceRoute(deps)];
}

function makeServeDocument(clock: Clock): ServeDocument {
  const documents = makeBoundedCache<{ etag: string; body: Buffer }>(cacheCapacity, clock);
  return async (call, name, version, load) => {
    const key = version === undefined ? name : `${name}@${version}`;
    let document = documents.get(key);
    if (document === undefined) {
      const { etag, documentJson } = await load();
      document = { etag, body: Buffer.from(documentJson) };
      documents.set(key, document, plusMs(clock.now(), freshMs));
    }
    const { etag, body } = document;
    // The live schema must be used, so a copy is good only after asking again.
    const headers = { etag, "cache-control": "private, no-cache" };
    if (matchesTag(call.headers["if-none-match"], etag)) return { status: 304, headers };
    return { status: 200, headers: { ...headers, "content-type": mediaType }, body };
  };
}

const common = {
  method: "GET",
  scheme: "bearer",
  scope: "schemas",
  tag,
  body: "none",
  success: {
    status: 200,
    description: "The schema document as it is published.",
    mediaType,
    schema: { type: "object" },
  },
  isConditional: true,
  refusals: ["COUNTRY_UNSUPPORTED", "INVALID_ARGUMENT"],
} as const;

const versionParameter = {
  description: "A published version; the present one when absent.",
  required: false,
  schema: textSchema("Version.", { pattern: versionPattern.source }),
};

const documentRoute = ({ schema }: SchemaRouteDeps, serve: ServeDocument): Route => ({
  ...common,
  path: "/schema/{countryCode}",
  summary: "What a payout to a country must contain, as a JSON Schema (draft-07). Answers If-None-Match.",
  params: {
    countryCode:
      "ISO 3166-1 alpha-3 code, `push` for what every push must contain, or `customer` for a push between customers.",
  },
  query: { version: versionParameter },
  async handle(call: TenantCall) {
    const name = requireParam(call, "countryCode");
    if (!servedName.test(name)) throw new DomainError("COUNTRY_UNSUPPORTED", "there is no such schema");
    const query = readQuery(call);
    const version = readVersion(query);
    query.finish();
    return serve(call, name, version, () => schema.getSchema({ name, version }));
  },
});

const personRoute = ({ schema }: SchemaRouteDeps, serve: ServeDocument): Route => ({
  ...common,
  path: "/schema/person",
  summary: "What must be known of a person of a country, as a JSON Schema (draft-07). Answers If-None-Match.",
  query: {
    countryCode: {
      description: "Country of the person.",
      required: true,
      schema: textSchema("ISO 3166-1 alpha-2 or alpha-3 code, capitals.", { pattern: "^[A-Z]{2,3}$" }),
    },
    version: versionParameter,
  },
  async handle(call: TenantCall) {
    const query = readQuery(call);
    const countryCode = query.text("countryCode");
    const version = readVersion(query);
    query.finish();
    if (!/^[A-Z]{2,3}$/.test(countryCode)) {
      throw new DomainError("COUNTRY_UNSUPPORTED", "countryCode must be the code of a country that is served");
    }
    return serve(call, `person/${countryCode}`, version, () => schema.getPersonSchema({ countryCode, version }));
  },
});

function readVersion(query: QueryReader): string | undefined {
  const version = query.optionalText("version");
  query.check(version === undefined || versionPattern.test(version), "version", "must be a version such as 1.0.0");
  return version;
}

const referenceRoute = ({ schema }: SchemaRouteDeps): Route => ({
  method: "GET",
  path: "/reference/schemas",
  scheme: "agent",
  scope: "schemas",
  summary: "List the published schemas with their versions. Every version stays readable.",
  tag,
  body: "none",
  success: {
    status: 200,
    description: "Payments to countries, their persons and the shapes of a push, sorted by name.",
    schema: objectSchema({ schemas: arrayOf(publishedSchema) }),
  },
  refusals: [],
  async handle() {
    const { schemas } = await schema.listSchemas({});
    const served = schemas.map((published) => ({ ...published, href: hrefOf(published.name) }));
    return jsonAnswer({ schemas: served.filter(({ href }) => href !== undefined) });
  },
});

/** Where a document is read; some are for other services alone. */
function hrefOf(name: string): string | undefined {
  const country = /^person\/([A-Z]{3})$/.exec(name)?.[1];
  if (country !== undefined) return `/schema/person?countryCode=${country}`;
  return servedName.test(name) ? `/schema/${name}` : undefined;
}

/** Weak comparison of RFC 9110 section 13.1.2. */
function matchesTag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const strong = (tag: string): string => tag.trim().replace(/^W\//, "");
  return ifNoneMatch.trim() === "*" || ifNoneMatch.split(",").some((tag) => strong(tag) === strong(etag));
}
