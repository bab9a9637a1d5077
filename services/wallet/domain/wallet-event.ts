import type { WalletStatus } from "./account";
import type { EntryKind } from "./entry";

/** What happened to one wallet, and how it stands since. Amounts are minor units of the asset. */
export interface WalletEvent {
  /** The same on every publish. */
  id: string;
  tenant: string;
  walletId: string;
  /** Place among the events of the wallet: 1, 2, 3 and so on. */
  sequence: number;
  occurredAt: Date;
  /** W3C traceparent of the request that caused it; empty when not traced. */
  traceparent: string;
  kind: EntryKind;
  /** The journal entry. */
  entryId: string;
  externalId: string | undefined;
  asset: string;
  /** What the entry settled, signed. */
  settledChange: bigint;
  /** What the entry added to the open holds, or took from them. */
  heldChange: bigint;
  status: WalletStatus;
  available: bigint;
  held: bigint;
  total: bigint;
}
