import type { IncomingHttpHeaders } from "node:http";
import { holdsCardNumber } from "../../services/shared/kernel/card-number";
import { type FieldViolation, hasReason, invalid } from "../../services/shared/kernel/errors";
import { isExternalId } from "../../services/shared/kernel/external-id";
import type { JsonValue } from "../../services/shared/kernel/json";
import type { KeyScope, Scope } from "../../services/shared/kernel/scopes";
import { noteExternalId } from "../../services/shared/process/call-context";
import type { Peer } from "../peer";
import type {
  AgentCall,
  Answer,
  BearerCall,
  BodyKind,
  Call,
  DocumentSchema,
  OperatorCall,
  Patience,
  PersonCall,
  Route,
  Scheme,
  TenantCall,
} from "../route";
import { bodyReader, type Read } from "./compile";
import { type Draft, prune } from "./draft";
import { describedForm, type FileForm, type FormTexts, fileReader, type SentFile } from "./file-form";
import type { Answered, Infer } from "./infer";
import { describedQuery, queryReader } from "./query";
import { inRequestWords, knowingMore, type RequestNames, refusedIn } from "./request-fields";
import type { BodySchema, ObjectSchema, Schema } from "./schema";

/** Facts of a row that a contract passes on unchanged. */
type RowFacts = Pick<
  Route,
  | "method"
  | "alsoAt"
  | "summary"
  | "tag"
  | "limit"
  | "isPrivileged"
  | "isReplayed"
  | "isRepeatable"
  | "isConditional"
  | "isTagged"
  | "isQuiet"
  | "isHot"
  | "errorForm"
  | "failurePage"
  | "proof"
  | "requestExamples"
  | "refusals"
>;

/** The caller that a scheme's credential identifies. */
interface CallerOf {
  none: object;
  bearer: Pick<BearerCall, "tenant" | "scopes">;
  tenant: Pick<TenantCall, "tenant">;
  agent: Pick<AgentCall, "tenant" | "agentId">;
  person: Pick<PersonCall, "tenant" | "person">;
  operator: Pick<OperatorCall, "operator" | "approver" | "roles" | "until" | "session">;
}

type ParamsOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamsOf<Rest>
  : never;

/**
 * A body that is passed on byte for byte for its handler to read: a foreign format, or one that a signature covers. The schema only
 * describes it.
 */
export interface RawBody {
  readonly kind: "form" | "bytes";
  readonly schema: DocumentSchema;
}

/** What the body of a request must be: JSON by a schema, a form with a file, or bytes. */
type BodyContract = BodySchema | FileForm | RawBody;

/** A body as its handler gets it. */
type BodyOf<Body> =
  Body extends FileForm<infer Texts>
    ? SentFile<Infer<Texts>>
    : Body extends RawBody
      ? Buffer
      : Body extends Schema
        ? Infer<Body>
        : undefined;

/** A request after its contract has read it. */
export type Asked<Credential extends Scheme, Path extends string, Query, Body> = CallerOf[Credential] & {
  params: Readonly<Record<ParamsOf<Path>, string>>;
  query: Query extends Schema ? Infer<Query> : undefined;
  body: BodyOf<Body>;
  headers: IncomingHttpHeaders;
  peer: Peer;
  patience: Patience;
};

/** An answer with headers of its own. */
export interface Reply<Value> {
  replyWith: Value;
  headers: Readonly<Record<string, string>>;
}

/** An answer with bytes that were made elsewhere: no schema has typed them. */
export interface MadeElsewhere {
  madeElsewhere: Answer;
}

/** The result of a handler. If the answer has no body, the result is not sent. */
type Told<Shape> = Shape extends Schema ? Answered<Shape> | Reply<Answered<Shape>> | MadeElsewhere : unknown;

export interface RouteContract<
  Credential extends Scheme,
  Path extends string,
  Query extends ObjectSchema | undefined,
  Body extends BodyContract | undefined,
  Shape extends Schema | undefined,
