import type { IncomingHttpHeaders } from "node:http";
import { makeBoundedCache } from "../../services/shared/kernel/bounded-cache";
import { type Clock, plusMs } from "../../services/shared/kernel/clock";
import { DomainError } from "../../services/shared/kernel/errors";
import { languageOf } from "../../services/shared/kernel/languages";
import type { Upstreams } from "../clients";
import { defineRoute, type MadeElsewhere } from "../contract/define-route";
import { alpha3, answer, answerWith, integer, listOf, text, words } from "../contract/parts";
import type { ObjectSchema, Schema } from "../contract/schema";
import type { Route } from "../route";

const freshMs = 30_000;
/** More than the number of documents and of their names, so that only a flood of versions can evict entries. */
const cacheCapacity = 1_200;
const tag = "Schemas";
const versionPattern = "^[0-9]{1,4}\\.[0-9]{1,4}\\.[0-9]{1,4}$";
const mediaType = "application/schema+json";

export interface SchemaRouteDeps extends Pick<Upstreams, "schema"> {
  clock: Clock;
}

/** Names with a path of their own: countries, and the two shapes of a push. */
const servedName = /^(?:[A-Z]{3}|push|customer)$/;

const publishedSchemas = answer("PublishedSchemas", "The published schemas.", {
  schemas: listOf(
    "The schemas, sorted by name.",
    answer("PublishedSchema", "A schema that is published.", {
      name: text("ISO 3166-1 alpha-3 code, the same after `person/`, `push` or `customer`."),
      title: text("Title of the document."),
      version: text("The present version."),
      versions: { ...listOf("What can be read.", text("A version.")), minItems: 1 },
      etag: text("Entity tag of the present document."),
      href: text("Path of the present document."),
    }),
  ),
});

/** A document as the schema service returns it. */
interface Published {
  etag: string;
  documentJson: Uint8Array;
}

/** Selects the document; the name is unique among all documents. */
interface Named {
  name: string;
  version: string | undefined;
  /** Media type of the document; a schema's when absent. */
  mediaType?: string;
}

/** Answers a call with a document. */
type ServeDocument = (
  headers: IncomingHttpHeaders,
  named: Named,
  load: () => Promise<Published>,
) => Promise<MadeElsewhere>;

export function schemaRoutes(deps: SchemaRouteDeps): readonly Route[] {
  const serve = makeServeDocument(deps.clock);
  return [documentRoute(deps, serve), formRoute(deps, serve), personRoute(deps, serve), referenceRoute(deps)];
}

function makeServeDocument(clock: Clock): ServeDocument {
  const documents = makeBoundedCache<{ etag: string; body: Buffer }>(cacheCapacity, clock);
  return async (given, { name, version: wanted, mediaType: type = mediaType }, load) => {
    const key = wanted === undefined ? name : `${name}@${wanted}`;
    let document = documents.get(key);
    if (document === undefined) {
      const { etag, documentJson } = await load();
      document = { etag, body: Buffer.from(documentJson) };
      documents.set(key, document, plusMs(clock.now(), freshMs));
    }
    const { etag, body } = document;
    // Callers must use the live schema, so a copy must be revalidated before each use.
    const headers = { etag, "cache-control": "private, no-cache" };
    const isKnown = matchesTag(given["if-none-match"], etag);
    const full = { status: 200, headers: { ...headers, "content-type": type }, body };
    return { madeElsewhere: isKnown ? { status: 304, headers } : full };
  };
}

const common = {
  method: "GET",
  scheme: "bearer",
  scope: "schemas",
  tag,
  response: {
    status: 200,
    description: "The schema document as it is published.",
    mediaType,
    schema: { type: "object", description: "A JSON Schema (draft-07)." },
  },
  isConditional: true,
  refusals: ["COUNTRY_UNSUPPORTED", "INVALID_ARGUMENT"],
} as const;

const version = {
  type: "string",
  description: "A published version; the present one when absent.",
  pattern: versionPattern,
  rule: "must be a version such as 1.0.0",
} as const;

const documentQuery = {
  type: "object",
  description: "Which version is meant.",
  properties: { version },
} as const satisfies ObjectSchema;

const personQuery = {
  type: "object",
  description: "Whose document is meant.",
  properties: {
    countryCode: words("Country of the person: ISO 3166-1 alpha-2 or alpha-3 code, capitals."),
    version,
  },
  required: ["countryCode"],
} as const satisfies ObjectSchema;

