import { formatMinor } from "../../shared/kernel/assets";
import { type Clock, plusMs } from "../../shared/kernel/clock";
import type { Transact } from "../../shared/storage/mongo";
import { classOf, type Item, legOf, sideOf } from "../domain/statement";
import type { CaseBook } from "../ports";
import type { AccountStore } from "../store/account-store";
import type { Break, SourceState, StatementStore } from "../store/statement-store";
import type { SuspenseStore } from "../store/suspense-store";

export interface FindBreaksDeps {
  transact: Transact;
  statements: StatementStore;
  suspense: SuspenseStore;
  accounts: Pick<AccountStore, "ofPath">;
  /** Undefined where no cases are opened. */
  caseBook: CaseBook | undefined;
  /** An item that stays open longer is a break, milliseconds. */
  graceMs: number;
  clock: Clock;
}

/** Turns lasting differences into breaks, and opens a case for each. */
export type FindBreaks = (providers: readonly string[]) => Promise<void>;

const pageSize = 200;
const dayMs = 86_400_000;
/** Most ids of payments, lines or entries that a break names. */
const mostIds = 100;

export const makeFindBreaks =
  (deps: FindBreaksDeps): FindBreaks =>
  async (providers) => {
    for (const provider of providers) {
      const source = await deps.statements.source(provider);
      await breakItems(deps, source);
      await breakGaps(deps, source);
    }
    await breakSuspense(deps);
    await openCases(deps);
  };

/** Reports only items that both books have had time to show: until both are read to their ends again, the rest may still agree. */
async function breakItems(
  { transact, statements, clock, graceMs }: FindBreaksDeps,
  { provider, readAt }: SourceState,
): Promise<void> {
  if (readAt === undefined) return;
  const now = clock.now();
  for (;;) {
    const overdue = await statements.overdue(provider, plusMs(readAt, -graceMs), pageSize);
    if (overdue.length === 0) return;
    await transact(async (tx) => {
      for (const item of overdue) await statements.find(tx, breakOf(item, now));
      await statements.saveItems(
        tx,
        overdue.map((item) => ({ ...item, brokenAt: now })),
        now,
      );
    });
  }
}

const ofNoMovement = { paymentIds: [], leg: undefined, lineIds: [], entryIds: [] } as const;
const unresolved = { resolvedAt: undefined, resolution: undefined, caseId: undefined };

function breakOf({ id, provider, reference, lines, moves, since }: Item, now: Date): Break {
  const [ours, theirs] = [sideOf(moves), sideOf(lines)];
  const say = (side: typeof ours): string =>
    side === undefined ? "nothing" : `${formatMinor(side.minor, side.asset)} ${side.asset}`;
  const paymentIds = [...new Set(moves.flatMap(({ paymentId }) => paymentId ?? []))].slice(0, mostIds);
  const numbers = lines.map(({ lineId, kind }) => `${kind} ${lineId}`).join(", ");
  const detail =
    `our account has ${say(ours)}, the statement of ${provider} has ${say(theirs)} since ${since.toISOString()}; ` +
    `lines: ${numbers || "none"}; entries: ${moves.map(({ entryId }) => entryId).join(", ") || "none"}`;
  const named = {
    leg: legOf(lines),
    lineIds: lines.map(({ lineId }) => lineId).slice(0, mostIds),
    entryIds: moves.map(({ entryId }) => entryId).slice(0, mostIds),
  };
  const facts = { provider, reference, paymentIds, ours, theirs, detail, foundAt: now, ...named };
  return { id, class: classOf({ lines, moves }), ...facts, ...unresolved };
}

/** Reports gaps: a number missing from the statement is a line that we may not have seen. */
async function breakGaps(
  { transact, statements, clock, graceMs }: FindBreaksDeps,
  { provider, gaps }: SourceState,
): Promise<void> {
  const now = clock.now();
  const old = gaps.filter(({ since }) => since < plusMs(now, -graceMs));
  const nameOf = (from: number, until: number): string => `gap/${provider}/${from}-${until}`;
  const present = new Set(gaps.map(({ from, until }) => nameOf(from, until)));
  const known = (await allUnresolved(statements)).filter((one) => one.class === "GAP" && one.provider === provider);
  await transact(async (tx) => {
    for (const { from, until, since } of old) {
      const detail = `the statement of ${provider} has no lines ${from} to ${until} since ${since.toISOString()}`;
      const sides = { ours: undefined, theirs: undefined, reference: `${from}-${until}`, ...ofNoMovement };
      const found = { id: nameOf(from, until), class: "GAP", provider, detail, foundAt: now, ...sides } as const;
      await statements.find(tx, { ...found, ...unresolved });
    }
    for (const { id } of known) {
      if (!present.has(id)) await statements.resolve(tx, id, "the missing lines have arrived", now);
    }
  });
}

async function allUnresolved(statements: FindBreaksDeps["statements"]): Promise<Break[]> {
  const found: Break[] = [];
  for (let after = ""; ; ) {
    const page = await statements.breaks("unresolved", after, pageSize);
    found.push(...page);
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return found;
    after = last.id;
  }
}

/** Reports suspense that is not cleared within a day. */
async function breakSuspense(deps: FindBreaksDeps): Promise<void> {
  const { transact, statements, suspense, accounts, clock } = deps;
  const now = clock.now();
  const sums = new Map<string, bigint>();
  for (const { asset, lines } of await accounts.ofPath("platform/suspense")) {
    sums.set(asset, (sums.get(asset) ?? 0n) + lines.settled.minor);
  }
  for (const [asset, minor] of sums) {
    const id = `suspense/${asset}`;
    const since = await suspense.since(asset, minor !== 0n, now);
    await transact(async (tx) => {
      if (since === undefined) await statements.resolve(tx, id, "suspense is zero", now);
      else if (since <= plusMs(now, -dayMs)) {
        const detail = `platform/suspense holds ${formatMinor(minor, asset)} ${asset}, and was not zero since ${since.toISOString()}`;
        const sides = { ours: { asset, minor }, theirs: undefined, reference: asset, ...ofNoMovement };
        const found = { id, class: "SUSPENSE", provider: "", detail, foundAt: now, ...sides } as const;
        await statements.find(tx, { ...found, ...unresolved });
      }
    });
  }
}

/** Opens a case for each break that has none. The break stays on the list until that succeeds. */
async function openCases({ statements, caseBook }: FindBreaksDeps): Promise<void> {
  if (caseBook === undefined) return;
  for (let after = ""; ; ) {
    const page = await statements.breaks("untold", after, pageSize);
    for (const found of page) await statements.markTold(found.id, await caseBook.open(found));
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return;
    after = last.id;
  }
}
