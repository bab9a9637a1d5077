import { assetDigits, assetMinor } from "../../shared/kernel/assets";
import { DomainError, invalid } from "../../shared/kernel/errors";
import { type Decimal, money } from "../../shared/kernel/money";
import { type Account, availableOf, isPlatformPath, isPromisePath, type WalletAccount } from "./account";
import type { Book, Draft } from "./book";
import type { Command, Posting, Release } from "./command";
import { contentVersion } from "./content";
import type { EntryKind } from "./entry";

/** The refusal of an object that does not exist or belongs to another tenant: both get the same answer. */
export const walletNotFound = (what: "wallet" | "transaction" | "transfer"): DomainError =>
  new DomainError("WALLET_NOT_FOUND", `there is no such ${what}`);

/** Returns the account if it is a wallet of the tenant. */
export function requireOwnWallet(account: Account | undefined, tenant: string): WalletAccount {
  if (account?.wallet === undefined || account.tenant !== tenant) throw walletNotFound("wallet");
  return { ...account, wallet: account.wallet };
}

/** Refuses a wallet that may not take part in movements. */
export function requireActive({ wallet: { status } }: WalletAccount): void {
  if (status === "ACTIVE") return;
  throw new DomainError("WALLET_INACTIVE", `the wallet is ${status}`, { details: { status } });
}

/** Refuses a wallet of another asset. */
export function requireAsset({ asset }: WalletAccount, other: string): void {
  if (asset === other) return;
  throw new DomainError("CURRENCY_MISMATCH", `the wallet is in ${asset}, not in ${other}`);
}

/** Returns the tenant's wallet, which must be ACTIVE unless any status is allowed. */
export function requireWallet(
  book: Book,
  tenant: string,
  id: string,
  status: "active" | "any" = "active",
): WalletAccount {
  const account = requireOwnWallet(book.account(id), tenant);
  if (status === "active") requireActive(account);
  return account;
}

/** The amount in minor units of the wallet's asset. Refuses zero and more decimals than the asset has. */
export function requireAmount(amount: Decimal, asset: string): bigint {
  const minor = assetMinor(amount, asset);
  const message = minor === undefined ? `must not have more decimals than ${asset} has` : "must be more than 0";
  if (minor === undefined || minor === 0n) throw invalid([{ field: "amount", message }]);
  return minor;
}

/** Refuses an amount that the wallet cannot cover. Held money is not spendable. */
export function requireFunds(wallet: WalletAccount, minor: bigint): void {
  const available = availableOf(wallet);
  if (available >= minor) return;
  throw new DomainError("INSUFFICIENT_FUNDS", "the wallet cannot cover the amount", {
    details: {
      account: "wallet",
      available: money(available, wallet.asset),
      required: money(minor, wallet.asset),
    },
  });
}

/** Refuses malformed releases. */
export function requireReleases(releases: readonly Release[]): void {
  const isRelease = ({ blockId, path, asset, minor }: Release): boolean =>
    blockId !== "" && isPromisePath(path) && assetDigits(asset) !== undefined && minor > 0n;
  if (releases.every(isRelease)) return;
  throw invalid([{ field: "releases", message: "must name a block, its account and currency, and an amount above 0" }]);
}

/** Refuses postings that do not add up to zero in each asset, or go to accounts that no payment posts to. */
export function requirePostable(postings: readonly Posting[]): void {
  const sums = new Map<string, bigint>();
  for (const { path, asset, minor } of postings) {
    if (!isPlatformPath(path)) throw invalid([{ field: "postings", message: `must not go to the account ${path}` }]);
    if (assetDigits(asset) === undefined) throw invalid([{ field: "postings", message: "must be in known assets" }]);
    sums.set(asset, (sums.get(asset) ?? 0n) + minor);
  }
  const isZero = postings.length >= 2 && [...sums.values()].every((sum) => sum === 0n);
  if (!isZero) throw invalid([{ field: "postings", message: "must be two or more and add up to zero in each asset" }]);
}

/** The fields of an entry that follow from its command alone. */
export const draftOf = (command: Command, kind: EntryKind, traceparent: string): Draft => ({
  id: command.id,
  kind,
  tenant: command.tenant,
  externalId: "externalId" in command ? command.externalId : undefined,
  description: "description" in command ? command.description : undefined,
  label: "label" in command ? command.label : undefined,
  links: "links" in command ? command.links : undefined,
  eventId: "eventId" in command ? command.eventId : undefined,
  parent: undefined,
  paymentId: undefined,
  expiresAt: undefined,
  moves: [],
  content: { version: contentVersion, hashes: "hashes" in command ? command.hashes : {} },
  receipt: undefined,
  traceparent,
});
