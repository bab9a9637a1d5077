import type {
  ListPendingDocumentsRequest,
  ListPendingDocumentsResponse,
} from "../../../proto/gen/corridor/identity/v1/document_service";
import type { ReadDocuments } from "../operations/read-documents";
import { readPage } from "./document-codec";

export const listPendingDocumentsHandler =
  (documents: Pick<ReadDocuments, "listPending">) =>
  ({ tenant, limit, after }: ListPendingDocumentsRequest): Promise<ListPendingDocumentsResponse> =>
    readPage(limit, (asked) => documents.listPending(tenant, asked, after));
