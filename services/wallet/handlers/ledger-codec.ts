import type { JournalEntry, LedgerPosting } from "../../../proto/gen/corridor/wallet/v1/ledger";
import { assetDigits } from "../../shared/kernel/assets";
import { DomainError, invalid } from "../../shared/kernel/errors";
import { isFundingPath, isPromisePath } from "../domain/account";
import type { Posting } from "../domain/command";
import type { Entry } from "../domain/entry";
import type { EntryPlace } from "../operations/list-entries";

export const decodePosting = ({ account, currency, minor }: LedgerPosting): Posting => ({
  path: account,
  asset: currency,
  minor,
});

/** Where an account is in the chart of accounts. */
export interface AccountName {
  path: string;
  asset: string;
}

/** Path and asset of a platform account by its id, `<path>/<asset>/<shard>`; undefined for a wallet. */
function platformName(id: string): AccountName | undefined {
  const parts = id.split("/");
  const asset = parts.at(-2);
  return parts.length < 4 || asset === undefined ? undefined : { path: parts.slice(0, -2).join("/"), asset };
}

/** An entry for operators; wallets are named by `names`. */
export function encodeEntry(entry: Entry, names: ReadonlyMap<string, AccountName>): JournalEntry {
  const { id, kind, label, tenant, at, paymentId, parent, description, links, moves } = entry;
  return {
    entryId: id,
    kind,
    label,
    tenant,
    at,
    paymentId,
    parent,
    // All other descriptions are a caller's, and sealed.
    reason: kind === "correction" ? description : undefined,
    links: [...(links ?? [])],
    moves: moves.map(({ account, line, minor }) => {
      const name = platformName(account) ?? names.get(account);
      const path = platformName(account) === undefined ? `${name?.path ?? "wallets"}/${account}` : (name?.path ?? "");
      return { account: path, currency: name?.asset ?? "", line, minor };
    }),
  };
}

/** The cursor of a page, opaque to callers. */
export const encodePlace = ({ atMs, key, seq }: EntryPlace): string =>
  Buffer.from(JSON.stringify([atMs, key, seq])).toString("base64url");

export function decodePlace(cursor: string): EntryPlace {
  try {
    const [atMs, key, seq]: unknown[] = JSON.parse(Buffer.from(cursor, "base64url").toString()) as unknown[];
    if (typeof atMs === "number" && typeof key === "string" && typeof seq === "number") return { atMs, key, seq };
  } catch {
    // Refused below, like any other text that is not a cursor.
  }
  throw invalid([{ field: "after", message: "must be `next` of an earlier page" }]);
}

/** Refuses an account that has no promises, and an unknown currency. */
export function requirePromiseAccount(account: string, currency: string): void {
  const violations = [];
  if (!isPromisePath(account)) {
    violations.push({ field: "account", message: "must be tenant/<slug>/funding or provider/<name>/clearing" });
  }
  if (assetDigits(currency) === undefined) violations.push({ field: "currency", message: "must be a known currency" });
  if (violations.length > 0) throw invalid(violations);
}

/** Refuses all but a tenant's funding account: no other account has a floor. */
export function requireFundingAccount(account: string, currency: string): void {
  requirePromiseAccount(account, currency);
  if (!isFundingPath(account)) throw invalid([{ field: "account", message: "must be tenant/<slug>/funding" }]);
}

export const entryNotFound = (): DomainError => new DomainError("RECORD_NOT_FOUND", "there is no such entry");
