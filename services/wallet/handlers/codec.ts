import type {
  CreateTransactionResponse,
  StatementEntry,
  Wallet,
} from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import type { DataKeys } from "../../shared/data-keys";
import { invalid } from "../../shared/errors";
import { decodeUtf8, parseJsonObject } from "../../shared/json";
import { availableOf, heldOf, totalOf, type WalletAccount } from "../domain/account";
import { formatMinor } from "../domain/asset";
import type { Body } from "../domain/wallet-request";
import type { StatementLine } from "../operations/read-statement";
import type { Answered } from "../operations/submit-request";
import { openDetails } from "../sealed-words";

export const decodeBody = (bodyJson: Uint8Array): Body => parseJsonObject(decodeUtf8(bodyJson));

export const encodeAnswer = ({ answer, replayed }: Answered): CreateTransactionResponse => ({
  bodyJson: Buffer.from(answer),
  replayed,
});

/** A wallet with what its caller said of it, opened. */
export type ShowWallet = (account: WalletAccount) => Promise<Wallet>;

export const makeShowWallet =
  (keys: Pick<DataKeys, "of">): ShowWallet =>
  async (account) => {
    const { additionalInfo = "", ...details } = openDetails(await keys.of(account.tenant), account);
    const { status, createdAt } = account.wallet;
    const facts = { walletId: account.id, accountAsset: account.asset, status, createdAt };
    return { ...facts, ...details, additionalInfoJson: Buffer.from(additionalInfo) };
  };

export const encodeBalance = (account: WalletAccount) => ({
  available: formatMinor(availableOf(account), account.asset),
  held: formatMinor(heldOf(account), account.asset),
  total: formatMinor(totalOf(account), account.asset),
});

export function encodeLine({ row, entry, description }: StatementLine, asset: string): StatementEntry {
  const isDebit = row.minor < 0n;
  return {
    // A confirmed hold is on the statement as the transaction that it was from the beginning.
    transactionId: entry.kind === "confirm" ? (entry.parent ?? entry.id) : entry.id,
    externalId: entry.externalId,
    type: isDebit ? "DEBIT" : "CREDIT",
    amount: formatMinor(isDebit ? -row.minor : row.minor, asset),
    description,
    balanceAfter: formatMinor(row.after, asset),
    createdAt: row.at,
  };
}

/** Largest page of a statement. */
const maxSize = 200;

export function requirePage({ page, size }: { page: number; size: number }): void {
  const violations = [];
  if (page < 0) violations.push({ field: "page", message: "must be 0 or more" });
  if (size < 1 || size > maxSize) violations.push({ field: "size", message: `must be from 1 to ${maxSize}` });
  if (violations.length > 0) throw invalid(violations);
}
