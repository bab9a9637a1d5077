import type { ResolveBreakRequest, ResolveBreakResponse } from "../../../proto/gen/corridor/wallet/v1/statement";
import { invalid } from "../../shared/kernel/errors";
import type { ResolveBreak } from "../operations/resolve-break";
import { encodeStatementBreak } from "./statement-codec";

export const resolveBreakHandler =
  (resolveBreak: ResolveBreak) =>
  async ({ breakId, operator, note }: ResolveBreakRequest): Promise<ResolveBreakResponse> => {
    const rules: [boolean, string, string][] = [
      [operator !== "" && operator.length <= 100, "operator", "must be 1 to 100 characters"],
      [note.trim() !== "" && note.length <= 1_000, "note", "must be 1 to 1,000 characters"],
    ];
    const violations = rules.flatMap(([holds, field, message]) => (holds ? [] : [{ field, message }]));
    if (violations.length > 0) throw invalid(violations);
    return { break: encodeStatementBreak(await resolveBreak(breakId, `${operator}: ${note}`)) };
  };
