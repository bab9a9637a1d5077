import { absolute } from "../../shared/kernel/assets";
import type { Direction } from "./command";
import type { Entry, EntryKind, Move } from "./entry";

/** Newest form in which a receipt can be requested. Form 0 is for callers that render no receipt. */
export const newestForm = 1;

/** An amount of an asset, minor units. */
export interface AssetAmount {
  minor: bigint;
  asset: string;
}

/** The answer to a debit or credit. */
export interface TransactionReceipt {
  id: string;
  walletId: string;
  externalId: string;
  amount: AssetAmount;
  direction: Direction;
  status: "COMPLETED" | "HELD";
  at: Date;
  expiresAt: Date | undefined;
}

/** The answer to the end of a hold. */
export interface HoldEndReceipt {
  transactionId: string;
  walletId: string;
  status: "COMPLETED" | "VOIDED";
  amount: AssetAmount;
  at: Date;
}

/** The answer to a transfer. */
export interface TransferReceipt {
  id: string;
  externalId: string;
  from: string;
  to: string;
  amount: AssetAmount;
  at: Date;
}

/** The answer to the void of a transfer. */
export interface TransferVoidReceipt {
  transferId: string;
  externalId: string;
  at: Date;
}

const directions: ReadonlyMap<EntryKind, Direction> = new Map([
  ["debit", "DEBIT"],
  ["debit-hold", "DEBIT"],
  ["credit", "CREDIT"],
  ["credit-hold", "CREDIT"],
]);

/** The receipt of a debit or credit. Entries never change, so neither do receipts. */
export function transactionReceipt(entry: Entry): TransactionReceipt {
  const { id, kind, externalId, at, expiresAt } = entry;
  const move = moveOf(entry, 0);
  const direction = directions.get(kind);
  if (direction === undefined || externalId === undefined) throw noReceipt(entry);
  const status = move.line === "settled" ? "COMPLETED" : "HELD";
  return { id, walletId: move.account, externalId, amount: amountOf(entry, move), direction, status, at, expiresAt };
}

/** The receipt of a confirmed or voided hold. */
export function holdEndReceipt(entry: Entry): HoldEndReceipt {
  const { kind, parent, at } = entry;
  const move = moveOf(entry, 0);
  if ((kind !== "confirm" && kind !== "void") || parent === undefined) throw noReceipt(entry);
  const status = kind === "confirm" ? "COMPLETED" : "VOIDED";
  return { transactionId: parent, walletId: move.account, status, amount: amountOf(entry, move), at };
}

/** The receipt of a transfer. */
export function transferReceipt(entry: Entry): TransferReceipt {
  const { id, kind, externalId, at } = entry;
  const [credit, debit] = [moveOf(entry, 0), moveOf(entry, 1)];
  if (kind !== "transfer" || externalId === undefined) throw noReceipt(entry);
  return { id, externalId, from: debit.account, to: credit.account, amount: amountOf(entry, credit), at };
}

/** The receipt of a voided transfer. */
export function transferVoidReceipt(entry: Entry): TransferVoidReceipt {
  const { kind, parent, externalId, at } = entry;
  if (kind !== "transfer-void" || parent === undefined || externalId === undefined) throw noReceipt(entry);
  return { transferId: parent, externalId, at };
}

function moveOf(entry: Entry, index: number): Move {
  const move = entry.moves[index];
  if (move === undefined) throw noReceipt(entry);
  return move;
}

function amountOf(entry: Entry, { minor }: Move): AssetAmount {
  if (entry.receipt === undefined) throw noReceipt(entry);
  return { minor: absolute(minor), asset: entry.receipt.asset };
}

const noReceipt = ({ id, kind }: Entry): Error => new Error(`the entry ${id} (${kind}) has no such receipt`);
