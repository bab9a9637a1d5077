import { type Connection, Schema } from "mongoose";
import type { Tx } from "../../shared/storage/mongo";
import {
  anyText,
  date,
  flag,
  listOf,
  number,
  oneOf,
  part,
  strictDocument,
  text,
} from "../../shared/storage/stored-fields";
import { type Document, documentStatuses, isClosed, isUndecided } from "../domain/document";
import { type DocumentEvent, documentEventStatuses } from "../domain/document-event";
import { type ParticipantKind, participantKinds } from "../domain/participant";
import { dueRecords, type NoteDue } from "./due-records";
import { type EventfulRecord, eventfulFields } from "./record-outbox";

type Plain = Omit<Document, "id" | "decision" | "dueAt">;

/** Keyed hashes by which a document is found; they reveal nothing of what they were made from. */
export interface DocumentKeys {
  /** Hash of the participant's document of one type, common to all of its files. */
  claim: string;
  /** Hash of the number of the document; undefined when it is not known. */
  number: string | undefined;
  /** Hash of everything that identifies a repeat of an upload. */
  content: string;
}

/** The facts for events about documents: an upload, or a session about one. */
export interface RecordOfDocument extends EventfulRecord {
  tenant: string;
  entityId: string;
  /** Of the entity; a person when absent. */
  kind?: ParticipantKind;
  documentType: string;
  events: readonly DocumentEvent[];
}

interface DocumentRecord extends Plain, EventfulRecord {
  claim: string;
  numberIndex: string | null;
  /** Unique while the same file may not be uploaded again. */
  contentKey?: string;
  /** The claim while the document is undecided. */
  openClaim?: string;
  decision?: Document["decision"];
  dueAt?: Date;
}

/** The number that a participant last declared for a document. */
interface DeclarationRecord {
  _id: string;
  tenant: string;
  entityId: string;
  numberIndex: string | null;
  version: number;
}

export interface DocumentStore {
  init(): Promise<void>;
  find(id: string): Promise<Document | undefined>;
  findRepeated(contentKey: string): Promise<Document | undefined>;
  /** A participant's documents, newest first. */
  list(
    tenant: string,
    entityId: string,
    limit: number,
    after?: Pick<Document, "id" | "createdAt">,
  ): Promise<Document[]>;
  /** Kinds of documents of a participant that are VERIFIED. */
  verifiedTypes(tenant: string, entityId: string): Promise<string[]>;
  /** Ids of all documents that a person or company has, or had before it was erased. */
  idsOf(tenant: string, entityId: string): Promise<string[]>;
  /** Undecided documents of a tenant, oldest first. */
  pending(tenant: string, limit: number, after?: Pick<Document, "id" | "createdAt">): Promise<Document[]>;
  /** Throws a duplicate-key error when the content is already stored. */
  add(document: Document, keys: DocumentKeys, traceparent: string, tx: Tx): Promise<void>;
  /**
   * Stores the current number of a document; without one the last stays. Returns the number that counts. Concurrent declarations of the
   * same document are serialised.
   */
  declare(
    owner: Pick<Document, "tenant" | "entityId">,
    keys: Omit<DocumentKeys, "content">,
    tx: Tx,
  ): Promise<string | null>;
  /** Undecided documents of a claim; with a number, only those with a known different number. */
  undecided(claim: string, otherThan: string | undefined, tx: Tx): Promise<Document[]>;
  /** Replaces the document that was read by its new version. Returns false when another writer was first. */
  replace(before: Document, next: Document, tx?: Tx): Promise<boolean>;
  /** Documents with a due time, earliest first. */
  upcoming(limit: number): Promise<{ id: string; dueAt: Date }[]>;
  /** Postpones a due document: one of several concurrent callers gets true. */
  take(due: { id: string; dueAt: Date }, until: Date): Promise<boolean>;
  /** Erases the data of a participant's documents, and returns their ids and where their bytes are stored. */
  eraseOf(tenant: string, entityId: string): Promise<{ id: string; fileId: string }[]>;
}

export const documentCollection = "documents";

