import type { Document, UploadDocumentRequest } from "../../proto/gen/corridor/identity/v1/document_service";
import { ParticipantKind } from "../../proto/gen/corridor/identity/v1/participant";
import { DomainError } from "../../services/shared/kernel/errors";
import { currentCall, runInCall } from "../../services/shared/process/call-context";
import type { Upstreams } from "../clients";
import { type QueryReader, readQuery } from "../query-reader";
import { type FormFile, readForm } from "../read-form";
import { type Answer, jsonAnswer, type Route, requireParam, type StreamedBody, type TenantCall } from "../route";
import {
  documentListSchema,
  maxDocumentBytes,
  uploadedDocumentSchema,
  uploadSchema,
} from "../schemas/uploaded-document-schemas";

type DocumentUpstream = Pick<Upstreams, "documents">;

/** How one kind of participant appears in paths. */
interface Naming {
  kind: ParticipantKind;
  path: string;
  name: string;
}

const rules = { file: "file", texts: ["documentNumber"], maxFileBytes: maxDocumentBytes };

/** How lists of documents are asked for. */
export const documentPages = {
  parameters: {
    limit: { description: "Longest page.", schema: { type: "integer", minimum: 1, maximum: 200, default: 25 } },
    after: { description: "`next` of the page before.", schema: { type: "string" } },
  },
  read(query: QueryReader): { limit: number; after: string | undefined } {
    const limit = query.wholeNumber("limit", { min: 1, max: 200, fallback: 25 });
    const after = query.optionalText("after");
    query.finish();
    return { limit, after };
  },
};
/** One parameter for both: what a path is called does not depend on the method. */
const documentParam = "Id of the upload; for a new upload the kind of document, such as PASSPORT.";

/** Files that show who persons and companies are. */
export const uploadedDocumentRoutes = (upstreams: DocumentUpstream): readonly Route[] =>
  [
    { kind: ParticipantKind.PERSON, path: "people", name: "person" },
    { kind: ParticipantKind.COMPANY, path: "companies", name: "company" },
  ].flatMap((naming) => [uploadRoute(upstreams, naming), ...readRoutes(upstreams, naming)]);

const common = { scheme: "tenant", scope: "persons", tag: "Documents" } as const;
const paramsOf = (name: string) => ({ id: `Id of the ${name}.`, document: documentParam });

function uploadRoute({ documents }: DocumentUpstream, { kind, path, name }: Naming): Route {
  return {
    ...common,
    method: "POST",
    path: `/${path}/{id}/documents/{document}`,
    isReplayed: true,
    summary: `Give a document of a ${name}.`,
    body: "file",
    params: paramsOf(name),
    requestSchema: uploadSchema,
    success: { status: 200, description: "The document.", schema: uploadedDocumentSchema },
    refusals: ["PARTICIPANT_NOT_FOUND"],
    async handle(call: TenantCall) {
      const begin = {
        tenant: call.tenant,
        kind,
        participantId: requireParam(call, "id"),
        documentType: requireParam(call, "document"),
      };
      const file = await readForm(call.headers, call.stream, rules);
      const { document, isRepeat } = await inItsOwnTime(() => documents.uploadDocument(pieces(begin, file)));
      const answer = documentAnswer(document);
      return isRepeat ? { ...answer, headers: { ...answer.headers, "idempotency-replayed": "true" } } : answer;
    },
  };
}

