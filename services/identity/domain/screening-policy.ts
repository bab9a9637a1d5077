import { parseJsonObject } from "../../shared/kernel/json";
import { type ListFormat, listFormats } from "./lists/read-list";
import type { OwnershipRule } from "./ownership";
import { defaultThreshold } from "./screening";

/** The source of a list, and the conditions that it must meet before it is used. */
export interface ListSource {
  name: string;
  format: ListFormat;
  /** A path, or an address that begins with https. */
  from: { file: string } | { url: string };
  /** SHA-256 of the whole file, hex. */
  sha256: string | undefined;
  /** File with the Ed25519 key, PEM, that signs the list; the signature is in the file beside it with the suffix `.sig`. */
  publicKeyFile: string | undefined;
  leastBytes: number;
  leastEntries: number;
  /** Greatest age: payouts stop while the list is older; undefined: any age. */
  maxAgeHours: number | undefined;
  /** Points out of a hundred that make a hit. */
  threshold: number;
  /** The share of listed owners from which a company counts as listed. */
  ownership: OwnershipRule;
}

/** The consequence of an embargoed country or programme: the money goes back, or it stays where it is until a person has decided. */
export const consequences = ["reject", "block"] as const;
export type Consequence = (typeof consequences)[number];

/** The lists in use, and how each is used. */
export interface ScreeningPolicy {
  lists: readonly ListSource[];
  /** Thresholds of tenants: for all lists, and for one of them. */
  tenants: ReadonlyMap<string, { threshold: number | undefined; lists: ReadonlyMap<string, number> }>;
  /** By alpha-2. */
  countries: ReadonlyMap<string, Consequence>;
  /** By the lists' name of a programme. */
  programmes: ReadonlyMap<string, Consequence>;
}

/** A single file that is a list itself. */
export const policyOfOneList = (file: string): ScreeningPolicy => ({
  lists: [
    {
      ...{ name: "", format: "own", from: { file }, sha256: undefined, publicKeyFile: undefined },
      ...{ leastBytes: 1, leastEntries: 0, maxAgeHours: undefined, threshold: defaultThreshold },
      ownership: ownershipOf("own", undefined, ""),
    },
  ],
  tenants: new Map(),
  countries: new Map(),
  programmes: new Map(),
});

const limits = { depth: 6, keys: 10_000, stringLength: 4_096, arrayLength: 1_000, keyLength: 128, pathLength: 512 };

/** Reads the policy of a file `{"lists": […], …}`. Throws an error that names the first rule that it breaks. */
export function parseScreeningPolicy(text: string): ScreeningPolicy {
  const { lists, tenants = {}, countries = {}, programmes = {} } = parseJsonObject(text, limits).value;
  if (!Array.isArray(lists) || lists.length === 0) throw new Error("the screening policy names no lists");
  const sources = lists.map(sourceOf);
  const names = sources.map(({ name }) => name);
  if (new Set(names).size < names.length) throw new Error("two lists of the screening policy have one name");
  return {
    lists: sources,
    tenants: new Map(entriesOf(tenants, "tenants").map(([tenant, said]) => [tenant, tenantOf(tenant, said, names)])),
    countries: new Map(
      entriesOf(countries, "countries").map(([country, said]) => [country, consequenceOf(country, said)]),
    ),
    programmes: new Map(entriesOf(programmes, "programmes").map(([name, said]) => [name, consequenceOf(name, said)])),
  };
}

function entriesOf(value: unknown, what: string): [string, unknown][] {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return Object.entries(value);
  throw new Error(`the screening policy has ${what} that are no object`);
}

function consequenceOf(of: string, said: unknown): Consequence {
  if (said === "reject" || said === "block") return said;
  throw new Error(`the screening policy says of ${of} neither reject nor block`);
}

