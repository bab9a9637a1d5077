import type { GetDocumentRequest, GetDocumentResponse } from "../../../proto/gen/corridor/identity/v1/document_service";
import type { ReadDocuments } from "../operations/read-documents";
import { decodeAddress, encodeDocument } from "./document-codec";

export const getDocumentHandler =
  (documents: Pick<ReadDocuments, "get">) =>
  async (request: GetDocumentRequest): Promise<GetDocumentResponse> => ({
    document: encodeDocument(await documents.get(decodeAddress(request))),
  });
