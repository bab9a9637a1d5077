import type { FileReportRequest, FileReportResponse } from "../../../proto/gen/corridor/identity/v1/review_service";
import type { FileReport } from "../operations/file-report";
import { encodeReview } from "./review-codec";

export const fileReportHandler =
  (fileReport: FileReport) =>
  async (request: FileReportRequest): Promise<FileReportResponse> => ({
    review: encodeReview(await fileReport(request), {}),
  });
