import { WalletEvents } from "../../../proto/gen/corridor/wallet/v1/wallet_events";
import type { WalletEvent } from "../domain/wallet-event";

/** The bytes of a message of subject corridor.wallet.events. */
export const encodeEvents = (events: readonly WalletEvent[]): Uint8Array =>
  WalletEvents.encode({
    events: events.map((event) => ({
      eventId: event.id,
      tenant: event.tenant,
      walletId: event.walletId,
      sequence: BigInt(event.sequence),
      occurredAt: event.occurredAt,
      traceparent: event.traceparent,
      kind: event.kind,
      entryId: event.entryId,
      externalId: event.externalId ?? undefined,
      asset: event.asset,
      settledChangeMinor: event.settledChange,
      heldChangeMinor: event.heldChange,
      status: event.status,
      availableMinor: event.available,
      heldMinor: event.held,
    })),
  }).finish();
