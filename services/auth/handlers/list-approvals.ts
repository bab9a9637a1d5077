import type { ListApprovalsRequest, ListApprovalsResponse } from "../../../proto/gen/corridor/auth/v1/approval_service";
import { beginningOfTime, type Clock } from "../../shared/kernel/clock";
import type { ApprovalStore } from "../store/approval-store";
import { decodeApprovalState, encodeApproval } from "./approval-codec";

const mostRows = 200;

export const listApprovalsHandler =
  (approvals: Pick<ApprovalStore, "page">, clock: Clock) =>
  async ({ state: text, after, limit }: ListApprovalsRequest): Promise<ListApprovalsResponse> => {
    const state = decodeApprovalState(text);
    const endAfter = state === "WAITING" ? clock.now() : beginningOfTime;
    const page = await approvals.page(state, endAfter, after, Math.min(Math.max(limit, 1), mostRows));
    return { approvals: page.approvals.map(encodeApproval), next: page.next };
  };
