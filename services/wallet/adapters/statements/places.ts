import type { Clock } from "../../../shared/kernel/clock";
import type { Setting } from "../../../shared/process/config";
import type { StatementSource } from "../../ports";
import { makeAcquirerStatement } from "../acquirer/statement";
import { makeDebitsStatement } from "../debits/statement";
import { makeRailStatement } from "../rail/statement";
import type { StatementPlace } from "./client";

/** Adapters by the kind of provider. */
const adapters = { rail: makeRailStatement, acquirer: makeAcquirerStatement, debits: makeDebitsStatement } as const;
type ProviderKind = keyof typeof adapters;

export interface KnownPlace extends Pick<StatementPlace, "provider" | "form" | "url"> {
  kind: ProviderKind;
}

const members = ["kind", "providers", "form", "url"];
const problem = {
  problem:
    "must be a JSON list of {kind, providers, form, url}: kind rail, acquirer or debits, form pages or files, each provider " +
    "once, and {provider} in a URL of several",
};

/** Where the statements of all providers come from, as JSON. */
export const statementPlaces: Setting<readonly KnownPlace[]> = (text) => {
  const groups = parseList(text ?? "").map(placesOf);
  const places = groups.flatMap((group) => group ?? []);
  const isEach = new Set(places.map(({ provider }) => provider)).size === places.length;
  return isEach && groups.length > 0 && !groups.includes(undefined) ? { value: places } : problem;
};

function parseList(text: string): readonly unknown[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}

/** The providers of one member of the list; undefined when the member is malformed. */
function placesOf(value: unknown): KnownPlace[] | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const fields: Record<string, unknown> = Object.fromEntries(Object.entries(value));
  const { form, url, providers } = fields;
  const kind = (["rail", "acquirer", "debits"] as const).find((one) => one === fields["kind"]);
  const names = Array.isArray(providers) ? providers.filter(isName) : [];
  const isWhole = Array.isArray(providers) && names.length === providers.length && names.length > 0;
  const isKnown = Object.keys(fields).every((name) => members.includes(name));
  if (!isWhole || !isKnown || kind === undefined || (form !== "pages" && form !== "files")) return undefined;
  if (typeof url !== "string" || (names.length > 1 && !url.includes("{provider}"))) return undefined;
  const placeOf = (provider: string): KnownPlace => {
    return { provider, kind, form, url: url.replaceAll("{provider}", provider) };
  };
  const places = names.map(placeOf);
  return places.every((place) => isAddress(place.url)) ? places : undefined;
}

const isName = (name: unknown): name is string => typeof name === "string" && /^[a-z0-9-]{1,63}$/.test(name);

const isAddress = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);

/** Opens the statements at these places; `tokensFile` holds the tokens that we present. */
export const openStatements = (places: readonly KnownPlace[], tokensFile: string, clock: Clock): StatementSource[] =>
  places.map((place) => adapters[place.kind]({ ...place, tokensFile }, clock));
