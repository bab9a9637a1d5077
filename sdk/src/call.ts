import { type Attempt, attempt } from "./attempt.ts";
import { type AccessToken, keyHeaders, makeTokenCache, required, type TokenCache } from "./credentials.ts";
import { CorridorError, OutcomeUnknown, Unreachable } from "./errors.ts";
import type { Api } from "./gen/api.ts";
import { exactMembers, operations } from "./gen/facts.ts";
import { writeJson } from "./json.ts";
import { type CallOptions, type CorridorOptions, type Outgoing, systemClock } from "./options.ts";
import { evaluate, mayBeDone, type RepeatRule, waitMs } from "./repeat.ts";

/** Every operation of the platform, by method and path. */
export type Operation = keyof Api & keyof typeof operations;

/** Parameters of a path, without those that the client fills in. */
export type ParamsOf<
  Name extends string,
  Known = "tenant" | "linker",
> = Name extends `${string}{${infer Param}}${infer Rest}`
  ? (Param extends Known ? never : Param) | ParamsOf<Rest, Known>
  : never;

export type Optional<Row> = { [Key in keyof Row as Key extends "answer" ? never : Key]: Row[Key] };

/** Input of an operation: the parameters of its path, its query, its body. The client fills in the tenant and the linking provider. */
export type Input<Name extends Operation> = Optional<Api[Name]> &
  ([ParamsOf<Name>] extends [never] ? unknown : { readonly params: Readonly<Record<ParamsOf<Name>, string>> });

/** Facts about how an answer was received. */
export interface Exchange {
  readonly status: number;
  /** Identifies the request to the operators of the platform. */
  readonly requestId: string;
  /** How often the request was sent. */
  readonly attempts: number;
  /** True if this is the answer to the first request: it was done before, and was not done again. */
  readonly replayed: boolean;
  /** The version of what was read, for `ifMatch`. */
  readonly etag: string | undefined;
}

/** An answer; `$` says how it was received, and is not serialised with it. */
export type Answered<Body> = Body extends object ? Body & { readonly $: Exchange } : Body;

export type AnswerOf<Name extends Operation> = Answered<Api[Name]["answer"]>;

export type Given<Each, Options> =
  Partial<Each> extends Each ? [input?: Each, options?: Options] : [input: Each, options?: Options];

/** Calls any operation by its name: `call("GET /v2/payment/{externalId}", { params: { externalId } })`. */
export type Call = <Name extends Operation>(
  name: Name,
  ...given: Given<Input<Name>, CallOptions>
) => Promise<AnswerOf<Name>>;

export interface AnyInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: object;
}

/** Facts of the table about an operation. */
interface Facts {
  readonly scheme: Outgoing["credential"];
  readonly repeat: RepeatRule;
  readonly body: "" | "json" | "form" | "file";
  readonly form: "exact" | "open" | "bytes";
}

/** A table of operations, and the form of amounts in it. */
export interface Surface {
  readonly operations: Readonly<Record<string, string>>;
  /** Members of answers that are exact numbers. */
  readonly exact: ReadonlySet<string>;
  readonly write: (body: object) => string;
  /** Headers that authenticate the caller, beside those of the schemes of the public table. */
  readonly headers?: () => Promise<Readonly<Record<string, string>>>;
}

const publicSurface: Surface = { operations, exact: exactMembers, write: writeJson };

function factsOf(name: string, table: Surface["operations"]): Facts {
  const row = table[name];
  if (row === undefined) throw new TypeError(`there is no operation ${name}`);
  const words = row.split(" ");
  const [scheme, repeat] = words as [Facts["scheme"], RepeatRule];
  const body = words.find((word): word is "json" | "form" | "file" => /^(json|form|file)$/.test(word)) ?? "";
  const form = words.find((word): word is "open" | "bytes" => /^(open|bytes)$/.test(word)) ?? "exact";
  return { scheme, repeat, body, form };
}

/** Makes the function that everything else is built on. */
export const makeCall = (options: CorridorOptions): Call => makeCaller(options, publicSurface) as Call;

/** The same for any table of operations. */
export function makeCaller(
  options: CorridorOptions,
  surface: Surface,
): (name: string, input?: AnyInput, given?: CallOptions) => Promise<unknown> {
  const { clock = systemClock } = options;
  const call = async (name: string, input: AnyInput = {}, given: CallOptions = {}): Promise<unknown> => {
    const facts = factsOf(name, surface.operations);
    const path = pathOf(name, input, options);
    const body = bodyOf(facts.body, input.body, surface.write);
    const request = { url: `${options.baseUrl.replace(/\/+$/, "")}${path}`, ...body };
    await options.before?.({
      operation: name,
      url: request.url,
      credential: facts.scheme,
      headers: plainHeaders(request, given),
      body: request.body,
    });
    return insist({ name, path, input, facts, request, given, options, tokens, surface });
  };
  const tokens = makeTokenCache(async () => {
    const body = {
      grant_type: "client_credentials",
      client_id: required(options.clientId, "clientId"),
      client_secret: required(options.clientSecret, "clientSecret"),
    };
    const answer = (await call("POST /oauth/token", { body })) as Api["POST /oauth/token"]["answer"];
    return { value: answer.access_token, lifeMs: answer.expires_in * 1_000 };
  }, clock.now);
  return call;
}