> {
  scheme: Credential;
  /** Path with `{…}` segments as parameters. */
  path: Path;
  /** Descriptions of the path's parameters, by name. */
  params?: Readonly<Record<ParamsOf<Path>, string>>;
  /**
   * Parameters after the question mark. Others are refused unless the schema has `additionalProperties: true`; without a schema, all are
   * refused.
   */
  query?: Query;
  /** The body. */
  request?: Body;
  /** True if a missing body means an empty object. */
  isRequestOptional?: boolean;
  /** The upstream service's names for fields that this route names differently; both dotted. */
  fieldAliases?: RequestNames["aliases"];
  response: {
    status: number;
    description: string;
    mediaType?: string;
    schema?: Shape;
    /** Another form of the same answer, which the handler makes elsewhere for callers that ask for it in `Accept`. */
    also?: { mediaType: string; schema: Schema };
  };
  /** Refuses callers that the path is not meant for, before query and body are checked. */
  admit?(asked: Pick<Asked<Credential, Path, Query, Body>, keyof CallerOf[Credential] | "params">): void;
  /**
   * Returns violations of a body that a schema cannot express. Runs on bodies that the schema has refused, too, as far as they can be read.
   */
  alsoRefuses?(body: Body extends BodySchema ? Draft<Infer<Body>> : undefined): readonly FieldViolation[];
  /**
   * Asks the upstream service what else is wrong with what remains of a request that is already refused. It must change nothing. Its
   * violations are answered beside those of the schemas, unless the id was used: that takes precedence over form.
   */
  whenRefused?(
    draft: Draft<Asked<Credential, Path, Query, Body>>,
    violations: readonly FieldViolation[],
  ): Promise<unknown>;
  /** Answers a request that the schemas refuse, on a route whose purpose is to report that. Text that is not a JSON object is refused. */
  answerRefused?(
    draft: Draft<Asked<Credential, Path, Query, Body>>,
    violations: readonly FieldViolation[],
  ): Promise<Told<Shape>>;
  handle(asked: Asked<Credential, Path, Query, Body>): Promise<Told<Shape>>;
}

type ScopeOf<Credential extends Scheme> = Credential extends "bearer"
  ? { scope: Scope }
  : Credential extends "tenant" | "agent"
    ? { scope: KeyScope }
    : { scope?: never };

/**
 * Makes a row of the route table. Its schemas check the request, type the handler and appear in the document. The handler runs only if
 * query and body have passed entirely; otherwise everything that is wrong is answered at once.
 */
export function defineRoute<
  Credential extends Scheme,
  Path extends string,
  const Query extends ObjectSchema | undefined = undefined,
  const Body extends BodyContract | undefined = undefined,
  const Shape extends Schema | undefined = undefined,
