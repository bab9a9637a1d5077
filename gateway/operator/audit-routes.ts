import type { AuditRecord } from "../../proto/gen/corridor/auth/v1/audit_service";
import { invalid } from "../../services/shared/errors";
import type { Upstreams } from "../clients";
import { type Call, jsonAnswer, type OperatorCall, type Route } from "../route";
import { arrayOf, booleanSchema, instantSchema, nullable, objectSchema, textSchema } from "../schemas/document-schema";

const tag = "Audit";
const integer = (description: string) => ({ type: "integer", description });

const recordSchema = objectSchema({
  sequence: integer("1, 2, 3 and so on."),
  at: nullable(instantSchema("When it happened.")),
  actor: textSchema("operator:<name>, client:<id>, tenant:<slug> or agent:<id>."),
  tenant: textSchema("Tenant of the actor or the object."),
  action: textSchema("Route."),
  object: textSchema("Parameters of the path."),
  outcome: textSchema("begun, asked (it waits for a second person), done, or the reason of the refusal."),
  requestId: textSchema("Id of the request."),
  address: textSchema("Network address of the caller."),
  count: integer("Calls that it stands for: repeats of one refusal within a minute are told together."),
  hash: textSchema("Hash over this record and the one before."),
});

const renderRecord = ({ sequence, entry, hash }: AuditRecord): object => ({
  sequence: Number.parseInt(String(sequence), 10),
  ...entry,
  at: entry?.at?.toISOString() ?? null,
  hash,
});

/** A number of the query; `fallback` when it is absent. Throws INVALID_ARGUMENT for anything but digits. */
function queryNumber({ query }: Call, name: string, fallback: bigint): bigint {
  const text = new URLSearchParams(query).get(name);
  if (text === null) return fallback;
  if (!/^\d{1,15}$/.test(text)) throw invalid([{ field: name, message: "must be a whole number" }]);
  return BigInt(text);
}

/** The audit log, for operators. */
export function auditRoutes({ auth }: Pick<Upstreams, "auth">): readonly Route[] {
  const common = { scheme: "operator", tag, method: "GET", body: "none", refusals: ["INVALID_ARGUMENT"] } as const;
  return [
    {
      ...common,
      path: "/audit",
      summary: "Records behind `after` in order, at most `limit` (500).",
      success: { status: 200, description: "A page.", schema: objectSchema({ records: arrayOf(recordSchema) }) },
      async handle(call: OperatorCall) {
        const limit = Number.parseInt(String(queryNumber(call, "limit", 500n)), 10);
        const { records } = await auth.listAuditRecords({ after: queryNumber(call, "after", 0n), limit });
        return jsonAnswer({ records: records.map(renderRecord) });
      },
    },
    {
      ...common,
      path: "/audit/verify",
      summary: "Check the whole chain, and with `sequence` and `hash` that a record kept elsewhere is still in it.",
      success: {
        status: 200,
        description: "The verdict.",
        schema: objectSchema({
          isWhole: booleanSchema("True when every record is what was written."),
          brokenAt: nullable(integer("First record that is not.")),
          count: integer("How many records the chain has."),
          head: textSchema("Hash of the last one."),
        }),
      },
      async handle(call: OperatorCall) {
        const sequence = queryNumber(call, "sequence", 0n);
        const hash = new URLSearchParams(call.query).get("hash") ?? "";
        const verdict = await auth.verifyAudit(sequence === 0n ? { hash } : { sequence, hash });
        const { brokenAt, count, head } = verdict;
        const at = brokenAt === undefined ? null : Number.parseInt(String(brokenAt), 10);
        return jsonAnswer({ isWhole: at === null, brokenAt: at, count: Number.parseInt(String(count), 10), head });
      },
    },
  ];
}