const documentSchema = new Schema<DocumentRecord>(
  {
    ...eventfulFields,
    tenant: text,
    kind: oneOf(participantKinds),
    entityId: text,
    documentType: text,
    fileId: text,
    // The sealed facts and the hashes are empty once the participant was erased.
    sealed: anyText,
    claim: anyText,
    numberIndex: { type: String, default: null },
    contentKey: String,
    openClaim: String,
    isRead: flag,
    status: oneOf(documentStatuses),
    revision: number,
    decision: part({ status: oneOf(["VERIFIED", "REJECTED"]), reasonCode: String, decidedAt: date, author: String }),
    events: listOf(part({ sequence: number, status: oneOf(documentEventStatuses), occurredAt: date })),
    version: number,
    createdAt: date,
    dueAt: Date,
  },
  strictDocument,
);
documentSchema
  .index({ tenant: 1, entityId: 1, createdAt: -1, _id: -1 })
  .index({ tenant: 1, createdAt: 1, _id: 1 }, { partialFilterExpression: { openClaim: { $exists: true } } })
  .index({ contentKey: 1 }, { unique: true, partialFilterExpression: { contentKey: { $exists: true } } })
  .index({ openClaim: 1 }, { partialFilterExpression: { openClaim: { $exists: true } } })
  .index({ dueAt: 1 }, { partialFilterExpression: { dueAt: { $exists: true } } })
  .index({ relayDue: 1, _id: 1 }, { partialFilterExpression: { relayDue: { $exists: true } } })
  .index({ updatedAt: 1 });

const declarationSchema = new Schema<DeclarationRecord>(
  { _id: text, tenant: text, entityId: text, numberIndex: { type: String, default: null }, version: number },
  strictDocument,
);
declarationSchema.index({ tenant: 1, entityId: 1 });

/** Documents of all tenants, with the events of each in its own record. */
export function makeDocumentStore(connection: Connection, noteDue: NoteDue = () => {}): DocumentStore {
  const documents = connection.model("Document", documentSchema, documentCollection);
  const declarations = connection.model("DocumentDeclaration", declarationSchema, "documentDeclarations");
  const read = (record: DocumentRecord | null): Document | undefined =>
    record === null || record.sealed === "" ? undefined : toDocument(record);
  return {
    async init() {
      for (const model of [documents, declarations]) {
        await model.createCollection();
        await model.createIndexes();
      }
    },
    find: async (id) => read(await documents.findById(id).lean<DocumentRecord>()),
    findRepeated: async (contentKey) => read(await documents.findOne({ contentKey }).lean<DocumentRecord>()),
    async list(tenant, entityId, limit, after) {
      const found = documents.find({ tenant, entityId, ...behind(after, "$lt") }).sort({ createdAt: -1, _id: -1 });
      return (await found.limit(limit).lean<DocumentRecord[]>()).flatMap((record) => read(record) ?? []);
    },
    async idsOf(tenant, entityId) {
      const found = await documents.find({ tenant, entityId }, { _id: 1 }).lean<DocumentRecord[]>();
      return found.map(({ _id }) => _id);
    },
    async verifiedTypes(tenant, entityId) {
      const verified = documents.find({ tenant, entityId, status: "VERIFIED" }, { documentType: 1 });
      return (await verified.lean<DocumentRecord[]>()).map(({ documentType }) => documentType);
    },
    async pending(tenant, limit, after) {
      const waiting = { tenant, openClaim: { $exists: true }, ...behind(after, "$gt") };
      const found = documents.find(waiting).sort({ createdAt: 1, _id: 1 }).limit(limit);
      return (await found.lean<DocumentRecord[]>()).flatMap((record) => read(record) ?? []);
    },
    async add(document, keys, traceparent, tx) {
      await documents.create([toRecord(document, keys, traceparent)], tx);
      if (document.dueAt !== undefined) noteDue(document.dueAt);
    },
    async declare({ tenant, entityId }, { claim, number }, tx) {
      const update = declarationOf({ tenant, entityId }, number);
      const options = { ...tx, upsert: true, returnDocument: "after" } as const;
      const kept = declarations.findOneAndUpdate({ _id: claim }, update, options);
      return (await kept.lean<DeclarationRecord>())?.numberIndex ?? null;
    },
    async undecided(claim, otherThan, tx) {
      const found = await documents.find({ openClaim: claim }, {}, tx).lean<DocumentRecord[]>();
      const differs = ({ numberIndex }: DocumentRecord): boolean =>
        otherThan === undefined || (numberIndex !== null && numberIndex !== otherThan);
      return found.filter(differs).flatMap((record) => read(record) ?? []);
    },
    async replace(before, next, tx) {
      const { id, version } = before;
      const { matchedCount } = await documents.updateOne({ _id: id, version }, changesOf(before, next), tx);
      if (matchedCount === 1 && next.dueAt !== undefined) noteDue(next.dueAt);
      return matchedCount === 1;
    },
    ...dueRecords(documents),
    async eraseOf(tenant, entityId) {
      const found = await documents.find({ tenant, entityId }, { fileId: 1 }).lean<DocumentRecord[]>();
      const gone = { sealed: "", claim: "", numberIndex: null };
      const keys = { contentKey: "", openClaim: "", dueAt: "" } as const;
      await documents.updateMany({ tenant, entityId }, { $set: gone, $unset: keys, $inc: { version: 1 } });
      await declarations.deleteMany({ tenant, entityId });
      return found.map(({ _id: id, fileId }) => ({ id, fileId }));
    },
  };
}

