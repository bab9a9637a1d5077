import type { Clock } from "../../shared/kernel/clock";
import { DomainError } from "../../shared/kernel/errors";
import { type Approval, spendApproval, wordsOf, wordTakenBack } from "../domain/approval";
import type { ApprovalStore } from "../store/approval-store";
import type { UserStore } from "../store/user-store";

export interface SpendApprovalDeps {
  approvals: Pick<ApprovalStore, "find" | "save">;
  users: Pick<UserStore, "find">;
  clock: Clock;
}

export interface Spending {
  approvalId: string;
  operator: string;
  digest: string;
  /** Names of the static tokens that allow the command now. */
  tokens: readonly string[];
}

export type SpendApproval = (spending: Spending) => Promise<Approval>;

/**
 * Uses an approval for its command; of two concurrent uses, one succeeds. Throws RECORD_CONFLICT, also when there is none, and when one of
 * its two operators has lost access since they asked or agreed.
 */
export const makeSpendApproval =
  ({ approvals, users, clock }: SpendApprovalDeps): SpendApproval =>
  async ({ approvalId, operator, digest, tokens }) => {
    const found = await approvals.find(approvalId);
    if (found === undefined) throw new DomainError("RECORD_CONFLICT", "there is no approval with this id");
    const next = spendApproval(found.approval, { operator, digest, at: clock.now() });
    for (const { name, at } of wordsOf(next)) {
      const userId = /^user:(.+)$/.exec(name)?.[1];
      const holds = userId === undefined ? tokens.includes(name) : await isUnreduced(userId, at, users);
      if (!holds) throw wordTakenBack();
    }
    await approvals.save(next);
    return next;
  };

async function isUnreduced(userId: string, since: Date, users: Pick<UserStore, "find">): Promise<boolean> {
  const user = await users.find("operators", userId);
  return user !== undefined && !user.isDisabled && user.reducedAt < since;
}
