import type { SpendApprovalRequest, SpendApprovalResponse } from "../../../proto/gen/corridor/auth/v1/approval_service";
import type { SpendApproval } from "../operations/spend-approval";
import { encodeApproval } from "./approval-codec";

export const spendApprovalHandler =
  (spendApproval: SpendApproval) =>
  async (request: SpendApprovalRequest): Promise<SpendApprovalResponse> => ({
    approval: encodeApproval(await spendApproval(request)),
  });
