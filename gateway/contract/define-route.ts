import type { IncomingHttpHeaders } from "node:http";
import { type FieldViolation, invalid } from "../../services/shared/errors";
import type { Scope } from "../../services/shared/scopes";
import type { Peer } from "../peer";
import type { AgentCall, Answer, Call, OperatorCall, Route, Scheme, TenantCall } from "../route";
import { bodyReader, draftOf, type Read, requireRead } from "./compile";
import type { Answered, Draft, Infer } from "./infer";
import { describedQuery, queryReader } from "./query";
import type { BodySchema, ObjectSchema, Schema } from "./schema";

/** Facts of a row that a contract hands on as they are. */
type RowFacts = Pick<
  Route,
  "method" | "summary" | "tag" | "limit" | "isPrivileged" | "isReplayed" | "isConditional" | "refusals"
>;

/** Whom the credential of a scheme has named. */
interface CallerOf {
  none: object;
  bearer: Pick<TenantCall, "tenant">;
  tenant: Pick<TenantCall, "tenant">;
  agent: Pick<AgentCall, "tenant" | "agentId">;
  operator: Pick<OperatorCall, "operator">;
}

type ParamsOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamsOf<Rest>
  : never;

/** A request as its contract has read it. */
export type Asked<Credential extends Scheme, Path extends string, Query, Body> = CallerOf[Credential] & {
  params: Readonly<Record<ParamsOf<Path>, string>>;
  query: Query extends Schema ? Infer<Query> : undefined;
  body: Body extends Schema ? Infer<Body> : undefined;
  headers: IncomingHttpHeaders;
  peer: Peer;
};

/** A request whose body was refused. */
export type Refused<Credential extends Scheme, Body> = CallerOf[Credential] & {
  /** What is left of the body without what is wrong. */
  draft: Body extends Schema ? Draft<Infer<Body>> : undefined;
  violations: readonly FieldViolation[];
};

/** An answer with headers of its own. */
export interface Reply<Value> {
  replyWith: Value;
  headers: Readonly<Record<string, string>>;
}

/** An answer whose bytes were made elsewhere: no schema has typed them. */
export interface MadeElsewhere {
  madeElsewhere: Answer;
}

/** What a handler comes back with: nothing where the answer has no body. */
type Told<Shape> = (Shape extends Schema ? Answered<Shape> | Reply<Answered<Shape>> : undefined) | MadeElsewhere;

export interface RouteContract<
  Credential extends Scheme,
  Path extends string,
  Query extends ObjectSchema | undefined,
  Body extends BodySchema | undefined,
  Shape extends Schema | undefined,
> {
  scheme: Credential;
  /** Path whose `{…}` segments are parameters. */
  path: Path;
  /** Descriptions of the path's parameters, by name. */
  params?: Readonly<Record<ParamsOf<Path>, string>>;
  /** Parameters after the question mark. Others are ignored unless it is closed with `additionalProperties: false`. */
  query?: Query;
  /** The JSON body. */
  request?: Body;
  /** True where no body at all means an empty object. */
  isRequestOptional?: boolean;
  /** What a schema cannot say of a body. It is asked of refused bodies, too, and adds to what is told. */
  alsoRefuses?(draft: Body extends Schema ? Draft<Infer<Body>> : undefined): readonly FieldViolation[];
  /**
   * What the service behind says of a body that is refused: it throws what comes before the refusal, or tells what else is wrong.
   * An id that was used decides before the form of a request does.
   */
  whenRefused?(refused: Refused<Credential, Body>): Promise<readonly FieldViolation[]>;
  response: { status: number; description: string; mediaType?: string; schema?: Shape };
  handle(asked: Asked<Credential, Path, Query, Body>): Promise<Told<Shape>>;
}

type ScopeOf<Credential extends Scheme> = Credential extends "bearer" ? { scope: Scope } : { scope?: never };

/**
 * A row of the route table whose schemas are what is checked, what the handler is typed by, and what the document shows. The handler
 * is asked only when everything in query and body has passed; else all that is wrong is told at once.
 */
export function defineRoute<
  Credential extends Scheme,
  Path extends string,
  const Query extends ObjectSchema | undefined = undefined,
  const Body extends BodySchema | undefined = undefined,
  const Shape extends Schema | undefined = undefined,
>(contract: RowFacts & ScopeOf<Credential> & RouteContract<Credential, Path, Query, Body, Shape>): Route {
  const { query, request, isRequestOptional = false, response, alsoRefuses, whenRefused, handle, ...facts } = contract;
  const readQuery = query === undefined ? undefined : queryReader(query);
  const readBody = request === undefined ? undefined : bodyReader(request);
  const names = request !== undefined && "properties" in request ? Object.keys(request.properties) : [];
  const bodyKind = isRequestOptional ? "optionalJson" : "json";
  const row = {
    ...facts,
    body: request === undefined ? "none" : bodyKind,
    ...(request === undefined ? {} : { requestSchema: request }),
    ...(query === undefined ? {} : { query: describedQuery(query) }),
    success: response,
    async handle({ query: queryText, body: bytes, stream: _stream, ...call }: Call): Promise<Answer> {
      const askedQuery: Read<unknown> | undefined = readQuery?.(queryText);
      const askedBody = checked(readBody?.(bytes), alsoRefuses as AlsoRefuses | undefined);
      if (askedBody?.violations !== undefined && askedBody.draft !== undefined && whenRefused !== undefined) {
        const { draft, violations } = askedBody;
        const refused = { ...call, draft, violations } as unknown as Refused<Credential, Body>;
        throw invalid(joined(violations, await whenRefused(refused), names));
      }
      requireRead(askedQuery, askedBody);
      const asked = { ...call, query: askedQuery?.value, body: askedBody?.value };
      // The row's scheme has put the caller into the call, and the schemas have read query and body.
      return toAnswer(await handle(asked as unknown as Asked<Credential, Path, Query, Body>), response.status);
    },
  };
  // The types of the contract are those of the row, scheme by scheme.
  return row as unknown as Route;
}

type AlsoRefuses = (draft: unknown) => readonly FieldViolation[];

/** The same body, refused where the contract refuses more than its schema says. */
function checked(read: Read<unknown> | undefined, alsoRefuses: AlsoRefuses | undefined): Read<unknown> | undefined {
  if (read === undefined || alsoRefuses === undefined) return read;
  const draft = read.violations === undefined ? read.value : read.draft;
  const others = draft === undefined ? [] : alsoRefuses(draft);
  return others.length === 0
    ? read
    : { violations: joined(read.violations ?? [], others, []), draft: draftOf(draft, others) };
}

/** One violation for each field, by the order of the names where they are given. */
function joined(
  known: readonly FieldViolation[],
  others: readonly FieldViolation[],
  names: readonly string[],
): readonly FieldViolation[] {
  const fields = new Set(known.map(({ field }) => field));
  const placeOf = ({ field }: FieldViolation): number => {
    const index = names.indexOf(field.split(".")[0] ?? "");
    return index < 0 ? names.length : index;
  };
  return [...known, ...others.filter(({ field }) => !fields.has(field))].toSorted((a, b) => placeOf(a) - placeOf(b));
}

function toAnswer(told: unknown, status: number): Answer {
  if (told === undefined) return { status };
  if (isMadeElsewhere(told)) return told.madeElsewhere;
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
