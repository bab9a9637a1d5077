import type {
  ReceiveKycReportRequest,
  ReceiveKycReportResponse,
} from "../../../proto/gen/corridor/identity/v1/kyc_service";
import type { AdvanceSession } from "../operations/advance-session";
import type { Verifier } from "../ports";

export const receiveKycReportHandler =
  (verifier: Pick<Verifier, "readReport">, advance: Pick<AdvanceSession, "applyReport">) =>
  async ({ signature, body }: ReceiveKycReportRequest): Promise<ReceiveKycReportResponse> => {
    await advance.applyReport(verifier.readReport(signature, Buffer.from(body)));
    return {};
  };
