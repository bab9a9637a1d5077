import { plusMs } from "../../shared/kernel/clock";
import { DomainError } from "../../shared/kernel/errors";

export const approvalStates = ["WAITING", "APPROVED", "REFUSED", "SPENT"] as const;

export type ApprovalState = (typeof approvalStates)[number];

/** A command that one operator wants to run, and its outcome. */
export interface Approval {
  id: string;
  /** Method and path of the route; `object` has its parameters. */
  action: string;
  object: string;
  /** Covers everything that identifies the command. */
  digest: string;
  asker: string;
  askedAt: Date;
  expiresAt: Date;
  state: ApprovalState;
  decidedBy: string | undefined;
  decidedAt: Date | undefined;
  spentAt: Date | undefined;
  /** 1 at first, increased with every change. */
  version: number;
}

export type Wish = Pick<Approval, "action" | "object" | "digest" | "asker">;

const validMs = 24 * 60 * 60 * 1_000;

/** Makes an approval that waits for a second operator. */
export const askApproval = (wish: Wish, id: string, askedAt: Date): Approval => ({
  ...wish,
  id,
  askedAt,
  expiresAt: plusMs(askedAt, validMs),
  state: "WAITING",
  decidedBy: undefined,
  decidedAt: undefined,
  spentAt: undefined,
  version: 1,
});

interface Decision {
  operator: string;
  approve: boolean;
  at: Date;
}

/** Throws RECORD_CONFLICT for an approval that is decided or too old, and for an operator who approves their own request. */
export function decideApproval(approval: Approval, { operator, approve, at }: Decision): Approval {
  requireFresh(approval, at);
  if (approval.state !== "WAITING") throw conflict(`it is ${approval.state} already`);
  if (approve) requireSecond(approval, operator);
  const state = approve ? "APPROVED" : "REFUSED";
  return { ...approval, state, decidedBy: operator, decidedAt: at, version: approval.version + 1 };
}

/**
 * The approval after its only use. An operator who sends another operator's command thereby agrees to it. Throws RECORD_CONFLICT for
 * another command, and for an approval that is used, refused, too old or agreed to only by the operator who asked.
 */
export function spendApproval(
  approval: Approval,
  { operator, digest, at }: { operator: string; digest: string; at: Date },
): Approval {
  if (approval.digest !== digest) throw conflict("it is for another command");
  requireFresh(approval, at);
  if (approval.state === "REFUSED" || approval.state === "SPENT") throw conflict(`it is ${approval.state} already`);
  if (approval.state === "WAITING") requireSecond(approval, operator);
  const decided = approval.state === "WAITING" ? { decidedBy: operator, decidedAt: at } : {};
  return { ...approval, ...decided, state: "SPENT", spentAt: at, version: approval.version + 1 };
}

/**
 * Lists the operators whose word the approval is, each with the time at which they gave it: who lost access since then has taken it back.
 */
export const wordsOf = ({ asker, askedAt, decidedBy, decidedAt }: Approval): readonly { name: string; at: Date }[] => [
  { name: asker, at: askedAt },
  ...(decidedBy === undefined || decidedAt === undefined ? [] : [{ name: decidedBy, at: decidedAt }]),
];

/** The refusal of an approval of which one operator may no longer send the command. */
export const wordTakenBack = (): DomainError =>
  conflict("one of its two operators has lost access since, or may not send the command at this door");

function requireFresh({ expiresAt }: Approval, at: Date): void {
  if (expiresAt <= at) throw conflict("it is too old");
}

function requireSecond({ asker }: Approval, operator: string): void {
  if (asker === operator) throw conflict("a second operator must decide");
}

const conflict = (why: string): DomainError =>
  new DomainError("RECORD_CONFLICT", `the approval cannot be used: ${why}`);
