import type { Approval, GetApprovalResponse } from "../../proto/gen/corridor/auth/v1/approval_service";
import { DomainError } from "../../services/shared/kernel/errors";
import type { Upstreams } from "../clients";
import { knownWord } from "../codec/known-word";
import { defineRoute } from "../contract/define-route";
import type { Answered } from "../contract/infer";
import { answer, closedQuery, flag, instant, listOf, oneOf, orNull, request, text, uuid } from "../contract/parts";
import type { OperatorCall, Route } from "../route";
import { roleRefusal } from "./operator-roles";
import { pageMembers } from "./page";

type Auth = Pick<Upstreams, "auth">;

const states = ["WAITING", "APPROVED", "REFUSED", "SPENT"] as const;
const common = { scheme: "operator", tag: "Approvals" } as const;
const params = { approvalId: "Id of the approval, a UUID." };

const members = {
  approvalId: uuid("Id; header `x-approval` of the command."),
  action: text("Method and path of the command's route."),
  object: text("Names and values of the path's parameters."),
  asker: text("The operator who asked."),
  askedAt: orNull(instant("When.")),
  expiresAt: orNull(instant("From when on it is too old.")),
  state: oneOf("WAITING for another operator, APPROVED, REFUSED, or SPENT: carried out, once.", states),
  decidedBy: orNull(text("The operator who agreed or refused.")),
  decidedAt: orNull(instant("When.")),
  spentAt: orNull(instant("When it was carried out.")),
} as const;
const approvalShape = answer("Approval", "A command that waits, or waited, for a second person.", members);
const shownShape = answer("ApprovalShown", "A command that waits, or waited, for a second person, with what it says.", {
  ...members,
  body: orNull(text("The command's body as it was sent.")),
});
const pageShape = answer("ApprovalPage", "A page of approvals.", {
  approvals: listOf("The oldest first.", approvalShape),
  next: orNull(text("Cursor of the next page.")),
});
const pageQuery = closedQuery("Which approvals are meant.", {
  ...pageMembers,
  state: { ...oneOf("WAITING without it.", states), default: "WAITING" },
});
const decisionRequest = request("ApprovalDecision", "What is decided about a command.", {
  approve: flag("False refuses; one's own may be taken back so."),
});

const render = (approval: Approval): Answered<typeof approvalShape> => ({
  ...approval,
  state: knownWord(states, approval.state),
  decidedBy: approval.decidedBy ?? null,
  askedAt: approval.askedAt ?? null,
  expiresAt: approval.expiresAt ?? null,
  decidedAt: approval.decidedAt ?? null,
  spentAt: approval.spentAt ?? null,
});

/**
 * Returns an existing approval of a command that the operator's own roles allow: an operator cannot agree to a command that they could not
 * send.
 */
async function requireApproval(
  { auth }: Auth,
  { params: { approvalId = "" }, roles }: Pick<OperatorCall, "params" | "roles">,
): Promise<GetApprovalResponse & { approval: Approval }> {
  const { approval, body } = await auth.getApproval({ approvalId });
  if (approval === undefined) throw new DomainError("RECORD_NOT_FOUND", "there is no such approval");
  const refusal = roleRefusal(approval.action, roles);
  if (refusal !== undefined) throw refusal;
  return { approval, body };
}

/** Commands that wait for a second person, for operators. */
export const approvalRoutes = (upstreams: Auth): readonly Route[] => [
  defineRoute({
    ...common,
    method: "GET",
    path: "/approvals",
    summary: "List approvals, the oldest first; those that wait unless another state is asked for.",
    query: pageQuery,
    response: { status: 200, description: "A page.", schema: pageShape },
    refusals: ["INVALID_ARGUMENT"],
    async handle({ query }) {
      const { approvals, next } = await upstreams.auth.listApprovals(query);
      return { approvals: approvals.map(render), next: next ?? null };
    },
  }),
  defineRoute({
    ...common,
    method: "GET",
    path: "/approvals/{approvalId}",
    summary: "Show an approval with what its command says.",
    params,
    response: { status: 200, description: "The approval.", schema: shownShape },
    refusals: ["RECORD_NOT_FOUND", "ROLE_MISSING"],
    async handle(asked) {
      const { approval, body } = await requireApproval(upstreams, asked);
      const words = Buffer.from(body).toString("utf8");
      return { ...render(approval), body: words === "" ? null : words };
    },
  }),
  defineRoute({
    ...common,
    method: "POST",
    path: "/approvals/{approvalId}",
    summary: "Agree to a command of another operator, which its asker sends again then, or refuse it.",
    params,
    request: decisionRequest,
    response: { status: 200, description: "The approval.", schema: approvalShape },
    refusals: ["RECORD_NOT_FOUND", "RECORD_CONFLICT", "ROLE_MISSING"],
    async handle({ body: { approve }, ...asked }) {
      const { approvalId } = (await requireApproval(upstreams, asked)).approval;
      const { approval } = await upstreams.auth.decideApproval({ approvalId, operator: asked.operator, approve });
      if (approval === undefined) throw new Error("the auth service sent no approval");
      return render(approval);
    },
  }),
];