function pathOf(name: string, { params = {}, query = {} }: AnyInput, options: CorridorOptions): string {
  const [, template = ""] = name.split(" ");
  const known: Readonly<Record<string, string | undefined>> = {
    tenant: options.tenant,
    linker: options.linker ?? "plaid",
  };
  const path = template.replaceAll(/\{(\w+)\}/g, (_all, key: string) =>
    encodeURIComponent(required(params[key] ?? known[key], key)),
  );
  const asked = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(asked.map(([key, value]): [string, string] => [key, String(value)])).toString();
  return text === "" ? path : `${path}?${text}`;
}

interface Request {
  readonly url: string;
  readonly body?: string | FormData;
  readonly type?: string;
}

function bodyOf(kind: Facts["body"], body: object | undefined, write: Surface["write"]): Omit<Request, "url"> {
  if (kind === "" || body === undefined) return {};
  if (kind === "json") return { body: write(body), type: "application/json" };
  const members = Object.entries(body).filter(([, value]) => value !== undefined) as [string, string | Blob][];
  if (kind === "form") {
    const text = new URLSearchParams(members as [string, string][]).toString();
    return { body: text, type: "application/x-www-form-urlencoded" };
  }
  const form = new FormData();
  for (const [name, value] of members) form.append(name, value as Blob);
  return { body: form };
}

interface Insisting {
  readonly name: string;
  readonly path: string;
  readonly input: AnyInput;
  readonly facts: Facts;
  readonly request: Request;
  readonly given: CallOptions;
  readonly options: CorridorOptions;
  readonly tokens: TokenCache;
  readonly surface: Surface;
}

/** Sends a request until there is an answer, as often as is safe and as long as time remains. */
async function insist(call: Insisting): Promise<unknown> {
  const { facts, given, options } = call;
  const { clock = systemClock } = options;
  const untilMs = clock.now() + (given.timeoutMs ?? options.timeoutMs ?? 60_000);
  const tries = given.tries ?? options.tries ?? 4;
  let wasUnknown = false;
  let hasRenewed = false;
  given.signal?.throwIfAborted();
  for (let attempts = 1; ; attempts += 1) {
    const token = await tokenFor(call, untilMs - clock.now()).catch((cause: unknown) => {
      throw wasUnknown ? failure(call, { kind: "lost", wasSent: false, cause }, attempts, true) : cause;
    });
    const own = (await call.surface.headers?.()) ?? {};
    const last = await sendOnce(call, token, own, Math.max(1, untilMs - clock.now()));
    if (isTokenRefused(last, token) && !hasRenewed) {
      hasRenewed = true;
      attempts -= 1;
      call.tokens.forget(token);
      continue;
    }
    const verdict = evaluate(last, facts.repeat, wasUnknown);
    wasUnknown ||= mayBeDone(last);
    if (last.kind === "answer") return answered(last, attempts);
    if (isGone(call, last, wasUnknown, attempts)) return undefined;
    const wait = waitMs(last, attempts, Math.random);
    const isOver = attempts >= tries || clock.now() + wait > untilMs || given.signal?.aborted === true;
    if (verdict !== "again" || isOver)
      throw failure(call, last, attempts, verdict === "unknown" || (verdict === "again" && wasUnknown));
    await clock.sleep(wait, given.signal).catch((cause: unknown) => {
      throw failure(call, { kind: "lost", wasSent: wasUnknown, cause }, attempts, wasUnknown);
    });
  }
}

/**
 * Returns the token for a call that needs one. Other calls may wait for it too, so the call's own time limit does not end the token
 * request.
 */
async function tokenFor({ facts, given, tokens }: Insisting, leftMs: number): Promise<AccessToken | undefined> {
  if (facts.scheme !== "bearer") return undefined;
  const over = AbortSignal.any([AbortSignal.timeout(Math.max(0, leftMs)), ...(given.signal ? [given.signal] : [])]);
  const tooLate = new Promise<never>((_resolve, reject) => {
    over.addEventListener("abort", () => reject(over.reason as Error), { once: true });
  });
  return Promise.race([tokens.get(), tooLate]);
}