/** Without a number the one that was declared last stays. */
const declarationOf = (owner: Pick<Document, "tenant" | "entityId">, number: string | undefined) =>
  number === undefined
    ? { $setOnInsert: { ...owner, numberIndex: null }, $inc: { version: 1 } }
    : { $set: { numberIndex: number }, $setOnInsert: owner, $inc: { version: 1 } };

/** Filter for what comes after a document in the order of upload, or in the reverse order. */
const behind = (last: Pick<Document, "id" | "createdAt"> | undefined, than: "$lt" | "$gt"): object =>
  last === undefined
    ? {}
    : { $or: [{ createdAt: { [than]: last.createdAt } }, { createdAt: last.createdAt, _id: { [than]: last.id } }] };

function toRecord(document: Document, keys: DocumentKeys, traceparent: string): DocumentRecord {
  const { id, decision, dueAt, ...plain } = document;
  const { events, updatedAt } = plain;
  return {
    ...plain,
    _id: id,
    claim: keys.claim,
    numberIndex: keys.number ?? null,
    ...(!isClosed(document) && { contentKey: keys.content }),
    ...(isUndecided(document) && { openClaim: keys.claim }),
    ...(decision !== undefined && { decision }),
    ...(dueAt !== undefined && { dueAt }),
    traceparent,
    published: 0,
    eventCount: events.length,
    ...(events.length > 0 && { relayDue: updatedAt }),
  };
}

function toDocument(record: DocumentRecord): Document {
  const { _id: id, claim: _claim, numberIndex: _number, contentKey: _content, openClaim: _open, ...rest } = record;
  const { traceparent: _trace, published: _published, eventCount: _count, relayDue: _due, ...plain } = rest;
  return { ...plain, id, decision: plain.decision, dueAt: plain.dueAt };
}

/** The parts of a document that can change. New events wait for the relay. */
function changesOf(before: Document, next: Document) {
  const { status, sealed, revision, decision, events, updatedAt, dueAt } = next;
  const relayDue = events.length > before.events.length ? updatedAt : undefined;
  const optional = Object.entries({ decision, dueAt, relayDue }).filter(([, value]) => value !== undefined);
  const gone = [
    ...(dueAt === undefined ? ["dueAt"] : []),
    ...(isUndecided(next) ? [] : ["openClaim"]),
    ...(isClosed(next) ? ["contentKey"] : []),
  ];
  const facts = { status, sealed, revision, events: [...events], eventCount: events.length, updatedAt };
  return {
    $set: { ...facts, ...Object.fromEntries(optional), version: before.version + 1 },
    ...(gone.length > 0 && { $unset: Object.fromEntries(gone.map((name) => [name, "" as const])) }),
  };
}
