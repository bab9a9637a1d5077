import { absolute } from "../../shared/kernel/assets";
import { type HoldEnd, holdEndId, transferVoidId } from "./command";
import type { Entry, EntryKind } from "./entry";
import type { AssetAmount } from "./receipt";

/** The kind of movement that the caller requested. */
export type MovementKind = "DEBIT" | "CREDIT" | "PAYOUT" | "TRANSFER";

/** The current state of a movement between wallets. */
export interface Movement {
  id: string;
  kind: MovementKind;
  externalId: string;
  /** Undefined when the money comes from outside. */
  from: string | undefined;
  /** Undefined when the money goes outside. */
  to: string | undefined;
  amount: AssetAmount;
  status: HoldEnd | "HELD";
  at: Date;
  expiresAt: Date | undefined;
  /** When its hold ended or it was reversed. */
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

/** The kind of movement that an entry began; undefined when it opens, ends or reverses something or involves no wallet. */
export const movementKind = ({ kind }: Pick<Entry, "kind">): MovementKind | undefined => kinds.get(kind);

/** Id that the entry ending or reversing this one has, if it exists. */
export const endingId = ({ id, kind }: Pick<Entry, "id" | "kind">): string =>
  kind === "transfer" ? transferVoidId(id) : holdEndId(id);

/** Wallets involved in a movement. Except in a transfer, the other side is an account of the platform. */
export function walletsOf({ kind, moves }: Pick<Entry, "kind" | "moves">): string[] {
  const ids = moves.map(({ account }) => account);
  return kind === "transfer" ? ids : ids.slice(0, 1);
}

/** The movement that an entry began; `ending` is the entry that ended it. */
export function movementOf(entry: Entry, ending: Entry | undefined, asset: string): Movement {
  const { id, externalId, at, expiresAt } = entry;
  const kind = movementKind(entry);
  const [move] = entry.moves;
  if (kind === undefined || move === undefined || externalId === undefined) throw new Error(`${id} is not a movement`);
  const [own, other] = walletsOf(entry);
  return {
    id,
    kind,
    externalId,
    from: kind === "DEBIT" ? own : other,
    to: kind === "DEBIT" ? undefined : own,
    amount: { minor: absolute(move.minor), asset },
    status: (ending && endings.get(ending.kind)) ?? (move.line === "settled" ? "COMPLETED" : "HELD"),
    at,
    expiresAt,
    endedAt: ending?.at,
  };
}
