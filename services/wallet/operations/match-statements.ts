import type { Clock } from "../../shared/kernel/clock";
import type { Transact, Tx } from "../../shared/storage/mongo";
import {
  type BookedMove,
  entryIdsOf,
  type Gap,
  gapsToAsk,
  isMissing,
  isSameLine,
  lineEntryId,
  type Matching,
  makeMatching,
  numberAlias,
  numberingAfter,
  type StatementLine,
} from "../domain/statement";
import type { Ledger, StatementPage, StatementSource } from "../ports";
import type { AccountStore } from "../store/account-store";
import type { BookedRow, RowStore } from "../store/row-store";
import type { SourceState, StatementStore } from "../store/statement-store";

export interface MatchStatementsDeps {
  transact: Transact;
  ledger: Ledger;
  accounts: Pick<AccountStore, "ofPath">;
  rows: Pick<RowStore, "range">;
  statements: Pick<StatementStore, "source" | "saveSource" | "items" | "saveItems" | "resolve">;
  clock: Clock;
}

/** Reads what is new in a provider's statement and on our clearing account, and matches the two. */
export type MatchStatements = (source: StatementSource) => Promise<void>;

const pageSize = 500;
/** Bounds of what one run reads again for lines that are missing. */
const [mostPlaces, mostPagesAgain] = [3, 200];

/**
 * Reads both a page at a time from where the last run ended. The changes of a page and the new place are written together,
 * so the next run resumes where a run died. The account is read last, to include what the statement made us post.
 */
export const makeMatchStatements =
  (deps: MatchStatementsDeps): MatchStatements =>
  async (source) => {
    let state = await deps.statements.source(source.provider);
    for await (const page of source.read(state.cursor)) state = await keepPage(deps, state, page);
    for (const gap of gapsToAsk(state.gaps, mostPlaces)) state = await fillGap(deps, source, state, gap);
    const readAt = deps.clock.now();
    for (const account of await deps.accounts.ofPath(`provider/${source.provider}/clearing`)) {
      const last = account.lines.settled.seq;
      for (let after = state.positions[account.id] ?? 0; after < last; ) {
        const until = Math.min(after + pageSize, last);
        const rows = await deps.rows.range(account.id, "settled", after, until);
        state = advance(state, { positions: { ...state.positions, [account.id]: until } });
        await keepMoves(deps, state, rows, account.asset);
        after = until;
      }
    }
    const read = advance(state, { readAt });
    await deps.transact((tx) => deps.statements.saveSource(tx, read));
  };

const advance = (state: SourceState, changes: Partial<SourceState>): SourceState => ({
  ...state,
  ...changes,
  revision: state.revision + 1,
});

async function keepPage(deps: MatchStatementsDeps, state: SourceState, page: StatementPage): Promise<SourceState> {
  const { provider } = state;
  const fees = await newFees(deps, provider, page.lines);
  await Promise.all(fees.map((line) => postFee(deps, provider, line)));
  const now = deps.clock.now();
  // Starts from the page before, because the place where this page begins may already be past the gap.
  const place = state.lastPlace ?? page.place;
  const numbering = page.lines.reduce((known, { sequence }) => numberingAfter(known, sequence, { place, now }), {
    last: state.last,
    gaps: state.gaps,
  });
  const next = advance(state, { ...numbering, cursor: page.cursor, lastPlace: page.place });
  const ids = page.lines.flatMap((line) => [...entryIdsOf(provider, line), line.lineId, numberAlias(line)]);
  const references = page.lines.map(({ reference }) => reference);
  await deps.transact(async (tx) => {
    await keep(deps, tx, next, { ids, references }, (matching) => {
      for (const line of page.lines) matching.addLine(line);
    });
  });
  return next;
}

/**
 * Reads again from a gap's place until the numbers are past the missing ones, and keeps only the missing lines: the items that other
 * lines matched may have been removed. A place that cannot be read, for example an old one, does not stop the run: the gap remains a
 * break.
 */
async function fillGap(
  deps: MatchStatementsDeps,
  source: StatementSource,
  before: SourceState,
  { place }: Gap,
): Promise<SourceState> {
  const isHere = (gap: Gap): boolean => gap.place === place;
  const until = Math.max(...before.gaps.filter(isHere).map((gap) => gap.until));
  const askedAt = deps.clock.now();
  let state: SourceState = { ...before, gaps: before.gaps.map((gap) => (isHere(gap) ? { ...gap, askedAt } : gap)) };
  let from = place;
  const pages = source.read(place)[Symbol.asyncIterator]();
  try {
    for (let count = 0; count < mostPagesAgain; count += 1) {
      const page = await nextOf(pages);
      if (page === undefined) break;
      const lines = page.lines.filter(({ sequence }) => isMissing(state.gaps, sequence));
      if (lines.length > 0) {
        state = await keepPage(deps, state, { ...page, lines, cursor: state.cursor });
        const { lastPlace } = before;
        state = { ...state, lastPlace, gaps: movedOn(state.gaps, lines, from, page.place) };
        from = page.place;
      }
      if (page.lines.some(({ sequence }) => sequence > until)) break;
    }
  } finally {
    await pages.return?.();
  }
  return state;
}

