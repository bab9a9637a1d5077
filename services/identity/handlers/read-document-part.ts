import type {
  ReadDocumentPartRequest,
  ReadDocumentPartResponse,
} from "../../../proto/gen/corridor/identity/v1/document_service";
import type { ReadDocuments } from "../operations/read-documents";
import { decodeAddress } from "./document-codec";

export const readDocumentPartHandler =
  (documents: Pick<ReadDocuments, "part">) =>
  (request: ReadDocumentPartRequest): Promise<ReadDocumentPartResponse> =>
    documents.part(decodeAddress(request), request.part);
