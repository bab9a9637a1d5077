import type {
  ListAuditRecordsRequest,
  ListAuditRecordsResponse,
} from "../../../proto/gen/corridor/auth/v1/audit_service";
import type { AuditStore } from "../store/audit-store";
import { encodeRecord } from "./codec";

const longestPage = 500;

export const listAuditRecordsHandler =
  (audit: Pick<AuditStore, "page" | "pageBefore">) =>
  async ({ after, limit, newestFirst }: ListAuditRecordsRequest): Promise<ListAuditRecordsResponse> => {
    const known = Number.parseInt(String(after), 10);
    const most = Math.min(Math.max(limit, 1), longestPage);
    const records = await (newestFirst ? audit.pageBefore(known, most) : audit.page(known, most));
    return { records: records.map(encodeRecord) };
  };
