import type { IncomingHttpHeaders } from "node:http";
import type { Participant } from "../../proto/gen/corridor/identity/v1/identity_service";
import { ParticipantKind, type PersonDetails } from "../../proto/gen/corridor/identity/v1/participant";
import { DomainError, invalid } from "../../services/shared/kernel/errors";
import type { Upstreams } from "../clients";
import { renderCompany, renderDecision, renderPerson, toPersonDetails, toUpdateMask } from "../codec/person-codec";
import { defineRoute, replyWith } from "../contract/define-route";
import * as contracts from "../contract/persons";
import type { Route } from "../route";

type IdentityUpstream = Pick<Upstreams, "identity">;

export const personRoutes = (upstreams: IdentityUpstream): readonly Route[] => [
  ...decisionRoutes(upstreams),
  ...peopleRoutes(upstreams),
  ...companyRoutes(upstreams),
];

function decisionRoutes({ identity }: IdentityUpstream): readonly Route[] {
  const common = { method: "POST", scheme: "bearer", scope: "persons", tag: "Persons" } as const;
  const body = { request: contracts.personRequest, isRequestOptional: true } as const;
  const description = "APPROVED or REJECTED, and why.";
  const check = makeCheck(identity);
  return [
    defineRoute({
      ...common,
      ...body,
      path: "/person",
      summary: "Register a person. One that does not pass is answered as REJECTED and not kept.",
      response: { status: 200, description, schema: contracts.personDecision },
      refusals: [],
      whenRefused: ({ tenant = "", body: draft = {} }) => check({ tenant, details: toPersonDetails(draft) }),
      handle: async ({ tenant, body: person }) =>
        renderDecision((await identity.registerPerson({ tenant, person: toPersonDetails(person) })).decision),
    }),
    defineRoute({
      ...common,
      ...body,
      path: "/person/validate",
      isRepeatable: true,
      summary: "Answer what registering a person would, and keep nothing.",
      response: { status: 200, description, schema: contracts.personValidation },
      refusals: [],
      whenRefused: ({ tenant = "", body: draft = {} }) => check({ tenant, details: toPersonDetails(draft) }),
      async handle({ tenant, body: person }) {
        const { decision, advice } = await identity.validatePerson({ tenant, person: toPersonDetails(person) });
        return { ...renderDecision(decision), ...(advice.length > 0 && { advice }) };
      },
    }),
  ];
}

/** Asks the identity service what else is wrong with a description that is already refused, and throws what it finds. */
const makeCheck =
  (identity: Pick<Upstreams["identity"], "checkPerson">) =>
  async (draft: { tenant: string; kind?: ParticipantKind; details: PersonDetails }): Promise<void> => {
    const { violations } = await identity.checkPerson(draft);
    throw invalid(violations);
  };

const common = { scheme: "tenant", scope: "persons", tag: "Persons", isTagged: true } as const;
const tenantParam = "Slug of the tenant that the API key belongs to.";
const kept = "One on the screening list is IN_REVIEW, one that lacks something REJECTED until it is given.";
const merged = "(RFC 7396). With If-Match only if it is still as that tag says.";

function peopleRoutes({ identity }: IdentityUpstream): readonly Route[] {
  const kind = ParticipantKind.PERSON;
  const check = makeCheck(identity);
  const answer = (participant: Participant | undefined) => replyWith(renderPerson(participant), entityTag(participant));
  return [
    defineRoute({
      ...common,
      method: "POST",
      path: "/people",
      summary: `Keep a person, decided on as by POST /person. ${kept}`,
      request: contracts.newPerson,
      isRequestOptional: true,
      response: { status: 200, description: "The new person.", schema: contracts.person },
      refusals: [],
      whenRefused: ({ tenant = "", body = {} }) => check({ tenant, kind, details: toPersonDetails(body) }),
      async handle({ tenant, body }) {
        const details = toPersonDetails(body);
        return answer((await identity.createParticipant({ tenant, kind, details })).participant);
      },
    }),
    defineRoute({
      ...common,
      method: "PATCH",
      path: "/people/{id}",
      summary: `Merge changes into a person ${merged}`,
      params: { id: "Id of the person." },
      request: contracts.personChange,
      isRequestOptional: true,
      response: { status: 200, description: "The person after the change.", schema: contracts.person },
      refusals: ["PARTICIPANT_NOT_FOUND", "PRECONDITION_FAILED"],
      whenRefused: ({ tenant = "", body = {} }) => check({ tenant, kind, details: toPersonDetails(body) }),
      async handle({ tenant, params: { id: participantId }, body, headers }) {
        const change = { details: toPersonDetails(body), updateMask: toUpdateMask(body), ...expectedVersion(headers) };
        return answer((await identity.updateParticipant({ tenant, kind, participantId, ...change })).participant);
      },
    }),
    defineRoute({
      ...common,
      method: "GET",
      path: "/organizations/{tenant}/people/{personId}",
      summary: "Read a person.",
      params: { tenant: tenantParam, personId: "Id of the person." },
      response: { status: 200, description: "The person.", schema: contracts.person },
      refusals: ["PARTICIPANT_NOT_FOUND"],
      async handle({ tenant, params }) {
        requireOwn(tenant, params.tenant);
        const request = { tenant, kind, participantId: params.personId };
        return answer((await identity.getParticipant(request)).participant);
      },
    }),
  ];
}

