import type { Api } from "../../sdk/src/gen/api";
import type { OperatorApi } from "../../sdk/src/gen/operator";
import { readJson, writeJson } from "../../sdk/src/json";
import { isUsed } from "./activity";
import { current } from "./current";
import { noteExchange } from "./exchanges";
import { Problem, problemOf } from "./problem";

/** Parameters of a path, without the tenant, which is the user's own. */
type ParamsOf<Name extends string, Known> = Name extends `${string}{${infer Param}}${infer Rest}`
  ? (Param extends Known ? never : Param) | ParamsOf<Rest, Known>
  : never;

type Each<Row, Name extends string, Known> = Omit<Row, "answer"> &
  ([ParamsOf<Name, Known>] extends [never]
    ? unknown
    : { readonly params: Readonly<Record<ParamsOf<Name, Known>, string>> });

export type TenantCall = Extract<keyof Api, string>;
export type OperatorCall = Extract<keyof OperatorApi, string>;
export type TenantInput<Name extends TenantCall> = AnyInput & Each<Api[Name], Name, "tenant">;
export type OperatorInput<Name extends OperatorCall> = AnyInput & Each<OperatorApi[Name], Name, never>;
export type TenantAnswer<Name extends TenantCall> = Api[Name]["answer"];
export type OperatorAnswer<Name extends OperatorCall> = OperatorApi[Name]["answer"];

export interface AnyInput {
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  readonly body?: unknown;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** The second operator's approval with which a command is sent. */
  readonly approval?: string;
  /** True for a request that no person has just made. */
  readonly isBackground?: boolean;
}

/** The members of answers to operators that are amounts; sums of the ledger are already texts. */
const operatorExact: ReadonlySet<string> = new Set([
  "amount",
  "available",
  "capturedAmount",
  "refundedAmount",
  "required",
  "total",
]);

/** Calls an operation of the public API for the user's tenant. */
export async function callTenant<Name extends TenantCall>(
  name: Name,
  input: TenantInput<Name>,
  options: CallOptions = {},
): Promise<TenantAnswer<Name>> {
  const isOpen = name.startsWith("GET /schema/");
  const given: AnyInput = input;
  const body = given.body === undefined ? undefined : writeJson(given.body);
  const answer = await send(addressOf(name, given), body, options);
  return (isOpen ? parseOpen(answer) : readOr(answer, undefined)) as TenantAnswer<Name>;
}

/** Calls an operation of the operator API. */
export async function callOperator<Name extends OperatorCall>(
  name: Name,
  input: OperatorInput<Name>,
  options: CallOptions = {},
): Promise<OperatorAnswer<Name>> {
  const given: AnyInput = input;
  // Amounts are texts here, and stay texts.
  const body = given.body === undefined ? undefined : JSON.stringify(given.body);
  const answer = await send(addressOf(name, given, "o"), body, options);
  return readOr(answer, operatorExact) as OperatorAnswer<Name>;
}

const readOr = (text: string, exact: ReadonlySet<string> | undefined): unknown =>
  text === "" ? undefined : readJson(text, exact);
const parseOpen = (text: string): unknown => JSON.parse(text) as unknown;

interface Address {
  readonly method: string;
  readonly path: string;
}

/** Returns method and path at this door for a row like `GET /wallets/{walletId}`. */
export function addressOf(name: string, { params = {}, query = {} }: AnyInput, side: "t" | "o" = "t"): Address {
  const [method = "GET", template = ""] = name.split(" ");
  const known: Readonly<Record<string, string>> = side === "t" ? { ...params, tenant: current().tenant } : params;
  const path = template.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(known[key] ?? ""));
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") search.set(key, String(value));
  }
  const begin = side === "t" ? `/api/t/${encodeURIComponent(current().tenant)}` : "/api/o";
  const text = search.toString();
  return { method, path: `${begin}${path}${text === "" ? "" : `?${text}`}` };
}

/** Rows that are called in the name of an agent. */
const agentPath = /^\/api\/t\/[^/]+\/(?:(?:fx|reference|payout)\/|organizations\/[^/]+\/webhooks\/[^/]+\/secret$)/;

/** The problem when nothing answers: it is unknown whether a command got through. */
const unreachable = (): Problem =>
  new Problem({ status: 0, code: "NETWORK", message: "The console could not reach the platform." });

async function send({ method, path }: Address, body: string | undefined, options: CallOptions): Promise<string> {
  const response = await exchange(method, path, body, options);
  return response.text();
}

/** Makes one exchange. Throws a `Problem` for anything but a success. */
export async function exchange(
  method: string,
  path: string,
  body?: string,
  { signal, approval, isBackground = method === "GET" && !isUsed() }: CallOptions = {},
): Promise<Response> {
  const { csrf, agentId } = current();
  const headers: Record<string, string> = { accept: "application/json" };
  if (body !== undefined) headers["content-type"] = "application/json";
  if (method !== "GET") headers["x-csrf"] = csrf;
  if (isBackground) headers["x-background"] = "1";
  if (approval !== undefined) headers["x-approval"] = approval;
  if (agentId !== undefined && agentPath.test(path)) headers["x-agent-id"] = agentId;
  const init = { method, headers, credentials: "same-origin" as const };
  const begunMs = performance.now();
  const note = (status: number, requestId?: string): void =>
    noteExchange({ method, path, body, status, requestId, tookMs: Math.round(performance.now() - begunMs) });
  const response = await fetch(path, {
    ...init,
    ...(body === undefined ? {} : { body }),
    ...(signal === undefined ? {} : { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    note(0);
    throw unreachable();
  });
  note(response.status, response.headers.get("x-request-id") ?? undefined);
  if (response.ok) return response;
  const problem = await problemOf(response);
  if (problem.status === 401) current().onSessionOver();
  if (problem.code === "AUTH_006" && "maxAgeSeconds" in problem.details) current().onStaleLogin();
  throw problem;
}

/** Fetches a list as CSV and offers it as a file. */
export async function saveCsv(path: string, fileName: string): Promise<void> {
  const response = await fetch(path, { headers: { accept: "text/csv" }, credentials: "same-origin" }).catch(() => {
    throw unreachable();
  });
  if (!response.ok) throw await problemOf(response);
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement("a");
  link.href = address;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(address);
}
