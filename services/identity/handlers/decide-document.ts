import type {
  DecideDocumentRequest,
  DecideDocumentResponse,
} from "../../../proto/gen/corridor/identity/v1/document_service";
import type { DecideDocument } from "../operations/decide-document";
import { encodeDocument } from "./document-codec";

export const decideDocumentHandler =
  (decideDocument: DecideDocument) =>
  async ({ tenant, documentId, ...decision }: DecideDocumentRequest): Promise<DecideDocumentResponse> => ({
    document: encodeDocument(await decideDocument(tenant, documentId, decision)),
  });
