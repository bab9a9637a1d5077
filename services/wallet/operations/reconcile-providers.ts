import { DomainError } from "../../shared/errors";
import type { Account } from "../domain/account";
import { type OurRecord, type Reconciliation, reconcile } from "../domain/reconciliation";
import type { ProviderBook } from "../ports";
import type { AccountStore } from "../store/account-store";
import type { EntryStore } from "../store/entry-store";
import type { RowStore } from "../store/row-store";

export interface ReconcileProvidersDeps {
  /** Undefined when no book is configured. */
  book: ProviderBook | undefined;
  accounts: Pick<AccountStore, "ofPaths">;
  rows: Pick<RowStore, "range">;
  entries: Pick<EntryStore, "findMany">;
}

export type ReconcileProviders = () => Promise<Reconciliation>;

const pageSize = 500;
const clearingPath = /^provider\/([^/]+)\/clearing$/;

/**
 * Compares what our clearing accounts say with the providers' own book. Theirs is read first: what we booked while it was
 * read is then here and may be missing there, so a run is repeated before anybody acts on `MISSING_THERE`.
 */
export const makeReconcileProviders =
  (deps: ReconcileProvidersDeps): ReconcileProviders =>
  async () => {
    if (deps.book === undefined) throw new DomainError("UNAVAILABLE", "no book of providers is configured");
    const theirs = await deps.book.read();
    const ours: OurRecord[] = [];
    for (const account of await deps.accounts.ofPaths("provider/")) {
      const [, provider] = clearingPath.exec(account.path) ?? [];
      if (provider !== undefined) ours.push(...(await recordsOf(deps, account, provider)));
    }
    return reconcile(ours, theirs);
  };

/** What the rows of one clearing account say, by payment. */
async function recordsOf(
  { rows, entries }: ReconcileProvidersDeps,
  { id, asset, lines }: Account,
  provider: string,
): Promise<OurRecord[]> {
  const sums = new Map<string, bigint>();
  const last = lines.settled.seq;
  for (let after = 0; after < last; after += pageSize) {
    const page = await rows.range(id, "settled", after, Math.min(after + pageSize, last));
    const entryById = await entries.findMany(page.map(({ entry }) => entry));
    for (const { entry, minor } of page) {
      const paymentId = entryById.get(entry)?.paymentId ?? entry;
      sums.set(paymentId, (sums.get(paymentId) ?? 0n) + minor);
    }
  }
  return Array.from(sums, ([paymentId, minor]) => ({ provider, paymentId, asset, minor }));
}
