import type { Clock } from "../../shared/kernel/clock";
import { DomainError } from "../../shared/kernel/errors";
import type { Transact } from "../../shared/storage/mongo";
import { beginErasure } from "../domain/erasure";
import type { ErasureStore } from "../store/erasure-store";
import type { ParticipantStore } from "../store/participant-store";
import { type DestroyRecordsDeps, destroyRecords } from "./destroy-records";

export interface EraseParticipantDeps extends DestroyRecordsDeps {
  transact: Transact;
  participants: Pick<ParticipantStore, "erase">;
  erasures: Pick<ErasureStore, "note">;
  clock: Clock;
  traceparent(): string;
  nudgeRelay(): void;
}

export type EraseParticipant = (tenant: string, id: string) => Promise<void>;

/**
 * Destroys the keys of a record's data, of its sessions and of its reviews: the record's first, so that no session is added after the
 * others were found. The same commit notes that others, including the vendors, have to be notified. Documents become unreadable with the
 * record's key, and their bytes are removed too. A repeat does what was left undone.
 */
export const makeEraseParticipant =
  (deps: EraseParticipantDeps): EraseParticipant =>
  async (tenant, id) => {
    const { transact, participants, erasures } = deps;
    const erasedAt = deps.clock.now();
    const traceparent = deps.traceparent();
    const isThere = await transact(async (tx) => {
      const isErased = await participants.erase(tenant, id, erasedAt, tx);
      if (isErased) await erasures.note(beginErasure(tenant, id, erasedAt), traceparent, tx);
      return isErased;
    });
    await destroyRecords(deps, tenant, id, erasedAt);
    if (!isThere) throw new DomainError("PARTICIPANT_NOT_FOUND", "there is no such person or company");
    deps.nudgeRelay();
  };
