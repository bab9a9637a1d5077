import type { Account } from "../domain/account";
import { lineNames } from "../domain/account";
import type { Checkpoint } from "../domain/checkpoint";
import type { Row } from "../domain/entry";
import {
  checkCounts,
  checkEntry,
  checkFloor,
  checkHeads,
  checkSeal,
  type Finding,
  linesOf,
  walkLine,
} from "../domain/verification";
import type { AccountStore } from "../store/account-store";
import type { CheckpointStore } from "../store/checkpoint-store";
import type { EntryStore } from "../store/entry-store";
import type { RowStore } from "../store/row-store";

export interface VerifyLedgerDeps {
  accounts: Pick<AccountStore, "all">;
  entries: Pick<EntryStore, "all" | "findMany">;
  rows: Pick<RowStore, "range" | "hashes">;
  checkpoints: Pick<CheckpointStore, "all">;
  key: Buffer;
}

/** What a walk over the whole ledger saw. */
export interface LedgerReport {
  accounts: number;
  entries: number;
  rows: number;
  checkpoints: number;
  /** The first of each line, at most 100 in all; none when everything is as it was written. */
  findings: Finding[];
}

export type VerifyLedger = () => Promise<LedgerReport>;

const pageSize = 500;
const maxFindings = 100;

/**
 * Walks the whole ledger while writes go on: the journal first, then each account up to where it stood when it was read,
 * then what the checkpoints have sealed. What is written meanwhile can only add rows, never take them away.
 */
export const makeVerifyLedger =
  (deps: VerifyLedgerDeps): VerifyLedger =>
  async () => {
    const report: LedgerReport = { accounts: 0, entries: 0, rows: 0, checkpoints: 0, findings: [] };
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

/** Checks each entry by itself; returns how many moves the journal has on each line. */
async function walkJournal(
  { entries }: VerifyLedgerDeps,
  report: LedgerReport,
  assets: ReadonlyMap<string, string>,
): Promise<Map<string, number>> {
  const moves = new Map<string, number>();
  for await (const entry of entries.all()) {
    report.entries += 1;
    report.findings.push(...checkEntry(entry, (account) => assets.get(account)));
    for (const line of linesOf(entry)) moves.set(line, (moves.get(line) ?? 0) + 1);
    if (report.findings.length >= maxFindings) break;
  }
  return moves;
}

async function walkRows(
  { rows, entries }: VerifyLedgerDeps,
  report: LedgerReport,
  account: Account,
  name: (typeof lineNames)[number],
): Promise<Finding[]> {
  const stored = account.lines[name];
  const walk = walkLine(account, name, stored);
  for (let after = 0; after < stored.seq; after += pageSize) {
    const page = await rows.range(account.id, name, after, Math.min(after + pageSize, stored.seq));
    const entryById = await entries.findMany(page.map(({ entry }: Row) => entry));
    for (const row of page) walk.next(row, entryById.get(row.entry));
    report.rows += page.length;
  }
  return walk.finish().slice(0, 1);
}

async function walkCheckpoints({ checkpoints, rows, key }: VerifyLedgerDeps, report: LedgerReport): Promise<void> {
  let previous: Checkpoint | undefined;
  for await (const checkpoint of checkpoints.all()) {
    report.checkpoints += 1;
    report.findings.push(...checkSeal(key, previous, checkpoint));
    for (let from = 0; from < checkpoint.heads.length; from += pageSize) {
      const heads = checkpoint.heads.slice(from, from + pageSize);
      report.findings.push(...checkHeads({ ...checkpoint, heads }, await rows.hashes(heads)));
    }
    previous = checkpoint;
    if (report.findings.length >= maxFindings) break;
  }
}