async function nextOf(pages: AsyncIterator<StatementPage>): Promise<StatementPage | undefined> {
  try {
    const next = await pages.next();
    return next.done === true ? undefined : next.value;
  } catch {
    return undefined;
  }
}

/** Moves the place of a gap to the page of a line that was found: the lines that are still missing are looked for from there. */
function movedOn(
  gaps: readonly Gap[],
  found: readonly StatementLine[],
  place: string | undefined,
  next: string | undefined,
): Gap[] {
  const last = Math.max(...found.map(({ sequence }) => sequence));
  return gaps.map((gap) => (gap.place === place && gap.from > last ? { ...gap, place: next } : gap));
}

/** Returns the fees of a page, without those whose number another line has had: people must decide which of the two is true. */
async function newFees(
  { transact, statements }: MatchStatementsDeps,
  provider: string,
  lines: readonly StatementLine[],
): Promise<StatementLine[]> {
  const fees = lines.filter(({ kind }) => kind === "FEE");
  if (fees.length === 0) return fees;
  const aliases = fees.map((line) => `${provider}/${numberAlias(line)}`);
  const references = fees.map(({ reference }) => reference);
  const items = await transact((tx) => statements.items(tx, provider, aliases, references));
  const known = [...items.flatMap((item) => item.lines), ...lines];
  return fees.filter((fee) => {
    const first = known.find(({ sequence }) => sequence === fee.sequence);
    return first === undefined || isSameLine(first, fee);
  });
}

/** Posts a provider's fee, once. Only the statement reports it. */
async function postFee({ ledger }: MatchStatementsDeps, provider: string, line: StatementLine): Promise<void> {
  if (line.kind !== "FEE" || line.minor === 0n) return;
  const { asset, minor, lineId } = line;
  const postings = [
    { path: "platform/provider-fees", asset, minor: -minor },
    { path: `provider/${provider}/clearing`, asset, minor },
  ];
  const id = lineEntryId(provider, line);
  const facts = { externalId: lineId, label: "provider-fee", description: "charged by the provider", links: [lineId] };
  const hashes = { fee: `${provider} ${asset} ${minor}` };
  await ledger.submit({ kind: "correction", id, tenant: "", hashes, ...facts, postings });
}

async function keepMoves(
  deps: MatchStatementsDeps,
  state: SourceState,
  rows: readonly BookedRow[],
  asset: string,
): Promise<void> {
  const moves = rows.map((one) => moveOf(one, asset));
  const ids = moves.flatMap(({ entryId, links }) => [entryId, ...links]);
  const references = moves.map(({ paymentId, entryId }) => paymentId ?? entryId);
  await deps.transact(async (tx) => {
    await keep(deps, tx, state, { ids, references }, (matching) => {
      for (const move of moves) matching.addMove(move);
    });
  });
}

const moveOf = ({ row, entry: { paymentId, links = [] } }: BookedRow, asset: string): BookedMove => ({
  entryId: row.entry,
  paymentId,
  links,
  asset,
  minor: row.minor,
  at: row.at,
});

/** Writes together the items of a page, the breaks that it resolves and the place it reached. */
async function keep(
  { statements, clock }: MatchStatementsDeps,
  tx: Tx,
  state: SourceState,
  { ids, references }: { ids: readonly string[]; references: readonly string[] },
  add: (matching: Matching) => void,
): Promise<void> {
  const { provider } = state;
  const aliases = ids.map((id) => `${provider}/${id}`);
  const present = await statements.items(tx, provider, [...new Set(aliases)], [...new Set(references)]);
  const now = clock.now();
  const matching = makeMatching(provider, present, now);
  add(matching);
  const changed = matching.changed();
  for (const { id, isOpen, brokenAt } of changed) {
    if (!isOpen && brokenAt !== undefined) await statements.resolve(tx, id, "the books agree", now);
  }
  await statements.saveItems(
    tx,
    changed.map((item) => (item.isOpen ? item : { ...item, brokenAt: undefined })),
    now,
  );
  await statements.saveSource(tx, state);
}
