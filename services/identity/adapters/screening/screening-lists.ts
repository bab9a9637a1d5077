import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import type { Clock } from "../../../shared/kernel/clock";
import type { Running } from "../../../shared/process/lifecycle";
import { errorFields, type Logger } from "../../../shared/process/logger";
import { repeat } from "../../../shared/process/repeat";
import type { Embargo } from "../../domain/payment-decision";
import {
  changedEntries,
  digestsOf,
  type Names,
  type ScreeningHit,
  type ScreeningList,
  screen,
} from "../../domain/screening";
import {
  type Consequence,
  type ListSource,
  parseScreeningPolicy,
  policyOfOneList,
  type ScreeningPolicy,
  thresholdFor,
} from "../../domain/screening-policy";
import type { Screening } from "../../ports";
import { loadList } from "./list-files";

/** A replaced file is in use within a second. */
const lookMs = 800;
const fetchMs = 3_600_000;
const hourMs = 3_600_000;
/** Versions from which records can be brought up to date by the changed entries only. */
const mostRemembered = 8;

/** All lists in use, with the policy that applies to them. */
interface Snapshot {
  version: string;
  policy: ScreeningPolicy;
  policyMark: string;
  lists: readonly ScreeningList[];
}

interface Remembered {
  version: string;
  policyMark: string;
  digests: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

export interface ScreeningListsDeps {
  logger: Logger;
  clock: Clock;
  /** Called when other lists, or another policy, have come into use. */
  onChange(): void;
}

/**
 * Opens the lists that a policy names, or the single list that the file is itself, and reads them again when they change. Throws if they
 * cannot be read at first; later, if a list cannot be read, those in use stay in force.
 */
export async function openScreeningLists(
  path: string,
  { logger, clock, onChange }: ScreeningListsDeps,
): Promise<Screening & Running & { staleLists(): number }> {
  let marks = await marksOf(path, (await readPolicy(path)).policy);
  let used = await readAll(path, undefined, marks, marks);
  let past: Remembered[] = [];
  let changes = new Map<string, readonly ScreeningList[]>();
  const announce = (): void =>
    logger.info(
      { listVersion: used.version, entries: used.lists.reduce((sum, { entries }) => sum + entries.length, 0) },
      "screening lists loaded",
    );
  announce();

  const look = async (): Promise<void> => {
    const present = await marksOf(path, used.policy);
    if (sameMarks(present, marks)) return;
    const before = marks;
    marks = present;
    const next = await readAll(path, used, before, present);
    if (next.version === used.version) return;
    past = [rememberedOf(used), ...past].slice(0, mostRemembered);
    changes = changesSince(past, next);
    used = next;
    announce();
    onChange();
  };
  const looking = repeat(lookMs, look, (error) =>
    logger.error(errorFields(error), "a screening list cannot be read; what is in use stays in force"),
  );
  const stale = (): readonly ListSource[] => staleOf(used, clock.now());
  return {
    version: () => used.version,
    screen: (...people) => ({ hits: hitsOf(used, used.lists, undefined, people), listVersion: used.version }),
    screenFor: (tenant, ...people) => ({
      hits: hitsOf(used, used.lists, tenant, people),
      listVersion: used.version,
    }),
    screenChanges(version, tenant, ...people) {
      const lists = changes.get(version);
      if (lists === undefined) return undefined;
      return { hits: hitsOf(used, lists, tenant, people), listVersion: used.version };
    },
    embargo: (countries, hits) => {
      const { policy } = used;
      const programmes = hits.flatMap(({ entry }) => entry?.programmes ?? []);
      const found = [...embargoesOn(countries, policy.countries), ...embargoesOn(programmes, policy.programmes)];
      return found.find(({ consequence }) => consequence === "reject") ?? found[0];
    },
    ownershipRule: (list) => used.policy.lists.find(({ name }) => name === list)?.ownership,
    tooOld: () => stale()[0]?.name,
    staleLists: () => stale().length,
    stop: () => looking.stop(),
  };
}

const embargoesOn = (names: readonly string[], consequences: ReadonlyMap<string, Consequence>): Embargo[] =>
  names.flatMap((on) => {
    const consequence = consequences.get(on);
    return consequence === undefined ? [] : [{ on, consequence }];
  });

function hitsOf(
  { policy }: Snapshot,
  lists: readonly ScreeningList[],
  tenant: string | undefined,
  people: readonly Names[],
): readonly ScreeningHit[] {
  const hits = lists.flatMap((list) => {
    const source = policy.lists.find(({ name }) => name === list.name);
    return source === undefined ? [] : screen(list, people, thresholdFor(policy, tenant, source));
  });
  return lists.length === 1 ? hits : hits.toSorted((one, other) => other.likeness - one.likeness);
}

const staleOf = ({ lists, policy }: Snapshot, now: Date): readonly ListSource[] =>
  policy.lists.filter(({ name, maxAgeHours }) => {
    const madeAt = lists.find((list) => list.name === name)?.madeAt;
    if (maxAgeHours === undefined) return false;
    return madeAt === undefined || now.getTime() - madeAt.getTime() > maxAgeHours * hourMs;
  });

/** Returns a mark that changes with the content of a file, without reading it; for an address, the hour in which it is fetched. */
async function markOf(from: ListSource["from"] | { file: string }): Promise<string> {
  if ("url" in from) return `${Math.floor(performance.now() / fetchMs)}`;
  const { mtimeMs, size, ino } = await stat(from.file);
  return `${mtimeMs} ${size} ${ino}`;
}

async function marksOf(path: string, policy: ScreeningPolicy | undefined): Promise<ReadonlyMap<string, string>> {
  const marks = new Map([["", await markOf({ file: path })]]);
  for (const { name, from } of policy?.lists ?? []) if (name !== "") marks.set(name, await markOf(from));
  return marks;
}

const sameMarks = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean =>
  one.size === other.size && [...one].every(([name, mark]) => other.get(name) === mark);

async function readPolicy(path: string): Promise<Pick<Snapshot, "policy" | "policyMark">> {
  const text = await readFile(path, "utf8");
  if (!/^\s*\{[^[{]*"lists"\s*:/.test(text)) return { policy: policyOfOneList(path), policyMark: "" };
  const policyMark = createHash("sha256").update(text).digest("hex").slice(0, 8);
  return { policy: parseScreeningPolicy(text), policyMark };
}

async function readAll(
  path: string,
  used: Snapshot | undefined,
  before: ReadonlyMap<string, string>,
  present: ReadonlyMap<string, string>,
): Promise<Snapshot> {
  const { policy, policyMark } = await readPolicy(path);
  const lists: ScreeningList[] = [];
  for (const source of policy.lists) {
    const known = used?.lists.find(({ name }) => name === source.name);
    const isSame = used?.policyMark === policyMark && before.get(source.name) === present.get(source.name);
    lists.push(known !== undefined && isSame && source.name !== "" ? known : await loadList(source));
  }
  const version = lists.map(({ name, version: own }) => (name === "" ? own : `${name}@${own}`)).join("+");
  return { version: policyMark === "" ? version : `${version}~${policyMark}`, policy, policyMark, lists };
}

const rememberedOf = ({ version, policyMark, lists }: Snapshot): Remembered => ({
  version,
  policyMark,
  digests: new Map(lists.map((list) => [list.name, digestsOf(list)])),
});

/** Under another policy every record is screened against every entry. */
const changesSince = (past: readonly Remembered[], next: Snapshot): Map<string, readonly ScreeningList[]> =>
  new Map(
    past
      .filter(({ policyMark }) => policyMark === next.policyMark)
      .map(({ version, digests }) => [
        version,
        next.lists.map((list) => changedEntries(list, digests.get(list.name) ?? new Map())),
      ]),
  );
