import type {
  ListAuditRecordsRequest,
  ListAuditRecordsResponse,
} from "../../../proto/gen/corridor/auth/v1/audit_service";
import { invalid } from "../../shared/kernel/errors";
import type { AuditRecord } from "../domain/audit-chain";
import type { AuditSearch, AuditStore } from "../store/audit-store";
import { encodeRecord } from "./codec";

const longestPage = 500;

export const listAuditRecordsHandler =
  (audit: Pick<AuditStore, "page" | "pageBefore" | "search">) =>
  async (request: ListAuditRecordsRequest): Promise<ListAuditRecordsResponse> => {
    const { newestFirst, from, until } = request;
    const after = Number.parseInt(String(request.after), 10);
    const limit = Math.min(Math.max(request.limit, 1), longestPage);
    const field = fieldOf(request);
    const read = (): Promise<AuditRecord[]> => {
      if (field !== undefined || from !== undefined || until !== undefined) {
        return audit.search({ field, from, until, after, newestFirst, limit });
      }
      return newestFirst ? audit.pageBefore(after, limit) : audit.page(after, limit);
    };
    return { records: (await read()).map(encodeRecord) };
  };

const fields = ["actor", "tenant", "object"] as const;

/** Returns the field that is searched by. Each has an index, and no index serves two of them. */
function fieldOf(request: Pick<ListAuditRecordsRequest, (typeof fields)[number]>): AuditSearch["field"] {
  const given = fields.flatMap((name) => {
    const text = request[name];
    return text === undefined ? [] : [[name, text] as const];
  });
  const [wanted, another] = given;
  if (wanted !== undefined && another !== undefined) {
    throw invalid([{ field: another[0], message: `must not be given together with ${wanted[0]}` }]);
  }
  return wanted;
}
