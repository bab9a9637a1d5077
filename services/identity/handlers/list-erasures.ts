import type {
  ListErasuresRequest,
  ListErasuresResponse,
} from "../../../proto/gen/corridor/identity/v1/identity_service";
import type { DocumentStore } from "../store/document-store";
import type { ErasureStore } from "../store/erasure-store";
import type { SessionStore } from "../store/session-store";
import { decodeLimit } from "./review-codec";

export interface ListErasuresDeps {
  erasures: Pick<ErasureStore, "listOutstanding">;
  sessions: Pick<SessionStore, "idsOf">;
  documents: Pick<DocumentStore, "idsOf">;
}

/** A read without a decision: straight from the stores. */
export const listErasuresHandler =
  ({ erasures, sessions, documents }: ListErasuresDeps) =>
  async ({ limit }: ListErasuresRequest): Promise<ListErasuresResponse> => ({
    erasures: await Promise.all(
      (await erasures.listOutstanding(decodeLimit(limit))).map(
        async ({ tenant, participantId, erasedAt, outstandingSince, tries }) => {
          const [sessionIds, documentIds] = await Promise.all([
            sessions.idsOf(tenant, participantId),
            documents.idsOf(tenant, participantId),
          ]);
          return { tenant, participantId, erasedAt, outstandingSince, tries, sessionIds, documentIds };
        },
      ),
    ),
  });
