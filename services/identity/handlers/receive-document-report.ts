import type {
  ReceiveDocumentReportRequest,
  ReceiveDocumentReportResponse,
} from "../../../proto/gen/corridor/identity/v1/document_service";
import type { AdvanceDocument } from "../operations/advance-document";
import type { DocumentReader } from "../ports";

export const receiveDocumentReportHandler =
  (reader: Pick<DocumentReader, "readReport">, advance: Pick<AdvanceDocument, "applyReport">) =>
  async ({ signature, body }: ReceiveDocumentReportRequest): Promise<ReceiveDocumentReportResponse> => {
    await advance.applyReport(reader.readReport(signature, Buffer.from(body)));
    return {};
  };
