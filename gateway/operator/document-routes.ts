import type { Document } from "../../proto/gen/corridor/identity/v1/document_service";
import type { Upstreams } from "../clients";
import { readFields } from "../field-reader";
import { readQuery } from "../query-reader";
import { jsonAnswer, type OperatorCall, type Route, readJson, requireParam } from "../route";
import { contentAnswer, documentPages, renderDocument } from "../routes/uploaded-documents";
import { booleanSchema, objectSchema, textSchema } from "../schemas/document-schema";
import { documentListSchema, uploadedDocumentSchema } from "../schemas/uploaded-document-schemas";

const root = "/tenants/{tenant}/documents";

const common = { scheme: "operator", tag: "Documents" } as const;
const params = { tenant: "Slug of the tenant.", documentId: "Id of the upload." };
const success = { status: 200, description: "The document.", schema: uploadedDocumentSchema };
const addressOf = (call: OperatorCall) => ({
  tenant: requireParam(call, "tenant"),
  documentId: requireParam(call, "documentId"),
});

type DocumentUpstream = Pick<Upstreams, "documents">;

/** The manual review of documents, for operators. */
export const operatorDocumentRoutes = (upstreams: DocumentUpstream): readonly Route[] => [
  ...readRoutes(upstreams),
  decideRoute(upstreams),
];

function readRoutes({ documents }: DocumentUpstream): readonly Route[] {
  return [
    {
      ...common,
      method: "GET",
      path: root,
      summary: "List a tenant's documents that nobody has decided about, the oldest first.",
      body: "none",
      params: { tenant: params.tenant },
      query: documentPages.parameters,
      success: { status: 200, description: "A page.", schema: documentListSchema },
      refusals: [],
      async handle(call: OperatorCall) {
        const page = documentPages.read(readQuery(call));
        const found = await documents.listPendingDocuments({ tenant: requireParam(call, "tenant"), ...page });
        return jsonAnswer({ documents: found.documents.map(forOperators), next: found.next ?? null });
      },
    },
    {
      ...common,
      method: "GET",
      path: `${root}/{documentId}`,
      summary: "Read a document.",
      body: "none",
      params,
      success,
      refusals: ["DOCUMENT_NOT_FOUND"],
      async handle(call: OperatorCall) {
        return documentAnswer((await documents.getDocument(addressOf(call))).document);
      },
    },
    {
      ...common,
      method: "GET",
      path: `${root}/{documentId}/content`,
      summary: "Look at the file of a document.",
      body: "none",
      params,
      success: {
        status: 200,
        description: "The file.",
        mediaType: "application/octet-stream",
        schema: { type: "string", contentMediaType: "application/octet-stream" },
      },
      refusals: ["DOCUMENT_NOT_FOUND"],
      handle: (call: OperatorCall) => contentAnswer(documents, addressOf(call)),
    },
  ];
}

function decideRoute({ documents }: DocumentUpstream): Route {
  return {
    ...common,
    method: "POST",
    path: `${root}/{documentId}/decision`,
    summary: "Accept or reject a document. A decision can be made again.",
    body: "json",
    params,
    requestSchema: objectSchema({
      accept: booleanSchema("True: VERIFIED; false: REJECTED."),
      note: textSchema("Why.", { minLength: 1, maxLength: 1_000 }),
    }),
    success,
    refusals: ["DOCUMENT_NOT_FOUND", "RECORD_CONFLICT"],
    async handle(call: OperatorCall) {
      const fields = readFields(readJson(call).value);
      const accept = fields.optionalFlag("accept");
      fields.check(accept !== undefined, "accept", "is required and must be true or false");
      const note = fields.text("note");
      fields.finish();
      const decision = { accept: accept === true, author: call.operator, note };
      return documentAnswer((await documents.decideDocument({ ...addressOf(call), ...decision })).document);
    },
  };
}

/** Operators also see who decided, and why. */
function forOperators(document: Document): object {
  const { author, note } = document.decision ?? {};
  const { decision, ...shown } = renderDocument(document);
  return { ...shown, decision: decision === null ? null : { ...decision, author, note } };
}

function documentAnswer(document: Document | undefined) {
  if (document === undefined) throw new Error("the identity service sent no document");
  return jsonAnswer(forOperators(document));
}
