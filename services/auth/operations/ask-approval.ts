import type { Clock } from "../../shared/kernel/clock";
import { invalid } from "../../shared/kernel/errors";
import type { Ids } from "../../shared/kernel/ids";
import { type Approval, askApproval, type Wish } from "../domain/approval";
import type { ApprovalStore } from "../store/approval-store";

export interface AskApprovalDeps {
  approvals: Pick<ApprovalStore, "add">;
  clock: Clock;
  ids: Pick<Ids, "uuid">;
}

export type AskApproval = (wish: Wish, body: Buffer) => Promise<Approval>;

const mostBytes = 64 * 1_024;

/**
 * Stores a command that an operator wants to run. Throws INVALID_ARGUMENT when the operator or the command is missing, and for
 * a body that is too long to display.
 */
export const makeAskApproval =
  ({ approvals, clock, ids }: AskApprovalDeps): AskApproval =>
  async (wish, body) => {
    const said = { operator: wish.asker, action: wish.action, digest: wish.digest };
    const violations = Object.entries(said).flatMap(([field, text]) =>
      text === "" ? [{ field, message: "is required" }] : [],
    );
    if (body.length > mostBytes) violations.push({ field: "body", message: `must be at most ${mostBytes} bytes` });
    if (violations.length > 0) throw invalid(violations);
    const approval = askApproval(wish, ids.uuid(), clock.now());
    await approvals.add(approval, body);
    return approval;
  };
