import type { IncomingHttpHeaders } from "node:http";
import type { IssueTokenRequest, RevokeTokenRequest } from "../proto/gen/corridor/auth/v1/auth_service";
import { readCallerText } from "../services/shared/kernel/caller-text";
import { DomainError } from "../services/shared/kernel/errors";
import type { Peer } from "./peer";

interface Credentials {
  clientId: string;
  clientSecret: string;
}

const longest = 255;

const refuse = (message: string): DomainError => new DomainError("OAUTH_INVALID_REQUEST", message);
const refuseClient = (): DomainError => new DomainError("OAUTH_INVALID_CLIENT", "client authentication failed");

/** A request of an OAuth client as it arrived. */
interface ClientRequest {
  headers: IncomingHttpHeaders;
  body: Buffer;
  peer: Peer;
}

/** Reads a token request by RFC 6749 section 4.4.2. */
export function parseTokenRequest(request: ClientRequest): IssueTokenRequest {
  const params = parseForm(request.body);
  const credentials = readCredentials(request.headers.authorization, params);
  if (params.get("grant_type") !== "client_credentials") {
    throw new DomainError("OAUTH_UNSUPPORTED_GRANT_TYPE", "grant_type must be client_credentials");
  }
  return { ...requireCredentials(credentials), ...peerOf(request), scope: params.get("scope") };
}

/** Reads a revocation request by RFC 7009 section 2.1; the caller's hint about the token's type is ignored. */
export function parseRevocation(request: ClientRequest): RevokeTokenRequest {
  const params = parseForm(request.body);
  const credentials = readCredentials(request.headers.authorization, params);
  const token = params.get("token");
  if (token === undefined) throw refuse("token is required");
  return { ...requireCredentials(credentials), ...peerOf(request), token };
}

const peerOf = ({ peer: { address, certificate } }: ClientRequest) => ({ address, certificate });

function requireCredentials(credentials: Credentials | undefined): Credentials {
  if (credentials === undefined) throw refuseClient();
  const { clientId, clientSecret } = credentials;
  if (clientId.length > longest || clientSecret.length > longest) throw refuseClient();
  return credentials;
}

/** Reads parameters by RFC 6749: none may occur twice, and an empty one counts as absent (section 3.2). */
function parseForm(body: Buffer): ReadonlyMap<string, string> {
  const params = new Map<string, string>();
  for (const pair of body.toString("latin1").split("&")) {
    if (pair === "") continue;
    const at = pair.includes("=") ? pair.indexOf("=") : pair.length;
    const name = decodeForm(pair.slice(0, at));
    const value = decodeForm(pair.slice(at + 1));
    if (name === undefined || value === undefined) throw refuse("the body must be form-encoded UTF-8");
    const [key, read] = [readCallerText(name), readCallerText(value)];
    if ("problem" in key) throw refuse(`the body ${key.problem}`);
    if ("problem" in read) throw refuse(`the body ${read.problem}`);
    if (params.has(name)) throw refuse("a parameter must not be given twice");
    params.set(name, read.value);
  }
  return new Map([...params].filter(([, value]) => value !== ""));
}

/** Decodes one form-encoded word; undefined if it is malformed: such words are printable ASCII, everything else is encoded. */
function decodeForm(text: string): string | undefined {
  try {
    return /[^!-~]/.test(text) ? undefined : decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}

function readCredentials(
  authorization: string | undefined,
  params: ReadonlyMap<string, string>,
): Credentials | undefined {
  const clientId = params.get("client_id");
  const clientSecret = params.get("client_secret");
  if (authorization === undefined) {
    return clientId === undefined || clientSecret === undefined ? undefined : { clientId, clientSecret };
  }
  if (clientSecret !== undefined) throw refuse("the client must authenticate in one way only");
  const basic = parseBasic(authorization);
  if (basic === undefined) throw refuseClient();
  if (clientId !== undefined && clientId !== basic.clientId)
    throw refuse("client_id must be that of the authorization");
  return basic;
}

/** Reads HTTP Basic credentials with a user and password that were form-encoded first (RFC 6749 section 2.3.1). */
function parseBasic(authorization: string): Credentials | undefined {
  const token = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization)?.[1];
  if (token === undefined) return undefined;
  const pair = Buffer.from(token, "base64").toString("utf8");
  const at = pair.indexOf(":");
  if (at < 0) return undefined;
  const clientId = decodeForm(pair.slice(0, at));
  const clientSecret = decodeForm(pair.slice(at + 1));
  return clientId === undefined || clientSecret === undefined ? undefined : { clientId, clientSecret };
}
