import { invalid } from "../../services/shared/kernel/errors";
import type { Upstreams } from "../clients";
import { levelName, renderAddress, toPersonAddress } from "../codec/person-codec";
import { defineRoute } from "../contract/define-route";
import * as contracts from "../contract/persons";
import type { Route } from "../route";

const common = { method: "GET", scheme: "tenant", scope: "persons", tag: "Compliance" } as const;

/** Routes that say what participants and addresses lack. */
export const complianceRoutes = ({ identity }: Pick<Upstreams, "identity">): readonly Route[] => [
  defineRoute({
    ...common,
    path: "/participants/{id}/complianceLevels",
    summary: "Read which compliance level a person or company has, and what is missing for each level.",
    params: { id: "Id of the person or company." },
    response: { status: 200, description: "The levels.", schema: contracts.complianceLevels },
    refusals: ["PARTICIPANT_NOT_FOUND"],
    async handle({ tenant, params: { id: participantId } }) {
      const found = await identity.getComplianceLevels({ tenant, participantId });
      const levels = found.levels.map(({ level, missing }) => ({ level: levelName(level), missing }));
      const present = found.levels.findIndex(({ level }) => level === found.level);
      return { participantId, level: levelName(found.level), missing: levels[present + 1]?.missing ?? [], levels };
    },
  }),
  defineRoute({
    ...common,
    path: "/addresses/check",
    summary: "Clean an address, and say what its country and structured payment messages miss in it.",
    query: contracts.addressQuery,
    response: { status: 200, description: "What was found.", schema: contracts.addressCheck },
    refusals: ["INVALID_ARGUMENT"],
    async handle({ query }) {
      if (Object.keys(query).length === 0) {
        throw invalid([{ field: "query", message: "must have at least one part of an address" }]);
      }
      const { normalised, missing, wrong, ...structured } = await identity.checkAddress({
        address: toPersonAddress(query),
      });
      if (normalised === undefined) throw new Error("the identity service sent no address");
      const { phoneNumber: _phone, emailAddress: _mail, ...parts } = renderAddress(normalised);
      return {
        normalised: parts,
        missing,
        wrong,
        structured: {
          isReady: structured.isStructured,
          missing: structured.structuredMissing,
          tooLong: structured.structuredTooLong,
        },
      };
    },
  }),
];
