import { ParticipantKind } from "../../proto/gen/corridor/identity/v1/participant";
import { DomainError } from "../../services/shared/kernel/errors";
import type { Upstreams } from "../clients";
import { renderListed, toParticipantStatus } from "../codec/person-codec";
import { defineRoute } from "../contract/define-route";
import type { Infer } from "../contract/infer";
import { pageOrText } from "../contract/parts";
import * as contracts from "../contract/persons";
import { type Columns, columnsOf, type SendList } from "../csv";
import type { Route } from "../route";

const common = {
  method: "GET",
  scheme: "tenant",
  scope: "persons",
  tag: "Persons",
  params: { tenant: "Slug of the tenant that the API key belongs to." },
  query: contracts.participantQuery,
  refusals: ["PARTICIPANT_NOT_FOUND", "INVALID_ARGUMENT"],
  admit({ tenant, params }: { tenant: string; params: { tenant: string } }): void {
    if (params.tenant !== tenant) throw new DomainError("PARTICIPANT_NOT_FOUND", "there is no such person or company");
  },
} as const;

type Listed = ReturnType<typeof renderListed>;

/** A list of reasons is one cell. */
const columns: Columns<Listed> = [
  ...columnsOf(["id", "status"]),
  ["reasonCodes", ({ reasonCodes }) => reasonCodes.join(" ")],
  ...columnsOf(["createdAt", "updatedAt"]),
];

/** Persons and companies of a tenant, without their details. */
export function participantListRoutes({
  identity,
  sendList,
}: Pick<Upstreams, "identity"> & { sendList: SendList }): readonly Route[] {
  const reader =
    (tenant: string, kind: ParticipantKind, { status }: Pick<Infer<typeof contracts.participantQuery>, "status">) =>
    async (page: { after: string | undefined; limit: number }) => {
      const asked = { tenant, kind, status: toParticipantStatus(status) };
      const { participants, next } = await identity.listParticipants({ ...asked, ...page });
      return { items: participants.map(renderListed), next };
    };
  return [
    defineRoute({
      ...common,
      path: "/organizations/{tenant}/people",
      summary: "List persons, the newest first, by id and state.",
      response: pageOrText(contracts.personPage, "the newest first"),
      handle: ({ tenant, headers, query }) =>
        sendList({
          holder: tenant,
          headers,
          name: "people",
          columns,
          query,
          read: reader(tenant, ParticipantKind.PERSON, query),
          render: ({ items, next }) => ({ people: items, next: next ?? null }),
        }),
    }),
    defineRoute({
      ...common,
      path: "/organizations/{tenant}/companies",
      summary: "List companies, the newest first, by id and state.",
      response: pageOrText(contracts.companyPage, "the newest first"),
      handle: ({ tenant, headers, query }) =>
        sendList({
          holder: tenant,
          headers,
          name: "companies",
          columns,
          query,
          read: reader(tenant, ParticipantKind.COMPANY, query),
          render: ({ items, next }) => ({ companies: items, next: next ?? null }),
        }),
    }),
  ];
}
