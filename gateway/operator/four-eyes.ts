import { createHash } from "node:crypto";
import type { Approval } from "../../proto/gen/corridor/auth/v1/approval_service";
import { DomainError } from "../../services/shared/kernel/errors";
import type { Upstreams } from "../clients";
import type { Answered } from "../contract/infer";
import { type Answer, jsonAnswer, type OperatorCall, type OperatorRoute, type Route } from "../route";
import { approvalHeader, type askedApproval } from "./asked-approval";
import type { OperatorDirectory } from "./operator-directory";
import { isCommand, roleRefusal } from "./operator-roles";

/** Carries out calls of operators: with four eyes on, commands wait for a second person. */
export interface FourEyes {
  carryOut(route: OperatorRoute, call: OperatorCall): Promise<Answer>;
}

/** One operator decides alone. */
export const oneOperator: FourEyes = { carryOut: (route, call) => route.handle(call) };

export interface FourEyesDeps {
  auth: Pick<Upstreams["auth"], "askApproval" | "spendApproval">;
  operators: Pick<OperatorDirectory, "namesWith">;
  /** The operator table on stand-in services that end at the first call; see `rehearse`. */
  tableUpon(upstreams: Upstreams): readonly Route[];
}

const idPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The first call of a command stores it and answers 202 with its approval. It is carried out when another operator sends the same command
 * with that approval, or when the first operator sends it again after another has agreed.
 */
export function makeFourEyes({ auth, operators, tableUpon }: FourEyesDeps): FourEyes {
  const rehearse = makeRehearsal(tableUpon);
  return {
    async carryOut(route, call) {
      if (!isCommand(route)) return route.handle(call);
      await rehearse(route, call);
      const [operator, digest] = [call.operator, digestOf(route, call)];
      const approvalId = call.headers[approvalHeader];
      if (approvalId === undefined) {
        const asked = { operator, action: nameOf(route), object: objectOf(call), digest, body: call.body };
        return waiting((await auth.askApproval(asked)).approval);
      }
      if (typeof approvalId !== "string" || !idPattern.test(approvalId)) {
        throw new DomainError("RECORD_CONFLICT", `${approvalHeader} is not the id of an approval`);
      }
      const tokens = [...operators.namesWith((roles) => roleRefusal(nameOf(route), roles) === undefined)];
      const { approval } = await auth.spendApproval({ approvalId, operator, digest, tokens });
      if (approval?.decidedBy === undefined) throw new Error("the auth service sent no approval");
      return route.handle({ ...call, operator: approval.asker, approver: approval.decidedBy });
    },
  };
}

function waiting(approval: Approval | undefined): Answer {
  if (approval === undefined) throw new Error("the auth service sent no approval");
  const { approvalId, expiresAt } = approval;
  const asked: Answered<typeof askedApproval> = { approval: approvalId, expiresAt: expiresAt ?? null };
  return { ...jsonAnswer(asked, 202), outcome: "asked" };
}

const nameOf = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`;

/** Names and values of the path's parameters. */
export const objectOf = ({ params }: Pick<OperatorCall, "params">): string =>
  Object.entries(params)
    .map(([param, value]) => `${param}=${value}`)
    .join(" ");

/** Two calls with the same digest are the same command: method, path, query and every byte of the body. */
function digestOf(route: OperatorRoute, { params, query, body }: OperatorCall): string {
  const bodyDigest = createHash("sha256").update(body).digest("hex");
  const facts = [nameOf(route), Object.entries(params).toSorted(([a], [b]) => (a < b ? -1 : 1)), query, bodyDigest];
  return createHash("sha256").update(JSON.stringify(facts)).digest("base64url");
}

/**
 * Refuses a malformed command before another operator is asked about it: runs its own handler on stand-in services that end the rehearsal
 * at the first call to any of them, so that it has no effect.
 */
function makeRehearsal(tableUpon: FourEyesDeps["tableUpon"]) {
  const reached = new Error("the command is well formed");
  const stage: unknown = new Proxy(() => {}, { get: () => stage, apply: () => Promise.reject(reached) });
  const table = tableUpon(stage as Upstreams);
  const rows = new Map(table.map((route) => [nameOf(route), route]));
  return async (route: OperatorRoute, call: OperatorCall): Promise<void> => {
    const row = rows.get(nameOf(route));
    if (row?.scheme !== "operator") throw new Error(`${nameOf(route)} has no row to rehearse`);
    try {
      await row.handle(call);
    } catch (error) {
      if (error !== reached) throw error;
    }
  };
}
