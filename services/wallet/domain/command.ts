import type { Decimal, Money } from "../../shared/kernel/money";
import type { WalletStatus } from "./account";

export type Direction = "DEBIT" | "CREDIT";
/** How a hold ends. */
export type HoldEnd = "COMPLETED" | "VOIDED" | "EXPIRED";

interface Named {
  /** Id of the entry that the command becomes: the same command has the same id on every attempt. */
  id: string;
  tenant: string;
}

/** A caller's request, which may be sent again. Its description, if any, is sealed before the ledger sees it. */
interface Keyed extends Named {
  externalId: string;
  hashes: Readonly<Record<string, string>>;
}

export interface OpenWallet extends Named {
  kind: "open";
  walletId: string;
  asset: string;
  /** WalletDetails, sealed. */
  details: string;
}

export interface ChangeStatus extends Named {
  kind: "status";
  walletId: string;
  status: WalletStatus;
}

/** Form in which the caller renders the receipt. */
interface Answered {
  answerForm: number;
}

/** A debit or credit of one wallet, at once or held until it is confirmed. */
export interface MoveFunds extends Keyed, Answered {
  kind: "funds";
  walletId: string;
  amount: Decimal;
  direction: Direction;
  description: string | undefined;
  /** Undefined: settled at once. A hold without `expiresAt` never expires. */
  hold: { expiresAt: Date | undefined } | undefined;
}

export interface EndHold extends Named {
  kind: "end";
  transactionId: string;
  end: HoldEnd;
  /** Undefined for a hold that expires: no caller gets a receipt. */
  answerForm: number | undefined;
}

export interface Transfer extends Keyed, Answered {
  kind: "transfer";
  from: string;
  to: string;
  amount: Decimal;
  description: string | undefined;
}

export interface VoidTransfer extends Named, Answered {
  kind: "transfer-void";
  transferId: string;
}

/** A payment's payout into a wallet of its tenant. */
export interface CreditPayout extends Keyed {
  kind: "payout";
  walletId: string;
  paymentId: string;
  amount: Money;
  description: string | undefined;
}

/** Cancels a payment's payout before a wallet is credited. It takes the id of the credit, so the credit is never written. */
export interface CancelPayout extends Named {
  kind: "payout-cancel";
  paymentId: string;
}

/** One side of what a payment has moved. */
export interface Posting {
  /** Path of a platform account. */
  path: string;
  asset: string;
  minor: bigint;
}

/** A part of a block of promises that is no longer needed. */
export interface Release {
  blockId: string;
  /** Path of the block's account. */
  path: string;
  asset: string;
  minor: bigint;
}

/** A payment's movements between platform accounts, from one event; no postings where it only releases promises. */
export interface PostMoney extends Keyed {
  kind: "posting";
  paymentId: string;
  /** The reason of the movement, for example payout or fee. */
  label: string;
  eventId: string;
  postings: readonly Posting[];
  releases: readonly Release[];
}

/** An entry that operators decided on. */
export interface PostCorrection extends Keyed {
  kind: "correction";
  /** Kind of correction, for example write-off. */
  label: string;
  /** Why, in clear. */
  description: string;
  links: readonly string[];
  postings: readonly Posting[];
}

/** Every command that the ledger carries out. */
export type Command =
  | OpenWallet
  | ChangeStatus
  | MoveFunds
  | EndHold
  | Transfer
  | VoidTransfer
  | CreditPayout
  | CancelPayout
  | PostMoney
  | PostCorrection;

/** Id of the entry that ends a hold. All ways of ending share it, so a hold ends only once. */
export const holdEndId = (transactionId: string): string => `${transactionId}/end`;
/** Id of the entry that reverses a transfer. It is unique, so a transfer is reversed only once. */
export const transferVoidId = (transferId: string): string => `${transferId}/void`;

/** Id of the entry that carries the releases of an event whose fact an earlier event already reported. */
export const releaseId = (eventId: string): string => `${eventId}/release`;

/** Ids of the entries that the decision on a command depends on. */
export function entriesNeeded(command: Command): string[] {
  if (command.kind === "end") return [command.id, command.transactionId];
  if (command.kind === "transfer-void") return [command.id, command.transferId];
  if (command.kind === "posting") return [command.id, releaseId(command.eventId)];
  return [command.id];
}
