import { readFileSync } from "node:fs";
import type { Clock } from "../../../shared/clock";
import type { Setting } from "../../../shared/config";
import type { StatementSource } from "../../ports";
import { makeAcquirerStatement } from "../acquirer/statement";
import { makeDebitsStatement } from "../debits/statement";
import { makeRailStatement } from "../rail/statement";
import type { StatementPlace } from "./client";

/** Adapters by the kind of provider. */
const adapters = { rail: makeRailStatement, acquirer: makeAcquirerStatement, debits: makeDebitsStatement } as const;
type ProviderKind = keyof typeof adapters;

export interface KnownPlace extends StatementPlace {
  kind: ProviderKind;
}

const problem = {
  problem: "must name a JSON file with a list of {provider, kind, form, url, tokenFile}, each provider once",
};

/** Where the statements of all providers come from, as a JSON file lists them. */
export const statementPlaces: Setting<readonly KnownPlace[]> = (path) => {
  try {
    const list: unknown = JSON.parse(readFileSync(path ?? "", "utf8"));
    if (!Array.isArray(list)) return problem;
    const places = list.map(placeOf);
    const whole = places.flatMap((place) => (place === undefined ? [] : [place]));
    const isEach = new Set(whole.map(({ provider }) => provider)).size === list.length;
    return isEach ? { value: whole } : problem;
  } catch {
    return problem;
  }
};

function placeOf(value: unknown): KnownPlace | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const fields: Record<string, unknown> = Object.fromEntries(Object.entries(value));
  const { provider, form, url, tokenFile } = fields;
  const kind = (["rail", "acquirer", "debits"] as const).find((one) => one === fields["kind"]);
  const isText = [provider, url, tokenFile].every((text) => typeof text === "string" && text !== "");
  if (!isText || kind === undefined || (form !== "pages" && form !== "files")) return undefined;
  return { provider: String(provider), url: String(url), tokenFile: String(tokenFile), form, kind };
}

export const openStatements = (places: readonly KnownPlace[], clock: Clock): StatementSource[] =>
  places.map((place) => adapters[place.kind](place, clock));
