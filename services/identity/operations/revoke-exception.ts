import { DomainError } from "../../shared/kernel/errors";
import type { Transact } from "../../shared/storage/mongo";
import type { ExceptionStore } from "../store/exception-store";
import type { ParticipantStore } from "../store/participant-store";
import { screenCompaniesBehind } from "./company-chain";

export interface RevokeExceptionDeps {
  transact: Transact;
  exceptions: Pick<ExceptionStore, "remove">;
  participants: Pick<ParticipantStore, "companiesOf" | "forgetScreening">;
}

export type RevokeException = (tenant: string, exceptionId: string) => Promise<void>;

/** Revokes an exception and marks its subject to be screened again. Throws RECORD_NOT_FOUND. */
export const makeRevokeException =
  ({ transact, exceptions, participants }: RevokeExceptionDeps): RevokeException =>
  (tenant, exceptionId) =>
    transact(async (tx) => {
      const removed = await exceptions.remove(tenant, exceptionId, tx);
      if (removed === undefined) throw new DomainError("RECORD_NOT_FOUND", "there is no such exception");
      if (removed.kind === "PAYMENT") return;
      await participants.forgetScreening(tenant, removed.subjectId, tx);
      await screenCompaniesBehind(participants, tenant, removed.subjectId, tx);
    });
