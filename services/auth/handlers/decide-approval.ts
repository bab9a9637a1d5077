import type {
  DecideApprovalRequest,
  DecideApprovalResponse,
} from "../../../proto/gen/corridor/auth/v1/approval_service";
import type { DecideApproval } from "../operations/decide-approval";
import { encodeApproval } from "./approval-codec";

export const decideApprovalHandler =
  (decideApproval: DecideApproval) =>
  async ({ approvalId, operator, approve }: DecideApprovalRequest): Promise<DecideApprovalResponse> => ({
    approval: encodeApproval(await decideApproval(approvalId, operator, approve)),
  });
