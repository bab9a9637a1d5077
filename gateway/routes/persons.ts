import type { Participant, PersonDecision } from "../../proto/gen/corridor/identity/v1/identity_service";
import { DomainError, invalid } from "../../services/shared/kernel/errors";
import type { Upstreams } from "../clients";
import { type Answer, jsonAnswer, type Route, requireParam, type TenantCall } from "../route";
import {
  companyAnswerSchema,
  companyChangeSchema,
  companySchema,
  decisionSchema,
  participantSchema,
  personChangeSchema,
  personSchema,
  validationSchema,
} from "../schemas/person-schemas";

type IdentityUpstream = Pick<Upstreams, "identity">;

export const personRoutes = (upstreams: IdentityUpstream): readonly Route[] => [
  ...decisionRoutes(upstreams),
  ...participantRoutes(upstreams, { kind: "PERSON", path: "people", param: "personId", name: "person" }),
  ...participantRoutes(upstreams, { kind: "COMPANY", path: "companies", param: "companyId", name: "company" }),
];

function decisionRoutes({ identity }: IdentityUpstream): readonly Route[] {
  const common = { method: "POST", scheme: "bearer", scope: "persons", tag: "Persons", body: "optionalJson" } as const;
  const success = { status: 200, description: "APPROVED or REJECTED, and why.", schema: decisionSchema };
  return [
    {
      ...common,
      path: "/person",
      summary: "Register a person. One that does not pass is answered as REJECTED and not kept.",
      requestSchema: personSchema,
      success,
      refusals: [],
      async handle({ tenant, body }: TenantCall) {
        const { decision } = await identity.registerPerson({ tenant, bodyJson: body });
        return jsonAnswer(renderDecision(decision));
      },
    },
    {
      ...common,
      path: "/person/validate",
      summary: "Answer what registering a person would, and keep nothing.",
      requestSchema: personSchema,
      success: { ...success, schema: validationSchema },
      refusals: [],
      async handle({ tenant, body }: TenantCall) {
        const { decision, advice } = await identity.validatePerson({ tenant, bodyJson: body });
        return jsonAnswer({ ...renderDecision(decision), ...(advice.length > 0 && { advice }) });
      },
    },
  ];
}

/** How one kind of participant appears in paths. */
interface Naming {
  kind: "PERSON" | "COMPANY";
  path: string;
  param: string;
  name: string;
}

function participantRoutes({ identity }: IdentityUpstream, { kind, path, param, name }: Naming): readonly Route[] {
  const common = { scheme: "tenant", scope: "persons", tag: "Persons" } as const;
  const isCompany = kind === "COMPANY";
  const schema = isCompany ? companyAnswerSchema : participantSchema;
  return [
    {
      ...common,
      method: "POST",
      path: `/${path}`,
      summary: `Keep a ${name}, judged as POST /person does. One on the screening list is IN_REVIEW, one that lacks something REJECTED until it is given.`,
      body: "optionalJson",
      requestSchema: isCompany ? companySchema : personSchema,
      success: { status: 200, description: `The new ${name}.`, schema },
      refusals: [],
      async handle({ tenant, body }: TenantCall) {
        const { participant } = await identity.createParticipant({ tenant, kind, bodyJson: body });
        return participantAnswer(participant);
      },
    },
    {
      ...common,
      method: "PATCH",
      path: `/${path}/{id}`,
      summary: `Merge changes into a ${name} (RFC 7396). With If-Match only if it is still as that tag says.`,
      body: "optionalJson",
      params: { id: `Id of the ${name}.` },
      requestSchema: isCompany ? companyChangeSchema : personChangeSchema,
      success: { status: 200, description: `The ${name} after the change.`, schema },
      refusals: ["PARTICIPANT_NOT_FOUND", "PRECONDITION_FAILED"],
      async handle(call: TenantCall) {
        const { tenant, body } = call;
        const { participant } = await identity.updateParticipant({
          tenant,
          kind,
          participantId: requireParam(call, "id"),
          patchJson: body,
          ...expectedVersion(call),
        });
        return participantAnswer(participant);
      },
    },
    {
      ...common,
      method: "GET",
      path: `/organizations/{tenant}/${path}/{${param}}`,
      summary: `Read a ${name}.`,
      body: "none",
      params: { tenant: "Slug of the tenant that the API key belongs to.", [param]: `Id of the ${name}.` },
      success: { status: 200, description: `The ${name}.`, schema },
      refusals: ["PARTICIPANT_NOT_FOUND"],
      async handle(call: TenantCall) {
        const { tenant } = call;
        if (requireParam(call, "tenant") !== tenant) throw new DomainError("PARTICIPANT_NOT_FOUND", "no such record");
        const request = { tenant, kind, participantId: requireParam(call, param) };
        const { participant } = await identity.getParticipant(request);
        return participantAnswer(participant);
      },
    },
  ];
}

/** The version that the If-Match header names: one strong tag, as this gateway made it, or any. */
function expectedVersion({ headers }: TenantCall): { expectedVersion?: number } {
  const tag = headers["if-match"];
  if (tag === undefined || tag === "*") return {};
  const [, version] = /^"(\d{1,9})"$/.exec(tag) ?? [];
  if (version === undefined) throw invalid([{ field: "If-Match", message: "must be one entity tag of this record" }]);
  return { expectedVersion: Number.parseInt(version, 10) };
}

const renderDecision = (decision: PersonDecision | undefined): object => {
  if (decision === undefined) throw new Error("the identity service sent no decision");
  const { personId, type, firstName, lastName, status, message, reasonCodes } = decision;
  // Fields that are undefined do not appear in the answer.
  return { id: personId, type, firstName, lastName, status, message, ...(message !== undefined && { reasonCodes }) };
};

function participantAnswer(participant: Participant | undefined): Answer {
  if (participant?.createdAt === undefined || participant.updatedAt === undefined) {
    throw new Error("the identity service sent no record");
  }
  const { participantId: id, fieldsJson, reasonCodes, version, createdAt, updatedAt } = participant;
  const fields: unknown = JSON.parse(Buffer.from(fieldsJson).toString("utf8"));
  const answer = jsonAnswer({
    id,
    ...Object(fields),
    status: participant.status,
    reasonCodes,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  });
  return { ...answer, headers: { ...answer.headers, etag: `"${version}"` } };
}
