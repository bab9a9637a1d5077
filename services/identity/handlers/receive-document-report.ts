import type {
  ReceiveDocumentReportRequest,
  ReceiveDocumentReportResponse,
} from "../../../proto/gen/corridor/identity/v1/document_service";
import type { AdvanceDocument } from "../operations/advance-document";
import type { DocumentReader } from "../ports";

export const receiveDocumentReportHandler =
  (reader: Pick<DocumentReader, "readReport">, advance: Pick<AdvanceDocument, "hear">) =>
  async ({ signature, body }: ReceiveDocumentReportRequest): Promise<ReceiveDocumentReportResponse> => {
    await advance.hear(reader.readReport(signature, Buffer.from(body)));
    return {};
  };
