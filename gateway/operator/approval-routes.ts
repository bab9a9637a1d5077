import type { Approval, GetApprovalResponse } from "../../proto/gen/corridor/auth/v1/approval_service";
import { DomainError } from "../../services/shared/errors";
import type { Upstreams } from "../clients";
import { readFields } from "../field-reader";
import { readQuery } from "../query-reader";
import { jsonAnswer, type OperatorCall, type Route, readJson, requireParam } from "../route";
import {
  arrayOf,
  booleanSchema,
  enumSchema,
  instantSchema,
  nullable,
  objectSchema,
  textSchema,
} from "../schemas/document-schema";
import { roleRefusal } from "./operator-roles";
import { pageLimit, pageQuery } from "./page";

type Auth = Pick<Upstreams, "auth">;

const states = ["WAITING", "APPROVED", "REFUSED", "SPENT"] as const;
const common = { scheme: "operator", tag: "Approvals" } as const;
const params = { approvalId: "Id of the approval, a UUID." };

const fields = {
  approvalId: textSchema("UUID; header `x-approval` of the command."),
  action: textSchema("Method and path of the command's route."),
  object: textSchema("Names and values of the path's parameters."),
  asker: textSchema("The operator who asked."),
  askedAt: nullable(instantSchema("When.")),
  expiresAt: nullable(instantSchema("From when on it is too old.")),
  state: enumSchema("WAITING for somebody else; SPENT: carried out, once.", states),
  decidedBy: nullable(textSchema("The operator who agreed or refused.")),
  decidedAt: nullable(instantSchema("When.")),
  spentAt: nullable(instantSchema("When it was carried out.")),
};
const approvalSchema = objectSchema(fields);

const instant = (at: Date | undefined): string | null => at?.toISOString() ?? null;

const render = (approval: Approval): object => ({
  ...approval,
  decidedBy: approval.decidedBy ?? null,
  askedAt: instant(approval.askedAt),
  expiresAt: instant(approval.expiresAt),
  decidedAt: instant(approval.decidedAt),
  spentAt: instant(approval.spentAt),
});

/** One that is there and whose command the operator's own roles allow: nobody agrees to what they could not do. */
async function requireApproval(
  { auth }: Auth,
  call: OperatorCall,
): Promise<GetApprovalResponse & { approval: Approval }> {
  const { approval, body } = await auth.getApproval({ approvalId: requireParam(call, "approvalId") });
  if (approval === undefined) throw new DomainError("RECORD_NOT_FOUND", "there is no such approval");
  const refusal = roleRefusal(approval.action, call.roles);
  if (refusal !== undefined) throw refusal;
  return { approval, body };
}

/** Commands that wait for a second person, for operators. */
export const approvalRoutes = (upstreams: Auth): readonly Route[] => [
  listRoute(upstreams),
  showRoute(upstreams),
  decideRoute(upstreams),
];

const listRoute = ({ auth }: Auth): Route => ({
  ...common,
  method: "GET",
  path: "/approvals",
  summary: "List approvals, the oldest first; those that wait unless another state is asked for.",
  body: "none",
  query: {
    ...pageQuery,
    state: { description: "WAITING without it.", schema: { type: "string", enum: states, default: "WAITING" } },
  },
  success: {
    status: 200,
    description: "A page.",
    schema: objectSchema({
      approvals: arrayOf(approvalSchema),
      next: nullable(textSchema("Cursor of the next page.")),
    }),
  },
  refusals: ["INVALID_ARGUMENT"],
  async handle(call: OperatorCall) {
    const query = readQuery(call);
    const [state = "WAITING", after] = [query.optionalText("state"), query.optionalText("after")];
    const limit = query.wholeNumber("limit", pageLimit);
    query.finish();
    const { approvals, next } = await auth.listApprovals({ state, after, limit });
    return jsonAnswer({ approvals: approvals.map(render), next: next ?? null });
  },
});

const showRoute = (upstreams: Auth): Route => ({
  ...common,
  method: "GET",
  path: "/approvals/{approvalId}",
  summary: "Show an approval with what its command says.",
  body: "none",
  params,
  success: {
    status: 200,
    description: "The approval.",
    schema: objectSchema({ ...fields, body: nullable(textSchema("The command's body as it was sent.")) }),
  },
  refusals: ["RECORD_NOT_FOUND", "ROLE_MISSING"],
  async handle(call: OperatorCall) {
    const { approval, body } = await requireApproval(upstreams, call);
    const text = Buffer.from(body).toString("utf8");
    return jsonAnswer({ ...render(approval), body: text === "" ? null : text });
  },
});

const decideRoute = (upstreams: Auth): Route => ({
  ...common,
  method: "POST",
  path: "/approvals/{approvalId}",
  summary: "Agree to a command of somebody else, which its asker sends again then, or refuse it.",
  body: "json",
  params,
  requestSchema: objectSchema({ approve: booleanSchema("False refuses; one's own may be taken back so.") }),
  success: { status: 200, description: "The approval.", schema: approvalSchema },
  refusals: ["RECORD_NOT_FOUND", "RECORD_CONFLICT", "ROLE_MISSING"],
  async handle(call: OperatorCall) {
    const body = readFields(readJson(call).value);
    const approve = body.optionalFlag("approve");
    body.check(approve !== undefined, "approve", "is required and must be true or false");
    body.finish();
    const { approvalId } = (await requireApproval(upstreams, call)).approval;
    const decision = { approvalId, operator: call.operator, approve: approve === true };
    const { approval } = await upstreams.auth.decideApproval(decision);
    if (approval === undefined) throw new Error("the auth service sent no approval");
    return jsonAnswer(render(approval));
  },
});
