import type { Upstreams } from "../clients";
import { renderReviewedDocument } from "../codec/document-codec";
import { defineRoute } from "../contract/define-route";
import * as contracts from "../contract/documents";
import type { Route } from "../route";
import { contentAnswer } from "../routes/uploaded-documents";

const common = { scheme: "operator", tag: "Documents" } as const;
const params = { tenant: "Slug of the tenant.", documentId: "Id of the upload." };
const response = { status: 200, description: "The document.", schema: contracts.reviewedDocument };

type DocumentUpstream = Pick<Upstreams, "documents">;

/** The manual review of documents, for operators. */
export const operatorDocumentRoutes = (upstreams: DocumentUpstream): readonly Route[] => [
  ...readRoutes(upstreams),
  decideRoute(upstreams),
];

const readRoutes = ({ documents }: DocumentUpstream): readonly Route[] => [
  defineRoute({
    ...common,
    method: "GET",
    path: "/tenants/{tenant}/documents",
    summary: "List a tenant's undecided documents, the oldest first.",
    params: { tenant: params.tenant },
    query: contracts.documentQuery,
    response: { status: 200, description: "A page.", schema: contracts.reviewedDocumentPage },
    refusals: [],
    async handle({ params: { tenant }, query }) {
      const found = await documents.listPendingDocuments({ tenant, ...query });
      return { documents: found.documents.map(renderReviewedDocument), next: found.next ?? null };
    },
  }),
  defineRoute({
    ...common,
    method: "GET",
    path: "/tenants/{tenant}/documents/{documentId}",
    summary: "Read a document.",
    params,
    response,
    refusals: ["DOCUMENT_NOT_FOUND"],
    handle: async ({ params: address }) => renderReviewedDocument((await documents.getDocument(address)).document),
  }),
  defineRoute({
    ...common,
    method: "GET",
    path: "/tenants/{tenant}/documents/{documentId}/content",
    summary: "Look at the file of a document.",
    params,
    response: {
      status: 200,
      description: "The file.",
      mediaType: "application/octet-stream",
      schema: contracts.content,
    },
    refusals: ["DOCUMENT_NOT_FOUND"],
    handle: async ({ params: address }) => ({ madeElsewhere: await contentAnswer(documents, address) }),
  }),
];

const decideRoute = ({ documents }: DocumentUpstream): Route =>
  defineRoute({
    ...common,
    method: "POST",
    path: "/tenants/{tenant}/documents/{documentId}/decision",
    summary: "Accept or reject a document. A decision can be made again.",
    params,
    request: contracts.documentDecision,
    response,
    refusals: ["DOCUMENT_NOT_FOUND", "RECORD_CONFLICT"],
    async handle({ operator: author, params: address, body: { accept, note } }) {
      const { document } = await documents.decideDocument({ ...address, accept, author, note });
      return renderReviewedDocument(document);
    },
  });
