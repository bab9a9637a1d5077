import type {
  ListDocumentsRequest,
  ListDocumentsResponse,
} from "../../../proto/gen/corridor/identity/v1/document_service";
import type { ReadDocuments } from "../read-documents";
import { decodeKind } from "./codec";
import { encodeDocument } from "./document-codec";

const maxLimit = 200;

export const listDocumentsHandler =
  (documents: Pick<ReadDocuments, "list">) =>
  async ({ tenant, kind, participantId, limit, after }: ListDocumentsRequest): Promise<ListDocumentsResponse> => {
    const asked = Math.min(Math.max(limit, 1), maxLimit);
    const owner = { tenant, kind: decodeKind(kind), participantId };
    const page = await documents.list({ ...owner, limit: asked + 1, after });
    const shown = page.slice(0, asked);
    return {
      documents: shown.map(encodeDocument),
      next: page.length > asked ? shown.at(-1)?.document.id : undefined,
    };
  };
