import type { Upstreams } from "../clients";
import { readFields } from "../field-reader";
import { jsonAnswer, noContent, type OperatorCall, type Route, readJson, requireParam } from "../route";
import { arrayOf, enumSchema, instantSchema, nullable, objectSchema, textSchema } from "../schemas/document-schema";

const common = { scheme: "operator", tag: "Participants" } as const;
const tenantParam = { tenant: "Slug of the tenant." };

const foundSchema = objectSchema({
  participants: arrayOf(
    objectSchema({
      participantId: textSchema("UUID."),
      kind: enumSchema("What it is.", ["PERSON", "COMPANY"]),
      status: enumSchema("Whether it may take part.", ["APPROVED", "IN_REVIEW", "REJECTED"]),
      createdAt: nullable(instantSchema("When it was made.")),
    }),
  ),
  next: nullable(textSchema("Cursor of the next page.")),
});

/** Longest page of a search. */
const pageSize = 200;

/** What operators do with persons and companies. */
export const participantRoutes = ({ identity }: Pick<Upstreams, "identity">): readonly Route[] => [
  {
    ...common,
    method: "POST",
    path: "/tenants/{tenant}/participants/search",
    summary: "Find persons and companies by the number of their document, however it is spaced.",
    body: "json",
    params: tenantParam,
    requestSchema: objectSchema(
      {
        identificationType: textSchema("Kind of document, as it was registered; absent where none was."),
        identification: textSchema("Number of the document.", { minLength: 1 }),
        after: textSchema("`next` of the page before."),
      },
      ["identificationType", "after"],
    ),
    success: { status: 200, description: "A page of at most 200, without personal data.", schema: foundSchema },
    refusals: [],
    async handle(call: OperatorCall) {
      const fields = readFields(readJson(call).value);
      const identification = fields.text("identification");
      const identificationType = fields.optionalText("identificationType");
      const after = fields.optionalText("after");
      fields.finish();
      const tenant = requireParam(call, "tenant");
      const document = { identificationType, identification };
      const { participants, next } = await identity.findParticipants({ tenant, document, after, limit: pageSize });
      const rows = participants.map(({ createdAt, ...row }) => ({
        ...row,
        createdAt: createdAt?.toISOString() ?? null,
      }));
      return jsonAnswer({ participants: rows, next: next ?? null });
    },
  },
  {
    ...common,
    method: "DELETE",
    path: "/tenants/{tenant}/participants/{participantId}",
    summary: "Erase a person or company for ever: its key is destroyed, copies and backups included.",
    body: "none",
    params: { ...tenantParam, participantId: "Id of the person or company, a UUID." },
    success: { status: 204, description: "Nothing of it can be read any more. May be repeated." },
    refusals: ["PARTICIPANT_NOT_FOUND"],
    async handle(call: OperatorCall) {
      const tenant = requireParam(call, "tenant");
      await identity.eraseParticipant({ tenant, participantId: requireParam(call, "participantId") });
      return noContent;
    },
  },
];