const isTokenRefused = (last: Attempt, token: AccessToken | undefined): token is AccessToken =>
  token !== undefined && last.kind === "refusal" && last.refusal.status === 401;

/** If an attempt to end something got no answer and it is gone afterwards, that attempt has ended it. */
const isGone = ({ name }: Insisting, last: Attempt, wasUnknown: boolean, attempts: number): boolean =>
  name.startsWith("DELETE ") && attempts > 1 && wasUnknown && last.kind === "refusal" && last.refusal.status === 404;

/** Headers that do not authenticate the caller. */
const plainHeaders = ({ type }: Request, { ifMatch, approval }: CallOptions): Record<string, string> => ({
  ...(type === undefined ? {} : { "content-type": type }),
  ...(ifMatch === undefined ? {} : { "if-match": ifMatch }),
  ...(approval === undefined ? {} : { "x-approval": approval }),
});

function sendOnce(
  call: Insisting,
  token: AccessToken | undefined,
  own: Readonly<Record<string, string>>,
  leftMs: number,
): Promise<Attempt> {
  const { facts, request, given, options, name, surface } = call;
  const { fetch = globalThis.fetch, attemptTimeoutMs = 15_000, clock = systemClock } = options;
  const signals = [AbortSignal.timeout(Math.min(leftMs, attemptTimeoutMs)), ...(given.signal ? [given.signal] : [])];
  const headers: Record<string, string> = {
    ...own,
    ...plainHeaders(request, given),
    ...(token === undefined ? {} : { authorization: `Bearer ${token.value}` }),
    ...(facts.scheme === "tenant" || facts.scheme === "agent" ? keyHeaders(facts.scheme, options) : {}),
  };
  const init: RequestInit = {
    method: name.split(" ")[0] ?? "GET",
    headers,
    // Credentials are sent only to the platform itself.
    redirect: "error",
    credentials: "omit",
    signal: AbortSignal.any(signals),
    ...(request.body === undefined ? {} : { body: request.body }),
  };
  return attempt(() => fetch(request.url, init), { form: facts.form, exact: surface.exact }, clock.now);
}

function failure(
  call: Insisting,
  last: Exclude<Attempt, { kind: "answer" }>,
  attempts: number,
  isUnknown: boolean,
): Error {
  const { name, path, facts, input, given } = call;
  const cause = last.kind === "lost" ? last.cause : new CorridorError({ ...last.refusal, attempts });
  if (isUnknown && facts.repeat !== "always") {
    const id = idOf(input);
    return new OutcomeUnknown({ operation: name, id, ask: askFor(name, path, id), attempts }, cause);
  }
  if (given.signal?.aborted === true) return given.signal.reason as Error;
  return last.kind === "lost" ? new Unreachable(name, attempts, cause) : (cause as CorridorError);
}

/** Names of members with ids that callers choose. */
const idNames = ["externalRefundId", "externalTransferId", "externalTransactionId", "externalPaymentId", "externalId"];

function idOf({ params = {}, body = {} }: AnyInput): string | undefined {
  const given = [body as Record<string, unknown>, params];
  return given
    .flatMap((members) => idNames.map((name) => members[name]))
    .find((id): id is string => typeof id === "string");
}

/** Returns the request that reports the outcome of another. */
function askFor(name: string, path: string, id: string | undefined): string | undefined {
  const segment = encodeURIComponent(id ?? "");
  const [, , externalPaymentId = ""] = path.split("/");
  switch (name) {
    case "POST /v2/payment":
      return `GET /v2/payment/${segment}`;
    case "POST /payments/{externalPaymentId}/capture":
    case "POST /payments/{externalPaymentId}/void":
    case "POST /payments/{externalPaymentId}/refund":
      return `GET /v2/payment/${externalPaymentId}`;
    case "POST /wallets/transfer":
      return `GET /wallet-transfers/${segment}`;
    case "POST /wallets/transaction/{transactionId}/confirm":
    case "POST /wallets/transaction/{transactionId}/void":
    case "POST /wallets/transfer/{externalTransferId}/void":
      return `GET ${path.replace(/\/\w+$/, "")}`;
    case "POST /people/{id}/documents/{document}":
    case "POST /companies/{id}/documents/{document}":
      return `GET ${path}`;
    default:
      return undefined;
  }
}

function answered({ status, headers, body }: Extract<Attempt, { kind: "answer" }>, attempts: number): unknown {
  if (typeof body !== "object" || body === null) return body;
  const value: Exchange = {
    status,
    attempts,
    requestId: headers.get("x-request-id") ?? "",
    replayed: headers.get("idempotency-replayed") === "true",
    etag: headers.get("etag") ?? undefined,
  };
  return Object.defineProperty(body, "$", { value });
}
