import type {
  ReceiveScreeningReportRequest,
  ReceiveScreeningReportResponse,
} from "../../../proto/gen/corridor/identity/v1/decision_service";
import type { ApplyScreeningReport } from "../operations/apply-screening-report";
import type { PaymentScreener } from "../ports";

export const receiveScreeningReportHandler =
  (screener: Pick<PaymentScreener, "readReport">, applyReport: ApplyScreeningReport) =>
  async ({ signature, body }: ReceiveScreeningReportRequest): Promise<ReceiveScreeningReportResponse> => {
    await applyReport(screener.readReport(signature, Buffer.from(body)));
    return {};
  };
