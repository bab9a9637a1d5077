import { ErasureEvents } from "../../../proto/gen/corridor/identity/v1/erasure_events";
import type { ErasureRecord } from "../store/erasure-store";

/** The facts for a message about an erasure. */
export const publishedErasure = ["tenant", "erasedAt"] as const;

/** Returns the bus message of an erasure. */
export const encodeErasure = ({ _id: participantId, tenant, erasedAt }: ErasureRecord): Uint8Array =>
  ErasureEvents.encode({ tenant, participantId, occurredAt: erasedAt }).finish();