>(contract: RowFacts & ScopeOf<Credential> & RouteContract<Credential, Path, Query, Body, Shape>): Route {
  const {
    query,
    request,
    isRequestOptional = false,
    fieldAliases,
    response,
    admit,
    alsoRefuses,
    whenRefused,
    answerRefused,
    handle,
    ...facts
  } = contract;
  const readQuery = query === undefined ? refuseParameters : queryReader(query);
  const { read: readBody, ...described } = bodyOf(request, isRequestOptional);
  const params = [...contract.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const words = inRequestWords({ query, body: namedIn(request), params, aliases: fieldAliases });
  const row = {
    ...facts,
    ...described,
    ...(query === undefined ? {} : { query: describedQuery(query) }),
    success: response,
    async handle(whole: Call): Promise<Answer> {
      const { query: queryText, body: _bytes, stream: _stream, ...call } = whole;
      // The row's scheme has put the caller into the call.
      admit?.(call as unknown as Asked<Credential, Path, Query, Body>);
      const body = moreRefused(await readBody(whole), alsoRefuses as AlsoRefuses | undefined);
      const parts: Parts = { query: readQuery(queryText), body };
      notePayment(call.params, readOf(parts.body));
      const violations = [parts.query, parts.body].flatMap((part) => part?.violations ?? []);
      const asked = { ...call, query: readOf(parts.query), body: readOf(parts.body) };
      if (violations.length > 0) {
        const draft = asked as unknown as Draft<Asked<Credential, Path, Query, Body>>;
        if (body?.isUnreadable) throw invalid(violations);
        const here = knowingMore(words, violations);
        if (answerRefused !== undefined)
          return toAnswer(await refusedIn(here, () => answerRefused(draft, violations)), response);
        const others = whenRefused && refusedIn(here, () => whenRefused(draft, violations));
        throw invalid([...violations, ...(await violationsOf(others, violations))]);
      }
      // The schemas have read query and body.
      const work = () => handle(asked as unknown as Asked<Credential, Path, Query, Body>);
      return toAnswer(await refusedIn(words, work), response);
    },
  };
  // The types of the contract are those of the row, scheme by scheme.
  return row as unknown as Route;
}

const readNone = queryReader({ type: "object", description: "None." });

/** Reads the text after the question mark of a route that has no parameters. */
const refuseParameters = (text: string): Read<unknown> | undefined => (text === "" ? undefined : readNone(text));

/** Refuses a query on a row that is written by hand and has none. */
export function requireNoParameters(text: string): void {
  const violations = refuseParameters(text)?.violations ?? [];
  if (violations.length > 0) throw invalid(violations);
}

/** Notes the caller's id of the payment that a request is about, wherever the request carries it. */
function notePayment({ externalId, externalPaymentId }: Readonly<Record<string, string>>, body: unknown): void {
  const given = [externalPaymentId, externalId, Reflect.get(Object(body) as object, "externalPaymentId")];
  const id = given.filter(isExternalId).find((one) => !holdsCardNumber(one));
  if (id !== undefined) noteExternalId(id);
}

interface ReadBody extends Pick<Route, "body" | "requestSchema"> {
  read(call: Call): Read<unknown> | undefined | Promise<Read<unknown>>;
}

/** How a row describes and reads its body. */
function bodyOf(request: BodyContract | undefined, isOptional: boolean): ReadBody {
  if (request === undefined) return { body: "none", read: () => undefined };
  if (!("kind" in request)) {
    const read = bodyReader(request);
    const kind: BodyKind = isOptional ? "optionalJson" : "json";
    return { body: kind, requestSchema: { ...request }, read: ({ body }) => read(body) };
  }
  const { kind } = request;
  if (kind !== "file") return { body: kind, requestSchema: request.schema, read: ({ body }) => ({ value: body }) };
  const read = fileReader<FormTexts>(request);
  return {
    body: kind,
    requestSchema: describedForm(request),
    read: async ({ headers, stream }) => ({ value: await read(headers, stream) }),
  };
}

/** The schema that names the members of a body; none if its bytes are passed on. */
function namedIn(request: BodyContract | undefined): Schema | undefined {
  if (request === undefined || !("kind" in request)) return request;
  if (request.kind !== "file") return undefined;
  const { file, texts } = request;
  const { name, description } = file;
  return { ...texts, properties: { ...texts.properties, [name]: { type: "string", description } } };
}

interface Parts {
  query: Read<unknown> | undefined;
  body: Read<unknown> | undefined;
}

type AlsoRefuses = (body: unknown) => readonly FieldViolation[];

/** Returns the same body, with the violations that its route finds beside those of its schema. */
function moreRefused(read: Read<unknown> | undefined, alsoRefuses: AlsoRefuses | undefined): Read<unknown> | undefined {
  if (read === undefined || alsoRefuses === undefined || read.isUnreadable) return read;
  const body = read.value ?? read.draft;
  const others = alsoRefuses(body);
  if (others.length === 0) return read;
  return { violations: [...(read.violations ?? []), ...others], draft: prune(body as JsonValue, others) };
}

/** Returns what was read, or what remains of it. */
const readOf = (part: Read<unknown> | undefined): unknown => part?.draft ?? part?.value;

/** True if one field is the other, or a part of it. */
const overlap = (one: string, other: string): boolean =>
  one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`);

/**
 * Returns the violations in `found` that are answered beside the known ones. A field that is already named is left out, and so are its
 * parts and the objects around it, since a service may find an object missing only because its parts were refused.
 */
export const besides = <V extends FieldViolation>(known: readonly FieldViolation[], found: readonly V[]): V[] =>
  found.filter(({ field }) => !known.some((one) => overlap(field, one.field)));

/** Returns what a service refuses beside the known violations. */
async function violationsOf(
  asked: Promise<unknown> | undefined,
  known: readonly FieldViolation[],
): Promise<readonly FieldViolation[]> {
  try {
    await asked;
  } catch (error) {
    if (hasReason(error, "IDEMPOTENCY_CONFLICT")) throw error;
    // If asking the service fails, the request is refused for the known violations.
    return besides(known, hasReason(error, "INVALID_ARGUMENT") ? error.violations : []);
  }
  return [];
}

function toAnswer(told: unknown, { status, schema }: { status: number; schema?: unknown }): Answer {
  if (isMadeElsewhere(told)) return told.madeElsewhere;
  if (schema === undefined) return { status };
  const { value, headers } = isReply(told)
    ? { value: told.replyWith, headers: told.headers }
    : { value: told, headers: {} };
  return {
    status,
    headers: { "content-type": "application/json", ...headers },
    body: Buffer.from(JSON.stringify(value)),
  };
}

const isReply = (told: unknown): told is Reply<unknown> =>
  typeof told === "object" && told !== null && "replyWith" in told;

const isMadeElsewhere = (told: unknown): told is MadeElsewhere =>
  typeof told === "object" && told !== null && "madeElsewhere" in told;

/** Answers a value with headers of its own. */
export const replyWith = <Value>(value: Value, headers: Readonly<Record<string, string>>): Reply<Value> => ({
  replyWith: value,
  headers,
});
