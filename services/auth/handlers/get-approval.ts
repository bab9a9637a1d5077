import type { GetApprovalRequest, GetApprovalResponse } from "../../../proto/gen/corridor/auth/v1/approval_service";
import { DomainError } from "../../shared/kernel/errors";
import type { ApprovalStore } from "../store/approval-store";
import { encodeApproval } from "./approval-codec";

export const getApprovalHandler =
  (approvals: Pick<ApprovalStore, "find">) =>
  async ({ approvalId }: GetApprovalRequest): Promise<GetApprovalResponse> => {
    const found = await approvals.find(approvalId);
    if (found === undefined) throw new DomainError("RECORD_NOT_FOUND", "there is no approval with this id");
    return { approval: encodeApproval(found.approval), body: found.body };
  };
