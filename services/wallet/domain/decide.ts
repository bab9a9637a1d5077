import { assetDigits } from "../../shared/kernel/assets";
import { DomainError, invalid } from "../../shared/kernel/errors";
import { money } from "../../shared/kernel/money";
import {
  type Account,
  availableOf,
  emptyAccount,
  externalPath,
  suspensePath,
  totalOf,
  type WalletAccount,
  walletsPath,
} from "./account";
import type { Book } from "./book";
import {
  type CancelPayout,
  type ChangeStatus,
  type Command,
  type CreditPayout,
  type MoveFunds,
  type OpenWallet,
  type PostCorrection,
  type Posting,
  type PostMoney,
  releaseId,
  type Transfer,
  type VoidTransfer,
} from "./command";
import { contentVersion, requireSameContent } from "./content";
import { endHold, repeatedEnd } from "./end-hold";
import type { Entry, Move } from "./entry";
import {
  draftOf,
  requireActive,
  requireAmount,
  requireAsset,
  requireFunds,
  requirePostable,
  requireReleases,
  requireWallet,
  walletNotFound,
} from "./rules";

/** The outcome of a command: its entry, which may have existed before. */
export interface Outcome {
  entry: Entry;
  replayed: boolean;
}

/**
 * Decides a command and writes its entry into the book, or refuses it and leaves the book as it was. A command whose
 * entry is already in the book gets that entry again.
 */
export function decide(command: Command, book: Book, traceparent = ""): Outcome {
  const earlier = book.entry(command.id);
  if (earlier !== undefined) return again(command, earlier, book, traceparent);
  return { entry: carryOut(command, book, traceparent), replayed: false };
}

/** Handles a command whose entry exists. An event that repeats a fact may still release promises. */
function again(command: Command, earlier: Entry, book: Book, traceparent: string): Outcome {
  const entry = repeat(command, earlier);
  const isOver = command.kind !== "posting" || command.releases.length === 0 || earlier.eventId === command.eventId;
  const id = isOver ? "" : releaseId(command.eventId);
  if (isOver || book.entry(id) !== undefined) return { entry, replayed: true };
  const { paymentId, releases } = command;
  const draft = {
    ...draftOf(command, "release", traceparent),
    id,
    paymentId,
    parent: entry.id,
    content: { version: contentVersion, hashes: {} },
  };
  return { entry: book.post(draft, [], releases), replayed: false };
}

function carryOut(command: Command, book: Book, traceparent: string): Entry {
  switch (command.kind) {
    case "open":
      return open(command, book, traceparent);
    case "status":
      return changeStatus(command, book, traceparent);
    case "funds":
      return moveFunds(command, book, traceparent);
    case "end":
      return endHold(command, book, traceparent);
    case "transfer":
      return transfer(command, book, traceparent);
    case "transfer-void":
      return voidTransfer(command, book, traceparent);
    case "payout":
      return creditPayout(command, book, traceparent);
    case "payout-cancel":
      return cancelPayout(command, book, traceparent);
    case "posting":
      return postMoney(command, book, traceparent);
    case "correction":
      return correct(command, book, traceparent);
  }
}

/** Returns the earlier entry if this is the same request. Refuses a different request under its id. */
function repeat(command: Command, earlier: Entry): Entry {
  const isOurs = command.kind === "posting" || command.kind === "correction";
  if (earlier.tenant !== command.tenant && !isOurs) throw walletNotFound("transaction");
  if (command.kind === "end") return repeatedEnd(command, earlier);
  // A credit and its cancellation share an id, and the first one stands.
  if (command.kind === "payout-cancel") return earlier;
  if (earlier.kind === "payout-cancel") throw payoutCancelled();
  requireSameContent(earlier.content, "hashes" in command ? command.hashes : {});
  return earlier;
}

function open(command: OpenWallet, book: Book, traceparent: string): Entry {
  const { walletId, tenant, asset, details } = command;
  if (assetDigits(asset) === undefined) {
    throw invalid([{ field: "accountAsset", message: "must be a currency of ISO 4217 or a known asset code" }]);
  }
  const wallet = { details, status: "ACTIVE", createdAt: book.now } as const;
  const account = emptyAccount({ id: walletId, tenant, path: walletsPath(tenant), asset, wallet });
  const moves: Move[] = [{ account: walletId, line: "status", minor: 0n }];
  return book.post({ ...draftOf(command, "open", traceparent), moves }, [account]);
}

function changeStatus(command: ChangeStatus, book: Book, traceparent: string): Entry {
  const { walletId, status } = command;
  const account = requireWallet(book, command.tenant, walletId, "any");
  if (account.wallet.status === "CLOSED" && status !== "CLOSED") {
    throw new DomainError("WALLET_INACTIVE", "a closed wallet stays closed", { details: { status: "CLOSED" } });
  }
  const isEmpty = totalOf(account) === 0n && account.lines.debitHolds.minor === 0n;
  if (status === "CLOSED" && !isEmpty) {
    throw new DomainError("WALLET_NOT_EMPTY", "a wallet with money or open holds cannot be closed");
  }
  const next = { ...account, wallet: { ...account.wallet, status } };
  const moves: Move[] = [{ account: walletId, line: "status", minor: 0n }];
  return book.post({ ...draftOf(command, "status", traceparent), description: status, moves }, [next]);
}

