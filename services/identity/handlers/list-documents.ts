import type {
  ListDocumentsRequest,
  ListDocumentsResponse,
} from "../../../proto/gen/corridor/identity/v1/document_service";
import type { ReadDocuments } from "../operations/read-documents";
import { readPage } from "./document-codec";
import { decodeKind } from "./participant-codec";

export const listDocumentsHandler =
  (documents: Pick<ReadDocuments, "list">) =>
  ({ tenant, kind, participantId, limit, after }: ListDocumentsRequest): Promise<ListDocumentsResponse> => {
    const owner = { tenant, kind: decodeKind(kind), participantId, after };
    return readPage(limit, (asked) => documents.list({ ...owner, limit: asked }));
  };
