import { ErasureEvents } from "../../../proto/gen/corridor/identity/v1/erasure_events";

/** A person or company that was erased. */
export interface ErasedParticipant {
  tenant: string;
  participantId: string;
}

/** Reads a message of the subject corridor.identity.erasures. Throws when it names no participant. */
export function decodeErasure(payload: Uint8Array): ErasedParticipant {
  const { tenant, participantId } = ErasureEvents.decode(payload);
  if (tenant === "" || participantId === "") throw new Error("the message names no participant");
  return { tenant, participantId };
}
