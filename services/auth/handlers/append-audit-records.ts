import type {
  AppendAuditRecordsRequest,
  AppendAuditRecordsResponse,
} from "../../../proto/gen/corridor/auth/v1/audit_service";
import { invalid } from "../../shared/kernel/errors";
import type { AppendAuditRecords } from "../operations/append-audit-records";
import { decodeEntry } from "./codec";

export const appendAuditRecordsHandler =
  (appendAuditRecords: AppendAuditRecords) =>
  async ({ entries }: AppendAuditRecordsRequest): Promise<AppendAuditRecordsResponse> => {
    const isGood = entries.length > 0 && entries.length <= 100;
    if (!isGood) throw invalid([{ field: "entries", message: "must be 1 to 100" }]);
    await appendAuditRecords(entries.map(decodeEntry));
    return {};
  };