function moveFunds(command: MoveFunds, book: Book, traceparent: string): Entry {
  const { walletId, direction, hold, answerForm } = command;
  const wallet = requireWallet(book, command.tenant, walletId);
  const minor = requireAmount(command.amount, wallet.asset);
  const expiresAt = hold?.expiresAt;
  if (expiresAt !== undefined && expiresAt <= book.now) {
    throw invalid([{ field: "expiresAt", message: "must be in the future" }]);
  }
  if (direction === "DEBIT") requireFunds(wallet, minor);
  const receipt = { form: answerForm, asset: wallet.asset };
  const kind = direction === "DEBIT" ? "debit" : "credit";
  if (hold !== undefined) {
    const moves: Move[] = [{ account: walletId, line: `${kind}Holds`, minor }];
    return book.post({ ...draftOf(command, `${kind}-hold`, traceparent), expiresAt, moves, receipt });
  }
  const external = book.platform(externalPath(command.tenant), wallet.asset);
  const draft = draftOf(command, kind, traceparent);
  const moves = settle(wallet, external, direction === "DEBIT" ? -minor : minor);
  return book.post({ ...draft, moves, receipt }, [external]);
}

/** Moves money from another account into a wallet, or the other way when `minor` is negative. */
const settle = (wallet: Account, other: Account, minor: bigint): Move[] => [
  { account: wallet.id, line: "settled", minor },
  { account: other.id, line: "settled", minor: -minor },
];

function transfer(command: Transfer, book: Book, traceparent: string): Entry {
  const from = requireWallet(book, command.tenant, command.from, "any");
  const to = requireWallet(book, command.tenant, command.to, "any");
  requireActive(from);
  requireActive(to);
  requireAsset(from, to.asset);
  const minor = requireAmount(command.amount, from.asset);
  requireFunds(from, minor);
  const receipt = { form: command.answerForm, asset: from.asset };
  return book.post({ ...draftOf(command, "transfer", traceparent), moves: settle(to, from, minor), receipt });
}

/** Returns the whole amount, or refuses when the receiver has already spent part of it. */
function voidTransfer(command: VoidTransfer, book: Book, traceparent: string): Entry {
  const made = book.entry(command.transferId);
  if (made === undefined || made.kind !== "transfer" || made.tenant !== command.tenant)
    throw walletNotFound("transfer");
  const [credit, debit] = made.moves;
  if (credit === undefined || debit === undefined) throw new Error(`the transfer ${made.id} does not have two sides`);
  const to = requireWallet(book, command.tenant, credit.account);
  const from = requireWallet(book, command.tenant, debit.account);
  if (availableOf(to) < credit.minor) throw irreversible(to, credit.minor);
  const { externalId, description } = made;
  return book.post({
    ...draftOf(command, "transfer-void", traceparent),
    externalId,
    description,
    parent: made.id,
    moves: settle(from, to, credit.minor),
    receipt: { form: command.answerForm, asset: from.asset },
  });
}

const irreversible = ({ asset, ...account }: WalletAccount, required: bigint): DomainError =>
  new DomainError("TRANSFER_IRREVERSIBLE", "the receiver can no longer cover the whole amount", {
    details: {
      account: "wallet",
      available: money(availableOf({ asset, ...account }), asset),
      required: money(required, asset),
    },
  });

function creditPayout(command: CreditPayout, book: Book, traceparent: string): Entry {
  const { amount, walletId, tenant, paymentId } = command;
  const wallet = requireWallet(book, tenant, walletId);
  requireAsset(wallet, amount.currency);
  if (amount.minor <= 0n) throw invalid([{ field: "amount", message: "must be more than 0" }]);
  const source = book.platform(suspensePath, wallet.asset);
  const draft = { ...draftOf(command, "payout", traceparent), paymentId };
  return book.post({ ...draft, moves: settle(wallet, source, amount.minor) }, [source]);
}

const payoutCancelled = (): DomainError =>
  new DomainError("STATE_CONFLICT", "the payout was cancelled: it is never credited", {
    details: { status: "CANCELLED", allowed: [] },
  });

/** Takes the id of the credit, so that it can never be written. Moves nothing. */
function cancelPayout(command: CancelPayout, book: Book, traceparent: string): Entry {
  const { paymentId } = command;
  return book.post({ ...draftOf(command, "payout-cancel", traceparent), externalId: paymentId, paymentId });
}

/** Posts to platform accounts only: a payment moves a wallet's money through CreditPayout alone. */
function postMoney(command: PostMoney, book: Book, traceparent: string): Entry {
  const { paymentId, postings, releases } = command;
  requireReleases(releases);
  if (postings.length === 0 && releases.length > 0) {
    return book.post({ ...draftOf(command, "release", traceparent), paymentId }, [], releases);
  }
  requirePostable(postings);
  const { moves, accounts } = movesOf(postings, book);
  return book.post({ ...draftOf(command, "posting", traceparent), paymentId, moves }, accounts, releases);
}

function correct(command: PostCorrection, book: Book, traceparent: string): Entry {
  requirePostable(command.postings);
  const { moves, accounts } = movesOf(command.postings, book);
  return book.post({ ...draftOf(command, "correction", traceparent), moves }, accounts);
}

/** One move for each account, however many postings it has. */
function movesOf(postings: readonly Posting[], book: Book): { moves: Move[]; accounts: Account[] } {
  const accounts = new Map<string, Account>();
  const sums = new Map<string, bigint>();
  for (const { path, asset, minor } of postings) {
    const account = book.platform(path, asset);
    accounts.set(account.id, account);
    sums.set(account.id, (sums.get(account.id) ?? 0n) + minor);
  }
  const moves = Array.from(sums, ([account, minor]): Move => ({ account, line: "settled", minor }));
  return { moves, accounts: [...accounts.values()] };
}
