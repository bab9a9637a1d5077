import type {
  ReceiveScreeningReportRequest,
  ReceiveScreeningReportResponse,
} from "../../../proto/gen/corridor/identity/v1/decision_service";
import type { HearScreeningReport } from "../operations/hear-screening-report";
import type { PaymentScreener } from "../ports";

export const receiveScreeningReportHandler =
  (screener: Pick<PaymentScreener, "readReport">, hear: HearScreeningReport) =>
  async ({ signature, body }: ReceiveScreeningReportRequest): Promise<ReceiveScreeningReportResponse> => {
    await hear(screener.readReport(signature, Buffer.from(body)));
    return {};
  };
