import type { Approval as WireApproval } from "../../../proto/gen/corridor/auth/v1/approval_service";
import { invalid } from "../../shared/kernel/errors";
import { type Approval, type ApprovalState, approvalStates } from "../domain/approval";

export const encodeApproval = ({ id, digest: _digest, version: _version, ...rest }: Approval): WireApproval => ({
  approvalId: id,
  ...rest,
});

export function decodeApprovalState(text: string): ApprovalState {
  const state = approvalStates.find((one) => one === text);
  if (state !== undefined) return state;
  throw invalid([{ field: "state", message: `must be one of ${approvalStates.join(", ")}` }]);
}
