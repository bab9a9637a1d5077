import type { Clock } from "../../shared/kernel/clock";
import { asked } from "../domain/erasure";
import type { DocumentReader, Verifier } from "../ports";
import type { ErasureStore } from "../store/erasure-store";
import type { SessionStore } from "../store/session-store";
import { type DestroyRecordsDeps, destroyRecords } from "./destroy-records";

export interface FinishErasureDeps extends DestroyRecordsDeps {
  erasures: Pick<ErasureStore, "find" | "save">;
  sessions: Pick<SessionStore, "eraseOf" | "idsOf">;
  verifier: Pick<Verifier, "erase">;
  reader: Pick<DocumentReader, "erase">;
  clock: Clock;
}

/** Continues an erasure; a repeat does what is left. */
export interface FinishErasure {
  ask(participantId: string): Promise<void>;
}

/**
 * Destroys any remaining data of an erased participant, for example because the process ended or a session was being opened during the
 * erasure, and asks the vendors to erase its sessions and documents. An erasure that one vendor does not acknowledge does not hold up the
 * others; all are asked again later.
 */
export const makeFinishErasure = (deps: FinishErasureDeps): FinishErasure => ({
  async ask(participantId) {
    const { erasures, sessions, verifier, reader, clock } = deps;
    const erasure = await erasures.find(participantId);
    if (erasure === undefined) return;
    const { tenant } = erasure;
    const askedAt = clock.now();
    const documentIds = await destroyRecords(deps, tenant, participantId, askedAt);
    let isAcknowledged = true;
    for (const id of await sessions.idsOf(tenant, participantId)) {
      isAcknowledged = (await verifier.erase(id)) && isAcknowledged;
    }
    for (const id of documentIds) {
      isAcknowledged = (await reader.erase(id)) && isAcknowledged;
    }
    await erasures.save(asked(erasure, isAcknowledged, askedAt));
  },
});
