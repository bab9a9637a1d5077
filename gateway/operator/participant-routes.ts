import type { Upstreams } from "../clients";
import { kindName, statusName } from "../codec/person-codec";
import { defineRoute } from "../contract/define-route";
import { answer, instant, listOf, oneOf, orNull, requestWith, text, uuid, words } from "../contract/parts";
import type { Route } from "../route";

const common = { scheme: "operator", tag: "Participants" } as const;
const tenantParam = { tenant: "Slug of the tenant." };

const foundShape = answer("FoundParticipants", "A page of participants, without personal data.", {
  participants: listOf(
    "At most 200.",
    answer("FoundParticipant", "A person or company.", {
      participantId: uuid("Id."),
      kind: oneOf("What it is.", ["PERSON", "COMPANY"]),
      status: oneOf("Whether it may take part.", ["APPROVED", "IN_REVIEW", "REJECTED"]),
      createdAt: orNull(instant("When it was made.")),
    }),
  ),
  next: orNull(text("Cursor of the next page.")),
});

const searchRequest = requestWith(
  "ParticipantSearch",
  "Whose document is looked for.",
  { identification: words("Number of the document.") },
  {
    identificationType: text("Kind of document, as it was registered; absent where none was."),
    after: text("`next` of the page before."),
  },
);

/** Longest page of a search. */
const pageSize = 200;

/** Operators' routes for persons and companies. */
export const participantRoutes = ({ identity }: Pick<Upstreams, "identity">): readonly Route[] => [
  defineRoute({
    ...common,
    method: "POST",
    path: "/tenants/{tenant}/participants/search",
    summary: "Find persons and companies by the number of their document, however it is spaced.",
    params: tenantParam,
    request: searchRequest,
    response: { status: 200, description: "A page of at most 200, without personal data.", schema: foundShape },
    refusals: [],
    async handle({ params: { tenant }, body: { identification, identificationType, after } }) {
      const document = { identificationType, identification };
      const { participants, next } = await identity.findParticipants({ tenant, document, after, limit: pageSize });
      const rows = participants.map(({ participantId, kind, status, createdAt }) => ({
        participantId,
        kind: kindName(kind),
        status: statusName(status),
        createdAt: createdAt ?? null,
      }));
      return { participants: rows, next: next ?? null };
    },
  }),
  defineRoute({
    ...common,
    method: "DELETE",
    path: "/tenants/{tenant}/participants/{participantId}",
    summary: "Erase a person or company permanently: its key is destroyed, copies and backups included.",
    params: { ...tenantParam, participantId: "Id of the person or company, a UUID." },
    response: { status: 204, description: "Nothing of it can be read any more. May be repeated." },
    refusals: ["PARTICIPANT_NOT_FOUND"],
    handle: ({ params }) => identity.eraseParticipant(params),
  }),
];
