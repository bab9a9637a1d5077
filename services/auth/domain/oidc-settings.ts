import type { Profile } from "../../shared/kernel/profile";

/** Settings for one identity provider. */
export interface ProviderSettings {
  issuer: string;
  clientId: string;
  clientSecret: string | undefined;
  /** `aud` of its access tokens that are meant for this platform. */
  audience: string;
  /** Clients with accepted access tokens, beside `clientId`. */
  otherClients: readonly string[];
  /** Claim with the words `corridor:<place>:<role>`. */
  rolesClaim: string;
  /** Addresses that the browser may be redirected to; a loopback address matches with any port. */
  redirectUris: readonly string[];
  /** Either of these proves a second factor; undefined: none is asked for. */
  secondFactor: { amr: readonly string[]; acr: readonly string[] } | undefined;
}

export interface OidcSettings {
  operators: ProviderSettings | undefined;
  tenants: ProviderSettings | undefined;
}

/** Reads the settings of the identity providers; returns undefined after reporting every problem, with names and rules but never values. */
export function parseOidcSettings(
  text: string,
  env: Profile,
): { value: OidcSettings; problems?: never } | { value?: never; problems: readonly string[] } {
  const problems: string[] = [];
  const file = objectOf(parsed(text));
  if (file === undefined) return { problems: ["must be a JSON object"] };
  refuseUnknown(file, ["operators", "tenants"], "", problems);
  const read = (name: "operators" | "tenants"): ProviderSettings | undefined =>
    file[name] === undefined ? undefined : readProvider(file[name], name, env, problems);
  const value = { operators: read("operators"), tenants: read("tenants") };
  if (Object.keys(file).length === 0) problems.push("must name operators or tenants");
  return problems.length > 0 ? { problems } : { value };
}

const members = ["issuer", "clientId", "clientSecret", "audience", "otherClients", "rolesClaim", "redirectUris"];

function readProvider(given: unknown, place: string, env: Profile, problems: string[]): ProviderSettings | undefined {
  const provider = objectOf(given);
  const expect = (isGood: boolean, member: string, rule: string): void => {
    if (!isGood) problems.push(`${place}.${member} ${rule}`);
  };
  if (provider === undefined) {
    problems.push(`${place} must be an object`);
    return undefined;
  }
  refuseUnknown(provider, [...members, "secondFactor"], `${place}.`, problems);
  const { issuer, clientId, clientSecret, audience, otherClients = [], rolesClaim = "groups" } = provider;
  const { redirectUris, secondFactor } = provider;
  expect(isUrl(issuer, env), "issuer", "must be an https address");
  expect(isText(clientId), "clientId", "must be a text");
  expect(clientSecret === undefined || isText(clientSecret), "clientSecret", "must be a text");
  expect(isText(audience) && audience !== clientId, "audience", "must be a text other than clientId");
  expect(isTexts(otherClients), "otherClients", "must be a list of texts");
  expect(isText(rolesClaim), "rolesClaim", "must be a text");
  const isBack = isTexts(redirectUris) && redirectUris.length > 0;
  expect(
    isBack && redirectUris.every((uri) => isUrl(uri, env) || isLoopback(uri)),
    "redirectUris",
    "must be https or loopback addresses",
  );
  const factor = readFactor(secondFactor);
  expect(
    factor !== undefined || (secondFactor === undefined && env === "local"),
    "secondFactor",
    "must name values of amr or acr that prove one",
  );
  if (problems.length > 0) return undefined;
  return {
    issuer: textIn(issuer),
    clientId: textIn(clientId),
    clientSecret: clientSecret === undefined ? undefined : textIn(clientSecret),
    audience: textIn(audience),
    otherClients: isTexts(otherClients) ? otherClients : [],
    rolesClaim: textIn(rolesClaim),
    redirectUris: isBack ? redirectUris : [],
    secondFactor: factor,
  };
}

function readFactor(given: unknown): ProviderSettings["secondFactor"] {
  const { amr = [], acr = [], ...others } = objectOf(given) ?? {};
  const isGood = isTexts(amr) && isTexts(acr) && Object.keys(others).length === 0 && amr.length + acr.length > 0;
  return isGood ? { amr, acr } : undefined;
}

/** A loopback address is the caller's own machine (RFC 8252 section 7.3). */
export const isLoopback = (uri: string): boolean => {
  const { protocol, hostname } = urlOf(uri) ?? {};
  return protocol === "http:" && (hostname === "127.0.0.1" || hostname === "[::1]");
};

const isUrl = (value: unknown, env: Profile): boolean => {
  const { protocol, hash = "", username = "" } = (typeof value === "string" ? urlOf(value) : undefined) ?? {};
  return (protocol === "https:" || (env === "local" && protocol === "http:")) && hash === "" && username === "";
};

function urlOf(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

function refuseUnknown(given: object, known: readonly string[], place: string, problems: string[]): void {
  for (const name of Object.keys(given)) {
    if (!known.includes(name)) problems.push(`${place}${name} is not a member`);
  }
}

const objectOf = (value: unknown): Record<string, unknown> | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
const textIn = (value: unknown): string => (typeof value === "string" ? value : "");
const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
