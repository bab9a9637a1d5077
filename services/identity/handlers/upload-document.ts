import type {
  UploadDocumentRequest,
  UploadDocumentResponse,
  UploadEnd,
} from "../../../proto/gen/corridor/identity/v1/document_service";
import { invalid } from "../../shared/kernel/errors";
import type { ReadDocuments } from "../operations/read-documents";
import type { UploadDocument } from "../operations/upload-document";
import { encodeDocument } from "./document-codec";
import { decodeKind } from "./participant-codec";

const cutOff = () => invalid([{ field: "file", message: "ended before it was complete" }]);

export const uploadDocumentHandler =
  (uploadDocument: UploadDocument, documents: Pick<ReadDocuments, "get">) =>
  async (pieces: AsyncIterable<UploadDocumentRequest>): Promise<UploadDocumentResponse> => {
    const rest = pieces[Symbol.asyncIterator]();
    const first = await rest.next();
    const begin = first.done === true ? undefined : first.value.piece;
    if (begin?.$case !== "begin") throw cutOff();
    let end: UploadEnd | undefined;
    async function* content(): AsyncGenerator<Uint8Array> {
      for await (const { piece } of { [Symbol.asyncIterator]: () => rest }) {
        if (end !== undefined || piece?.$case === "begin") throw cutOff();
        if (piece?.$case === "content") yield piece.value;
        if (piece?.$case === "end") end = piece.value;
      }
    }
    const { document, isRepeat } = await uploadDocument({
      ...begin.value,
      kind: decodeKind(begin.value.kind),
      content: content(),
      end() {
        if (end === undefined) throw cutOff();
        return { documentNumber: end.documentNumber };
      },
    });
    const { tenant, id: documentId } = document;
    const open = await documents.get({ tenant, kind: undefined, participantId: undefined, documentId });
    return { document: encodeDocument(open), isRepeat };
  };
