import type { AskApprovalRequest, AskApprovalResponse } from "../../../proto/gen/corridor/auth/v1/approval_service";
import type { AskApproval } from "../operations/ask-approval";
import { encodeApproval } from "./approval-codec";

export const askApprovalHandler =
  (askApproval: AskApproval) =>
  async ({ operator, action, object, digest, body }: AskApprovalRequest): Promise<AskApprovalResponse> => ({
    approval: encodeApproval(await askApproval({ asker: operator, action, object, digest }, Buffer.from(body))),
  });
