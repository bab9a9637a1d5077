import { DomainError } from "../../shared/kernel/errors";
import { externalPath } from "./account";
import type { Book } from "./book";
import type { EndHold, HoldEnd } from "./command";
import type { Entry, EntryKind, Move } from "./entry";
import { draftOf, requireWallet, walletNotFound } from "./rules";

const kinds: Readonly<Record<HoldEnd, EntryKind>> = { COMPLETED: "confirm", VOIDED: "void", EXPIRED: "expire" };
const ends: ReadonlyMap<EntryKind, HoldEnd> = new Map([
  ["confirm", "COMPLETED"],
  ["void", "VOIDED"],
  ["expire", "EXPIRED"],
]);

/** Confirms, releases or expires a hold. A frozen wallet settles nothing but still releases its holds. */
export function endHold(command: EndHold, book: Book, traceparent: string): Entry {
  const held = book.entry(command.transactionId);
  const isTransaction = ["debit", "credit", "debit-hold", "credit-hold"].some((kind) => kind === held?.kind);
  if (held === undefined || held.tenant !== command.tenant || !isTransaction) throw walletNotFound("transaction");
  const [move] = held.moves;
  if (move === undefined || move.line === "settled") throw notHeld("COMPLETED");
  const isOver = held.expiresAt !== undefined && held.expiresAt <= book.now;
  if (command.end === "EXPIRED" && !isOver) throw notHeld("HELD");
  if (command.end !== "EXPIRED" && isOver) throw notHeld("EXPIRED");

  const wallet = requireWallet(book, command.tenant, move.account, command.end === "COMPLETED" ? "active" : "any");
  const release: Move = { ...move, minor: -move.minor };
  const { end, answerForm } = command;
  const draft = {
    ...draftOf(command, kinds[end], traceparent),
    externalId: held.externalId,
    description: held.description,
    parent: held.id,
    receipt: answerForm === undefined ? undefined : { form: answerForm, asset: wallet.asset },
  };
  if (end !== "COMPLETED") return book.post({ ...draft, moves: [release] });
  const external = book.platform(externalPath(command.tenant), wallet.asset);
  const minor = move.line === "debitHolds" ? -move.minor : move.minor;
  const settled: Move[] = [
    { account: wallet.id, line: "settled", minor },
    { account: external.id, line: "settled", minor: -minor },
  ];
  return book.post({ ...draft, moves: [release, ...settled] }, [external]);
}

/** Returns the earlier end of the hold if this command repeats it; otherwise throws TRANSACTION_NOT_HELD. */
export function repeatedEnd({ end }: EndHold, earlier: Entry): Entry {
  if (earlier.kind === kinds[end]) return earlier;
  throw notHeld(ends.get(earlier.kind) ?? "COMPLETED");
}

const notHeld = (status: HoldEnd | "HELD"): DomainError =>
  new DomainError("TRANSACTION_NOT_HELD", `the transaction is ${status}`, { details: { status } });
