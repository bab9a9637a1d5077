import type { UploadDocumentRequest } from "../../proto/gen/corridor/identity/v1/document_service";
import { ParticipantKind } from "../../proto/gen/corridor/identity/v1/participant";
import { currentCall, runInCall } from "../../services/shared/process/call-context";
import type { Upstreams } from "../clients";
import { renderDocument } from "../codec/document-codec";
import { defineRoute, replyWith } from "../contract/define-route";
import * as contracts from "../contract/documents";
import type { SentFile } from "../contract/file-form";
import { partByPart } from "../part-by-part";
import type { Answer, Patience, Route, StreamedBody } from "../route";

type DocumentUpstream = Pick<Upstreams, "documents">;

/** The form of one kind of participant in paths. */
interface Naming {
  kind: ParticipantKind;
  path: "people" | "companies";
  name: string;
}

/** One parameter for both methods: the template of a path does not depend on the method. */
const documentParam = "Id of the upload; for a new upload the kind of document, such as PASSPORT.";

/** Files that prove the identity of persons and companies. */
export const uploadedDocumentRoutes = (upstreams: DocumentUpstream): readonly Route[] => {
  const namings: readonly Naming[] = [
    { kind: ParticipantKind.PERSON, path: "people", name: "person" },
    { kind: ParticipantKind.COMPANY, path: "companies", name: "company" },
  ];
  return namings.flatMap((naming) => [uploadRoute(upstreams, naming), ...readRoutes(upstreams, naming)]);
};

const common = { scheme: "tenant", scope: "persons", tag: "Documents" } as const;
const paramsOf = (name: string) => ({ id: `Id of the ${name}.`, document: documentParam });

const uploadRoute = ({ documents }: DocumentUpstream, { kind, path, name }: Naming): Route =>
  defineRoute({
    ...common,
    method: "POST",
    path: `/${path}/{id}/documents/{document}`,
    isReplayed: true,
    summary: `Give a document of a ${name}.`,
    params: paramsOf(name),
    request: contracts.documentUpload,
    response: { status: 200, description: "The document.", schema: contracts.document },
    refusals: ["PARTICIPANT_NOT_FOUND"],
    async handle({ tenant, params: { id: participantId, document: documentType }, body: file, patience }) {
      const begin = { tenant, kind, participantId, documentType };
      const uploaded = await inItsOwnTime(() => documents.uploadDocument(pieces(begin, file, patience)));
      return replyWith(renderDocument(uploaded.document), uploaded.isRepeat ? { "idempotency-replayed": "true" } : {});
    },
  });

const readRoutes = ({ documents }: DocumentUpstream, { kind, path, name }: Naming): readonly Route[] => [
  defineRoute({
    ...common,
    method: "GET",
    path: `/${path}/{id}/documents`,
    summary: `List the documents of a ${name}, the newest first.`,
    params: { id: `Id of the ${name}.` },
    query: contracts.documentQuery,
    response: { status: 200, description: "A page.", schema: contracts.documentPage },
    refusals: ["PARTICIPANT_NOT_FOUND"],
    async handle({ tenant, params: { id: participantId }, query }) {
      const page = await documents.listDocuments({ tenant, kind, participantId, ...query });
      return { documents: page.documents.map(renderDocument), next: page.next ?? null };
    },
  }),
  defineRoute({
    ...common,
    method: "GET",
    path: `/${path}/{id}/documents/{document}`,
    summary: `Read what has become of a document of a ${name}.`,
    params: paramsOf(name),
    response: { status: 200, description: "The document.", schema: contracts.document },
    refusals: ["DOCUMENT_NOT_FOUND"],
    handle: async ({ tenant, params: { id: participantId, document: documentId } }) =>
      renderDocument((await documents.getDocument({ tenant, kind, participantId, documentId })).document),
  }),
  defineRoute({
    ...common,
    method: "GET",
    path: `/${path}/{id}/documents/{document}/content`,
    summary: `Read the file of a document of a ${name}, as it was given.`,
    params: paramsOf(name),
    response: {
      status: 200,
      description: "The file.",
      mediaType: "application/octet-stream",
      schema: contracts.content,
    },
    refusals: ["DOCUMENT_NOT_FOUND"],
    async handle({ tenant, params: { id: participantId, document: documentId } }) {
      return { madeElsewhere: await contentAnswer(documents, { tenant, kind, participantId, documentId }) };
    },
  }),
];

/** A file may take longer to arrive than other requests to be answered: only the RPC client's own timeout bounds it. */
function inItsOwnTime<T>(work: () => Promise<T>): Promise<T> {
  const { deadlineMs: _shorter, ...context } = currentCall() ?? { requestId: "" };
  return runInCall(context, work);
}

type Begin = { tenant: string; kind: ParticipantKind; participantId: string; documentType: string };

async function* pieces(
  begin: Begin,
  file: SentFile<{ documentNumber?: string }>,
  { arrived }: Pick<Patience, "arrived">,
): AsyncGenerator<UploadDocumentRequest> {
  yield { piece: { $case: "begin", value: { ...begin, mediaType: file.mediaType } } };
  for await (const value of file.content) yield { piece: { $case: "content", value } };
  const value = await file.texts();
  arrived();
  yield { piece: { $case: "end", value } };
}

/** The file of a document; its first part is read before anything is answered. */
export async function contentAnswer(
  documents: Pick<Upstreams["documents"], "getDocument" | "readDocumentPart">,
  address: Parameters<Upstreams["documents"]["getDocument"]>[0],
): Promise<Answer> {
  const { document } = await documents.getDocument(address);
  if (document === undefined) throw new Error("the identity service sent no document");
  const read = partByPart((part: number) => documents.readDocumentPart({ ...address, part }));
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
