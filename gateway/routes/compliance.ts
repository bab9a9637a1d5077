import type { Upstreams } from "../clients";
import { readQuery } from "../query-reader";
import { jsonAnswer, type Route, requireParam, type TenantCall } from "../route";
import { addressCheckSchema, addressQuery, levelsSchema } from "../schemas/compliance-schemas";

/** What participants and addresses lack. */
export function complianceRoutes({ identity }: Pick<Upstreams, "identity">): readonly Route[] {
  const common = { method: "GET", scheme: "tenant", scope: "persons", tag: "Compliance", body: "none" } as const;
  return [
    {
      ...common,
      path: "/participants/{id}/complianceLevels",
      summary: "Read which compliance level a person or company has, and what is missing for each level.",
      params: { id: "Id of the person or company." },
      success: { status: 200, description: "The levels.", schema: levelsSchema },
      refusals: ["PARTICIPANT_NOT_FOUND"],
      async handle(call: TenantCall) {
        const participantId = requireParam(call, "id");
        const found = await identity.getComplianceLevels({ tenant: call.tenant, participantId });
        const levels = found.levels.map(({ level, missing }) => ({ level, missing }));
        const present = levels.findIndex(({ level }) => level === found.level);
        const next = levels[present + 1];
        return jsonAnswer({
          participantId,
          level: found.level,
          missing: next?.missing ?? [],
          levels,
        });
      },
    },
    {
      ...common,
      path: "/addresses/check",
      summary: "Clean an address, and say what its country and structured payment messages miss in it.",
      query: addressQuery,
      success: { status: 200, description: "What was found.", schema: addressCheckSchema },
      refusals: ["INVALID_ARGUMENT"],
      async handle(call: TenantCall) {
        const query = readQuery(call);
        const parts = Object.keys(addressQuery).flatMap((name) => {
          const value = query.optionalText(name);
          return value === undefined ? [] : [{ name, value }];
        });
        query.check(parts.length > 0, "query", "must have at least one part of an address");
        query.finish();
        const { normalised, missing, wrong, ...structured } = await identity.checkAddress({ parts });
        return jsonAnswer({
          normalised: Object.fromEntries(normalised.map(({ name, value }) => [name, value])),
          missing,
          wrong,
          structured: {
            isReady: structured.isStructured,
            missing: structured.structuredMissing,
            tooLong: structured.structuredTooLong,
          },
        });
      },
    },
  ];
}