const tenantOf = (tenant: string, said: unknown, names: readonly string[]) => {
  const { threshold, lists = {} } = Object(said) as Record<string, unknown>;
  const own = entriesOf(lists, `lists of ${tenant}`).map(([name, points]): [string, number] => {
    if (!names.includes(name)) throw new Error(`the screening policy gives ${tenant} a threshold of no list: ${name}`);
    return [name, thresholdOf(points, `${tenant}, ${name}`)];
  });
  return {
    threshold: threshold === undefined ? undefined : thresholdOf(threshold, tenant),
    lists: new Map(own),
  };
};

function thresholdOf(value: unknown, of: string): number {
  if (typeof value === "number" && value >= 70 && value <= 100) return value;
  throw new Error(`the screening policy needs a threshold from 70 to 100 for ${of}`);
}

function sourceOf(source: unknown, index: number): ListSource {
  const said = Object(source) as Record<string, unknown>;
  const where = `list ${index} of the screening policy`;
  const textOf = (field: string): string | undefined => {
    const value = said[field];
    if (value === undefined || (typeof value === "string" && value !== "")) return value;
    throw new Error(`${where} has a ${field} that is no text`);
  };
  const numberOf = (field: string): number | undefined => {
    const value = said[field];
    if (value === undefined || (typeof value === "number" && value > 0)) return value;
    throw new Error(`${where} has a ${field} that is no number above 0`);
  };
  const { name, format, file, url, sha256 } = Object.fromEntries(
    ["name", "format", "file", "url", "sha256"].map((field) => [field, textOf(field)]),
  );
  const known = listFormats.find((one) => one === format);
  if (name === undefined || !/^[a-z][a-z0-9-]{0,31}$/.test(name))
    throw new Error(`${where} needs a name of a-z, 0-9 and -`);
  if (known === undefined) throw new Error(`${where} needs a format: ${listFormats.join(", ")}`);
  if ((file === undefined) === (url === undefined)) throw new Error(`${where} needs a file or a url`);
  if (url !== undefined && !url.startsWith("https://")) throw new Error(`${where} has a url that is not https`);
  if (sha256 !== undefined && !/^[0-9a-f]{64}$/.test(sha256)) throw new Error(`${where} has a sha256 that is none`);
  return {
    ...{ name, format: known, from: file === undefined ? { url: url ?? "" } : { file }, sha256 },
    publicKeyFile: textOf("publicKeyFile"),
    leastBytes: numberOf("leastBytes") ?? 1,
    leastEntries: numberOf("leastEntries") ?? 1,
    maxAgeHours: numberOf("maxAgeHours"),
    ownership: ownershipOf(known, said["ownership"], name),
    threshold: said["threshold"] === undefined ? defaultThreshold : thresholdOf(said["threshold"], name),
  };
}

/** The EU and the United Kingdom count more than a half, and control; others count a half or more. */
const countsAbove: readonly ListFormat[] = ["eu-csv", "eu-xml", "uk-csv"];

/** `{"percent": 50, "above": true, "control": true}`, each with the list's usual value unless given. */
function ownershipOf(format: ListFormat, said: unknown, of: string): OwnershipRule {
  const habit = countsAbove.includes(format);
  const { percent = 50, above = habit, control = habit, ...unknown } = Object(said ?? {}) as Record<string, unknown>;
  const isPercent = typeof percent === "number" && Number.isInteger(percent) && percent >= 1 && percent <= 100;
  if (!isPercent || typeof above !== "boolean" || typeof control !== "boolean" || Object.keys(unknown).length > 0) {
    throw new Error(`the screening policy needs an ownership with percent, above and control alone for ${of}`);
  }
  return { percent, isAbove: above, countsControl: control };
}

/** Returns the points that make a hit for a tenant on a list. */
export function thresholdFor({ tenants }: ScreeningPolicy, tenant: string | undefined, list: ListSource): number {
  const own = tenant === undefined ? undefined : tenants.get(tenant);
  return own?.lists.get(list.name) ?? own?.threshold ?? list.threshold;
}