const documentRoute = ({ schema }: SchemaRouteDeps, serve: ServeDocument): Route =>
  defineRoute({
    ...common,
    path: "/schema/{countryCode}",
    summary: "What a payout to a country must contain, as a JSON Schema (draft-07). Answers If-None-Match.",
    params: {
      countryCode:
        "ISO 3166-1 alpha-3 code, `push` for what every push must contain, or `customer` for a push between customers.",
    },
    query: documentQuery,
    handle({ params: { countryCode: name }, query, headers }) {
      if (!servedName.test(name)) throw new DomainError("COUNTRY_UNSUPPORTED", "there is no such schema");
      const named = { name, version: query.version };
      return serve(headers, named, () => schema.getSchema(named));
    },
  });

const formQuery = {
  type: "object",
  description: "In which language.",
  properties: {
    lang: {
      type: "string",
      description: "Tag of a language (BCP 47): en, de or pt. Any other gets English.",
      pattern: "^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,4}$",
      rule: "must be the tag of a language",
      examples: ["de"],
      default: "en",
    },
  },
} as const satisfies ObjectSchema;

const mapOf = <const D extends string, const S extends Schema>(description: D, schema: S) =>
  ({ type: "object", description, additionalProperties: schema }) as const;

const formField = answerWith(
  "CountryFormField",
  "How a field is shown.",
  { title: text("What stands beside it."), group: text("Part of the form."), order: integer("Place in its part.") },
  {
    help: text("What it has to look like."),
    example: text("A matching value."),
    inputMode: text("Keyboard that is enough for it."),
  },
);

const countryForm = answer("CountryForm", "How the payment to a country is asked for.", {
  country: alpha3,
  name: text("English name of the country."),
  schema: answer("CountryFormSchema", "The schema that the form is about.", {
    version: text("Its version."),
    etag: text("Its entity tag."),
  }),
  language: text("Language of the words; help and names of purposes are English."),
  methods: listOf(
    "How the recipient can be paid.",
    answerWith(
      "CountryFormMethod",
      "A way to be paid.",
      {
        type: text("Type of the payment method."),
        title: text("Its name."),
        fields: listOf("Its fields below `recipient.paymentMethod`, in order.", text("A name.")),
        optional: listOf("Those that may be left out.", text("A name.")),
      },
      {
        rails: text("Payment systems that carry it."),
        expectedMinutes: integer("How long a payout usually takes on a business day."),
      },
    ),
  ),
  fields: mapOf("Fields by JSON pointer; `*` stands for any row of a list.", formField),
  values: mapOf(
    "Meanings of values by the JSON pointer of their field.",
    mapOf("Meanings by value.", text("A meaning.")),
  ),
});

const formRoute = ({ schema }: SchemaRouteDeps, serve: ServeDocument): Route =>
  defineRoute({
    ...common,
    path: "/schema/{countryCode}/form",
    summary:
      "How a payout to a country is asked for: titles, order and meanings of its schema's fields. Answers If-None-Match.",
    params: { countryCode: "ISO 3166-1 alpha-3 code." },
    query: formQuery,
    response: { status: 200, description: "The form.", schema: countryForm },
    handle({ params: { countryCode: country }, query: { lang }, headers }) {
      if (!/^[A-Z]{3}$/.test(country))
        throw new DomainError("COUNTRY_UNSUPPORTED", "no form is published for this country");
      const language = languageOf(lang);
      const named = { name: `form/${country}/${language}`, version: undefined, mediaType: "application/json" };
      return serve(headers, named, () => schema.getForm({ country, language }));
    },
  });

const personRoute = ({ schema }: SchemaRouteDeps, serve: ServeDocument): Route =>
  defineRoute({
    ...common,
    path: "/schema/person",
    summary: "What must be known of a person of a country, as a JSON Schema (draft-07). Answers If-None-Match.",
    query: personQuery,
    handle({ query: { countryCode, version: wanted }, headers }) {
      if (!/^[A-Z]{2,3}$/.test(countryCode)) {
        throw new DomainError("COUNTRY_UNSUPPORTED", "countryCode must be the code of a country that is served");
      }
      const named = { name: `person/${countryCode}`, version: wanted };
      return serve(headers, named, () => schema.getPersonSchema({ countryCode, version: wanted }));
    },
  });

const referenceRoute = ({ schema }: SchemaRouteDeps): Route =>
  defineRoute({
    method: "GET",
    path: "/reference/schemas",
    scheme: "agent",
    scope: "schemas",
    summary: "List the published schemas with their versions. Every version stays readable.",
    tag,
    response: {
      status: 200,
      description: "Payments to countries, their persons and the shapes of a push, sorted by name.",
      schema: publishedSchemas,
    },
    refusals: [],
    async handle() {
      const { schemas } = await schema.listSchemas({});
      return {
        schemas: schemas.flatMap(({ name, title, version: present, versions, etag }) => {
          const href = hrefOf(name);
          return href === undefined ? [] : [{ name, title, version: present, versions, etag, href }];
        }),
      };
    },
  });

/** Path at which a document is read; some documents are for other services only. */
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
