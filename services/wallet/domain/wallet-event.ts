import type { WalletStatus } from "./account";
import type { EntryKind } from "./entry";

/** A change of one wallet, and its state after it. Amounts are minor units of the asset. */
export interface WalletEvent {
  /** The same on every publish. */
  id: string;
  tenant: string;
  walletId: string;
  /** Number within the events of the wallet: 1, 2, 3 and so on. */
  sequence: number;
  occurredAt: Date;
  /** W3C traceparent of the request that caused it; empty when not traced. */
  traceparent: string;
  kind: EntryKind;
  /** The journal entry. */
  entryId: string;
  externalId: string | undefined;
  asset: string;
  /** Amount that the entry settled, signed. */
  settledChange: bigint;
  /** Amount that the entry added to the open holds; negative when it released some. */
  heldChange: bigint;
  status: WalletStatus;
  available: bigint;
  held: bigint;
  total: bigint;
}
