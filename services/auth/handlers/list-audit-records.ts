import type {
  ListAuditRecordsRequest,
  ListAuditRecordsResponse,
} from "../../../proto/gen/corridor/auth/v1/audit_service";
import type { AuditStore } from "../store/audit-store";
import { encodeRecord } from "./codec";

const longestPage = 500;

export const listAuditRecordsHandler =
  (audit: Pick<AuditStore, "page">) =>
  async ({ after, limit }: ListAuditRecordsRequest): Promise<ListAuditRecordsResponse> => {
    const records = await audit.page(Number.parseInt(String(after), 10), Math.min(Math.max(limit, 1), longestPage));
    return { records: records.map(encodeRecord) };
  };
