import { type HoldEnd, holdEndId, transferVoidId } from "./command";
import type { Entry, EntryKind } from "./entry";
import type { AssetAmount } from "./receipt";

/** What a movement was asked for as. */
export type MovementKind = "DEBIT" | "CREDIT" | "PAYOUT" | "TRANSFER";

/** A movement of wallets as it stands. */
export interface Movement {
  id: string;
  kind: MovementKind;
  externalId: string;
  /** Undefined for what comes from outside. */
  from: string | undefined;
  /** Undefined for what goes outside. */
  to: string | undefined;
  amount: AssetAmount;
  status: HoldEnd | "HELD";
  at: Date;
  expiresAt: Date | undefined;
  /** When its hold ended, or it was given back. */
  endedAt: Date | undefined;
}

const kinds: ReadonlyMap<EntryKind, MovementKind> = new Map([
  ["debit", "DEBIT"],
  ["debit-hold", "DEBIT"],
  ["credit", "CREDIT"],
  ["credit-hold", "CREDIT"],
  ["payout", "PAYOUT"],
  ["transfer", "TRANSFER"],
]);

const endings: ReadonlyMap<EntryKind, HoldEnd> = new Map([
  ["confirm", "COMPLETED"],
  ["void", "VOIDED"],
  ["expire", "EXPIRED"],
  ["transfer-void", "VOIDED"],
]);

/** What callers asked for with an entry; undefined for one that opens, ends or reverses something, or that no wallet has a part in. */
export const movementKind = ({ kind }: Pick<Entry, "kind">): MovementKind | undefined => kinds.get(kind);

/** Id of the entry that ends or reverses another, should there be one. */
export const endingId = ({ id, kind }: Pick<Entry, "id" | "kind">): string =>
  kind === "transfer" ? transferVoidId(id) : holdEndId(id);

/** Wallets that have a part in a movement. The other side of what is no transfer is the platform's own. */
export function walletsOf({ kind, moves }: Pick<Entry, "kind" | "moves">): string[] {
  const ids = moves.map(({ account }) => account);
  return kind === "transfer" ? ids : ids.slice(0, 1);
}

/** The movement that an entry began, with the entry that has ended it. */
export function movementOf(entry: Entry, ending: Entry | undefined, asset: string): Movement {
  const { id, externalId, at, expiresAt } = entry;
  const kind = movementKind(entry);
  const [move] = entry.moves;
  if (kind === undefined || move === undefined || externalId === undefined) throw new Error(`${id} is no movement`);
  const [own, other] = walletsOf(entry);
  return {
    id,
    kind,
    externalId,
    from: kind === "DEBIT" ? own : other,
    to: kind === "DEBIT" ? undefined : own,
    amount: { minor: move.minor < 0n ? -move.minor : move.minor, asset },
    status: (ending && endings.get(ending.kind)) ?? (move.line === "settled" ? "COMPLETED" : "HELD"),
    at,
    expiresAt,
    endedAt: ending?.at,
  };
}