function companyRoutes({ identity }: IdentityUpstream): readonly Route[] {
  const kind = ParticipantKind.COMPANY;
  const check = makeCheck(identity);
  const answer = (participant: Participant | undefined) =>
    replyWith(renderCompany(participant), entityTag(participant));
  return [
    defineRoute({
      ...common,
      method: "POST",
      path: "/companies",
      summary: `Keep a company, decided on as by POST /person. ${kept}`,
      request: contracts.newCompany,
      isRequestOptional: true,
      response: { status: 200, description: "The new company.", schema: contracts.company },
      refusals: [],
      whenRefused: ({ tenant = "", body = {} }) => check({ tenant, kind, details: toPersonDetails(body) }),
      async handle({ tenant, body }) {
        const details = toPersonDetails(body);
        return answer((await identity.createParticipant({ tenant, kind, details })).participant);
      },
    }),
    defineRoute({
      ...common,
      method: "PATCH",
      path: "/companies/{id}",
      summary: `Merge changes into a company ${merged}`,
      params: { id: "Id of the company." },
      request: contracts.companyChange,
      isRequestOptional: true,
      response: { status: 200, description: "The company after the change.", schema: contracts.company },
      refusals: ["PARTICIPANT_NOT_FOUND", "PRECONDITION_FAILED"],
      whenRefused: ({ tenant = "", body = {} }) => check({ tenant, kind, details: toPersonDetails(body) }),
      async handle({ tenant, params: { id: participantId }, body, headers }) {
        const change = { details: toPersonDetails(body), updateMask: toUpdateMask(body), ...expectedVersion(headers) };
        return answer((await identity.updateParticipant({ tenant, kind, participantId, ...change })).participant);
      },
    }),
    defineRoute({
      ...common,
      method: "GET",
      path: "/organizations/{tenant}/companies/{companyId}",
      summary: "Read a company.",
      params: { tenant: tenantParam, companyId: "Id of the company." },
      response: { status: 200, description: "The company.", schema: contracts.company },
      refusals: ["PARTICIPANT_NOT_FOUND"],
      async handle({ tenant, params }) {
        requireOwn(tenant, params.tenant);
        const request = { tenant, kind, participantId: params.companyId };
        return answer((await identity.getParticipant(request)).participant);
      },
    }),
  ];
}

/** Refuses a path of another tenant as one of a record that does not exist. */
function requireOwn(tenant: string, named: string): void {
  if (named !== tenant) throw new DomainError("PARTICIPANT_NOT_FOUND", "there is no such person or company");
}

const entityTag = (participant: Participant | undefined): Readonly<Record<string, string>> =>
  participant === undefined ? {} : { etag: `"${participant.version}"` };

/** Reads the version that the If-Match header names: one strong tag that this gateway made, or any. */
function expectedVersion(headers: IncomingHttpHeaders): { expectedVersion?: number } {
  const tag = headers["if-match"];
  if (tag === undefined || tag === "*") return {};
  const [, version] = /^"(\d{1,9})"$/.exec(tag) ?? [];
  if (version === undefined) throw invalid([{ field: "If-Match", message: "must be one entity tag of this record" }]);
  return { expectedVersion: Number.parseInt(version, 10) };
}
