import { ErasureEvents } from "../../../proto/gen/corridor/identity/v1/erasure_events";
import type { ErasureRecord } from "../store/erasure-store";

/** What a message about an erasure is made from. */
export const publishedErasure = ["tenant", "erasedAt"] as const;

/** An erasure as the bus carries it. */
export const encodeErasure = ({ _id: participantId, tenant, erasedAt }: ErasureRecord): Uint8Array =>
  ErasureEvents.encode({ tenant, participantId, occurredAt: erasedAt }).finish();
