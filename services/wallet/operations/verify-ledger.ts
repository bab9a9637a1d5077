import { type Anchor, type Anchors, standingAnchors } from "../../shared/crypto/anchor";
import type { Account } from "../domain/account";
import { lineNames } from "../domain/account";
import type { Checkpoint } from "../domain/checkpoint";
import { holdEndId } from "../domain/command";
import type { Entry } from "../domain/entry";
import type { LedgerKeys } from "../domain/ledger-keys";
import {
  checkAnchor,
  checkCounts,
  checkEntry,
  checkExpiry,
  checkFloor,
  checkHeads,
  checkMark,
  checkSeal,
  type Finding,
  isOurs,
  linesOf,
  walkLine,
} from "../domain/verification";
import type { AccountStore } from "../store/account-store";
import type { CheckpointStore } from "../store/checkpoint-store";
import type { EntryStore } from "../store/entry-store";
import type { HoldExpiryStore } from "../store/hold-expiry-store";
import type { RowStore } from "../store/row-store";

export interface VerifyLedgerDeps {
  accounts: Pick<AccountStore, "all">;
  entries: Pick<EntryStore, "all" | "findMany">;
  rows: Pick<RowStore, "range" | "hashes">;
  checkpoints: Pick<CheckpointStore, "all" | "sealsOf">;
  expiries: Pick<HoldExpiryStore, "timesOf">;
  /** The places outside of the store where checkpoints are anchored. */
  anchors: readonly Anchors[];
  keys: LedgerKeys;
}

/** The result of a verification of the whole ledger. */
export interface LedgerReport {
  accounts: number;
  entries: number;
  rows: number;
  checkpoints: number;
  /** Number of anchors outside of the store that could be read. */
  anchors: number;
  /** The first of each line, at most 100 in all; empty when the ledger is sound. */
  findings: Finding[];
}

export type VerifyLedger = () => Promise<LedgerReport>;

const pageSize = 500;
const maxFindings = 100;

/**
 * Verifies the whole ledger while writes go on: first the anchors outside of it, then the journal, then each account up to
 * its state when it was read, then what the checkpoints sealed. Concurrent writes can only add rows, never remove them.
 */
export const makeVerifyLedger =
  (deps: VerifyLedgerDeps): VerifyLedger =>
  async () => {
    const report: LedgerReport = { accounts: 0, entries: 0, rows: 0, checkpoints: 0, anchors: 0, findings: [] };
    await compareAnchors(deps, report);
    const assets = new Map<string, string>();
    for await (const { id, asset } of deps.accounts.all()) assets.set(id, asset);
    const moves = await walkJournal(deps, report, assets);
    for await (const account of deps.accounts.all()) {
      report.accounts += 1;
      report.findings.push(...checkFloor(account), ...checkCounts(account, moves));
      for (const name of lineNames) report.findings.push(...(await walkRows(deps, report, account, name)));
      if (report.findings.length >= maxFindings) break;
    }
    await walkCheckpoints(deps, report);
    report.findings.splice(maxFindings);
    return report;
  };

/** Compares the checkpoints with their anchors outside of the store. */
export async function compareAnchors(
  { anchors, checkpoints, keys }: Pick<VerifyLedgerDeps, "anchors" | "checkpoints" | "keys">,
  report: Pick<LedgerReport, "anchors" | "findings">,
): Promise<void> {
  const read = await Promise.allSettled(anchors.map((place) => place.latest()));
  const found = read.flatMap((result) => (result.status === "fulfilled" ? anchorsThatCount(keys, result.value) : []));
  const seals = await checkpoints.sealsOf(found.map(({ number }) => number));
  report.anchors += found.length;
  report.findings.push(...found.flatMap((anchor) => checkAnchor(keys, anchor, seals.get(anchor.number))));
}

/**
 * Returns the anchors of one place that still count. Anchors of a key that has been removed do not count once a later anchor has our
 * signature: that one proves a later checkpoint, and so all before it.
 */
function anchorsThatCount(keys: LedgerKeys, all: readonly Anchor[]): Anchor[] {
  const ours = (anchor: Anchor): boolean => isOurs(keys, anchor);
  const standing = standingAnchors(all, ours);
  const last = standing.findLastIndex(ours);
  return standing.filter((anchor, at) => at > last || ours(anchor));
}

/** Checks each entry by itself; returns how many moves the journal has on each line. */
async function walkJournal(
  deps: VerifyLedgerDeps,
  report: LedgerReport,
  assets: ReadonlyMap<string, string>,
): Promise<Map<string, number>> {
  const moves = new Map<string, number>();
  const holds: Entry[] = [];
  for await (const entry of deps.entries.all()) {
    report.entries += 1;
    report.findings.push(...checkMark(deps.keys, entry), ...checkEntry(entry, (account) => assets.get(account)));
    for (const line of linesOf(entry)) moves.set(line, (moves.get(line) ?? 0) + 1);
    if (entry.expiresAt !== undefined) holds.push(entry);
    if (holds.length >= pageSize) report.findings.push(...(await checkHolds(deps, holds.splice(0))));
    if (report.findings.length >= maxFindings) break;
  }
  report.findings.push(...(await checkHolds(deps, holds)));
  return moves;
}

/** Reads the ends of holds after their expiries, so a hold that ends meanwhile counts as ended. */
async function checkHolds({ expiries, entries }: VerifyLedgerDeps, holds: readonly Entry[]): Promise<Finding[]> {
  if (holds.length === 0) return [];
  const times = await expiries.timesOf(holds.map(({ id }) => id));
  const ends = await entries.findMany(holds.map(({ id }) => holdEndId(id)));
  return holds.flatMap((hold) => (ends.has(holdEndId(hold.id)) ? [] : checkExpiry(hold, times.get(hold.id))));
}

async function walkRows(
  { rows, keys }: VerifyLedgerDeps,
  report: LedgerReport,
  account: Account,
  name: (typeof lineNames)[number],
): Promise<Finding[]> {
  const stored = account.lines[name];
  const walk = walkLine(keys, account, name, stored);
  for (let after = 0; after < stored.seq; after += pageSize) {
    const page = await rows.range(account.id, name, after, Math.min(after + pageSize, stored.seq));
    for (const { row, entry } of page) walk.next(row, entry);
    report.rows += page.length;
  }
  return walk.finish().slice(0, 1);
}

async function walkCheckpoints({ checkpoints, rows, keys }: VerifyLedgerDeps, report: LedgerReport): Promise<void> {
  let previous: Checkpoint | undefined;
  for await (const checkpoint of checkpoints.all()) {
    report.checkpoints += 1;
    report.findings.push(...checkSeal(keys, previous, checkpoint));
    for (let from = 0; from < checkpoint.heads.length; from += pageSize) {
      const heads = checkpoint.heads.slice(from, from + pageSize);
      report.findings.push(...checkHeads({ ...checkpoint, heads }, await rows.hashes(heads)));
    }
    previous = checkpoint;
    if (report.findings.length >= maxFindings) break;
  }
}