function readRoutes({ documents }: DocumentUpstream, { kind, path, name }: Naming): readonly Route[] {
  const addressOf = (call: TenantCall) => ({
    tenant: call.tenant,
    kind,
    participantId: requireParam(call, "id"),
    documentId: requireParam(call, "document"),
  });
  return [
    {
      ...common,
      method: "GET",
      path: `/${path}/{id}/documents`,
      summary: `List the documents of a ${name}, the newest first.`,
      body: "none",
      params: { id: `Id of the ${name}.` },
      query: documentPages.parameters,
      success: { status: 200, description: "A page.", schema: documentListSchema },
      refusals: ["PARTICIPANT_NOT_FOUND"],
      async handle(call: TenantCall) {
        const asked = documentPages.read(readQuery(call));
        const { tenant } = call;
        const owner = { tenant, kind, participantId: requireParam(call, "id") };
        const page = await documents.listDocuments({ ...owner, ...asked });
        return jsonAnswer({ documents: page.documents.map(renderDocument), next: page.next ?? null });
      },
    },
    {
      ...common,
      method: "GET",
      path: `/${path}/{id}/documents/{document}`,
      summary: `Read what has become of a document of a ${name}.`,
      body: "none",
      params: paramsOf(name),
      success: { status: 200, description: "The document.", schema: uploadedDocumentSchema },
      refusals: ["DOCUMENT_NOT_FOUND"],
      async handle(call: TenantCall) {
        return documentAnswer((await documents.getDocument(addressOf(call))).document);
      },
    },
    {
      ...common,
      method: "GET",
      path: `/${path}/{id}/documents/{document}/content`,
      summary: `Read the file of a document of a ${name}, as it was given.`,
      body: "none",
      params: paramsOf(name),
      success: {
        status: 200,
        description: "The file.",
        mediaType: "application/octet-stream",
        schema: { type: "string", contentMediaType: "application/octet-stream" },
      },
      refusals: ["DOCUMENT_NOT_FOUND"],
      handle: (call: TenantCall) => contentAnswer(documents, addressOf(call)),
    },
  ];
}

/** A file may take longer to come than other requests to be answered: the client's own patience alone bounds it. */
function inItsOwnTime<T>(work: () => Promise<T>): Promise<T> {
  const { deadlineMs: _shorter, ...context } = currentCall() ?? { requestId: "" };
  return runInCall(context, work);
}

type Begin = { tenant: string; kind: ParticipantKind; participantId: string; documentType: string };

async function* pieces(begin: Begin, file: FormFile): AsyncGenerator<UploadDocumentRequest> {
  yield { piece: { $case: "begin", value: { ...begin, mediaType: file.mediaType } } };
  for await (const value of file.content) yield { piece: { $case: "content", value } };
  const documentNumber = (await file.texts()).get("documentNumber");
  yield { piece: { $case: "end", value: { documentNumber } } };
}

/** The file of a document; its first part is read before anything is answered. */
export async function contentAnswer(
  documents: Pick<Upstreams["documents"], "getDocument" | "readDocumentPart">,
  address: Parameters<Upstreams["documents"]["getDocument"]>[0],
): Promise<Answer> {
  const { document } = await documents.getDocument(address);
  if (document === undefined) throw noDocument();
  const context = currentCall();
  const read = (part: number) => {
    const ask = () => documents.readDocumentPart({ ...address, part });
    // The body is sent outside of the call that asked for it.
    return context === undefined ? ask() : runInCall(context, ask);
  };
  const first = await read(0);
  async function* content(): AsyncGenerator<Buffer> {
    let part = 0;
    for (let piece = first; ; piece = await read(part)) {
      yield piece.content;
      if (piece.isLast) return;
      part += 1;
    }
  }
  const body: StreamedBody = { length: document.size, content: content() };
  const name = `${document.documentId}.${document.mediaType.split("/").at(-1) ?? ""}`;
  const disposition = `attachment; filename="${name}"`;
  return { status: 200, headers: { "content-type": document.mediaType, "content-disposition": disposition }, body };
}

const noDocument = (): DomainError => new DomainError("INTERNAL", "the identity service sent no document");

/** A document as its owner sees it. */
export function renderDocument(document: Document) {
  const { documentId: id, participantId: entityId, status, decision, createdAt, updatedAt, ...facts } = document;
  return {
    id,
    entityId,
    documentType: facts.documentType,
    verificationStatus: status,
    mediaType: facts.mediaType,
    size: facts.size,
    sha256: facts.sha256,
    documentNumber: facts.documentNumber,
    decision:
      decision === undefined
        ? null
        : { status: decision.status, reasonCode: decision.reasonCode, decidedAt: decision.decidedAt?.toISOString() },
    createdAt: createdAt?.toISOString(),
    updatedAt: updatedAt?.toISOString(),
  };
}

function documentAnswer(document: Document | undefined): Answer {
  if (document === undefined) throw noDocument();
  return jsonAnswer(renderDocument(document));
}
