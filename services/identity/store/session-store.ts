import { type Connection, Schema } from "mongoose";
import { isDuplicateKey, type Transact, type Tx } from "../../shared/storage/mongo";
import { anyText, date, listOf, number, oneOf, part, strictDocument, text } from "../../shared/storage/stored-fields";
import { isUndecided, type Session, type SessionFacts, sessionStatuses } from "../domain/session";
import { dueRecords, type NoteDue } from "./due-records";
import type { PersonalData } from "./personal-data";
import { type EventfulRecord, eventfulFields } from "./record-outbox";

type Plain = Omit<Session, "id" | "facts" | "claim" | "personId" | "decision" | "dueAt">;

/** One session as it is stored. The facts about the person are sealed with a key of the session's own. */
export interface SessionRecord extends Plain, EventfulRecord {
  /** Null once the person was erased. */
  dataKey: string | null;
  sealed: string;
  claim: string;
  /** The claim while the session is undecided; unique, so that only one session of a document continues. */
  openClaim?: string;
  personId?: string;
  decision?: Session["decision"];
  dueAt?: Date;
}

export interface DueSession {
  id: string;
  dueAt: Date;
}

/** Changes that are written in one commit with a new session. */
export interface SessionCompany {
  /** The new state of the undecided session with the same claim. */
  supersede(older: Session): Session;
  alongside(tx: Tx): Promise<void>;
}

export interface SessionStore {
  init(): Promise<void>;
  /** Adds a session and, in the same commit, the changes that go with it. Returns false when another writer was first. */
  add(session: Session, traceparent: string, company: SessionCompany): Promise<boolean>;
  /** Also undefined for a session of an erased person. */
  find(id: string): Promise<Session | undefined>;
  /** Replaces the session that was read by its new version. Returns false when another writer was first. */
  replace(before: Session, next: Session): Promise<boolean>;
  /** Sessions with a due time, earliest first; they are not opened, so that one that cannot be opened does not affect the others. */
  upcoming(limit: number): Promise<DueSession[]>;
  /** Postpones a due session: one of several concurrent callers gets true. */
  take(due: DueSession, until: Date): Promise<boolean>;
  /** Kinds of documents of a person that a session has VERIFIED. */
  verifiedTypes(tenant: string, personId: string): Promise<string[]>;
  /** Ids of a person's sessions, erased or not. */
  idsOf(tenant: string, personId: string): Promise<string[]>;
  /** Destroys the keys of a person's sessions. A writer that has read one before can no longer replace it. */
  eraseOf(tenant: string, personId: string): Promise<void>;
}

export const sessionCollection = "sessions";

const sessionSchema = new Schema<SessionRecord>(
  {
    ...eventfulFields,
    tenant: text,
    // The sealed part is empty once the person was erased.
    dataKey: { type: String, default: null },
    sealed: anyText,
    claim: anyText,
    openClaim: String,
    documentType: text,
    entityId: text,
    personId: String,
    status: oneOf(sessionStatuses),
    attempts: number,
    revision: number,
    decision: part({ status: oneOf(["VERIFIED", "REJECTED"]), reasonCode: String, decidedAt: date }),
    events: listOf(part({ sequence: number, status: oneOf(sessionStatuses), occurredAt: date })),
    version: number,
    createdAt: date,
    expiresAt: date,
    dueAt: Date,
  },
  strictDocument,
);
sessionSchema
  .index({ openClaim: 1 }, { unique: true, partialFilterExpression: { openClaim: { $exists: true } } })
  .index({ dueAt: 1 }, { partialFilterExpression: { dueAt: { $exists: true } } })
  .index({ relayDue: 1, _id: 1 }, { partialFilterExpression: { relayDue: { $exists: true } } })
  .index({ tenant: 1, personId: 1 }, { partialFilterExpression: { personId: { $exists: true } } })
  .index({ updatedAt: 1 });

/** KYC sessions of all tenants. */
export function makeSessionStore(
  connection: Connection,
  transact: Transact,
  data: PersonalData<SessionFacts>,
  noteDue: NoteDue = () => {},
): SessionStore {
  const model = connection.model("Session", sessionSchema, sessionCollection);
  const read = (record: SessionRecord | null): Session | undefined =>
    record === null || record.dataKey === null ? undefined : toSession(record, record.dataKey, data);
  const replace = async (before: Session, next: Session, tx?: Tx): Promise<boolean> => {
    const { id, version } = before;
    const { matchedCount } = await model.updateOne({ _id: id, version }, changesOf(before, next), tx);
    if (matchedCount === 1 && next.dueAt !== undefined) noteDue(next.dueAt);
    return matchedCount === 1;
  };
  const addOnce = (record: SessionRecord, { supersede, alongside }: SessionCompany): Promise<boolean> =>
    transact(async (tx) => {
      const older = await model.findOne({ openClaim: record.claim }, {}, tx).lean<SessionRecord>();
      if (older !== null && !(await endOlder(older, tx))) return false;
      await model.create([record], tx);
      await alongside(tx);
      return true;

      async function endOlder(found: SessionRecord, inside: Tx): Promise<boolean> {
        const session = read(found);
        if (session !== undefined) return replace(session, supersede(session), inside);
        await model.updateOne({ _id: found._id }, { $unset: { openClaim: "", dueAt: "" } }, inside);
        return true;
      }
    });
  return {
    async init() {
      await model.createCollection();
      await model.createIndexes();
    },
    async add(session, traceparent, company) {
      try {
        const isAdded = await addOnce(toRecord(session, traceparent, data), company);
        if (isAdded && session.dueAt !== undefined) noteDue(session.dueAt);
        return isAdded;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    find: async (id) => read(await model.findById(id).lean<SessionRecord>()),
    replace: (before, next) => replace(before, next),
    ...dueRecords(model),
    async verifiedTypes(tenant, personId) {
      const verified = model.find({ tenant, personId, status: "VERIFIED" }, { documentType: 1 });
      return (await verified.lean<SessionRecord[]>()).map(({ documentType }) => documentType);
    },
    async idsOf(tenant, personId) {
      const found = await model.find({ tenant, personId }, { _id: 1 }).lean<SessionRecord[]>();
      return found.map(({ _id: id }) => id);
    },
    async eraseOf(tenant, personId) {
      const unset = { openClaim: "" as const, dueAt: "" as const };
      const gone = { $set: { dataKey: null, sealed: "", claim: "" }, $unset: unset, $inc: { version: 1 } };
      await model.updateMany({ tenant, personId }, gone);
    },
  };
}

function toRecord(session: Session, traceparent: string, data: PersonalData<SessionFacts>): SessionRecord {
  const { id, tenant, facts, decision, dueAt, personId, ...plain } = session;
  return {
    ...plain,
    _id: id,
    tenant,
    ...data.seal(tenant, id, facts),
    openClaim: session.claim,
    ...(personId !== undefined && { personId }),
    ...(decision !== undefined && { decision }),
    ...(dueAt !== undefined && { dueAt }),
    traceparent,
    published: 0,
    eventCount: session.events.length,
  };
}

function toSession(record: SessionRecord, dataKey: string, data: PersonalData<SessionFacts>): Session {
  const { _id: id, dataKey: _key, sealed, openClaim: _open, traceparent: _trace, ...rest } = record;
  const { published: _published, eventCount: _count, relayDue: _due, ...plain } = rest;
  const facts = data.open(record.tenant, id, { dataKey, sealed });
  return { ...plain, id, facts, personId: plain.personId, decision: plain.decision, dueAt: plain.dueAt };
}

/** The parts of a session that can change. New events wait for the relay. */
function changesOf(before: Session, next: Session) {
  const { status, attempts, revision, decision, events, updatedAt, dueAt } = next;
  const relayDue = events.length > before.events.length ? updatedAt : undefined;
  const optional = Object.entries({ decision, dueAt, relayDue }).filter(([, value]) => value !== undefined);
  const gone = [...(dueAt === undefined ? ["dueAt"] : []), ...(isUndecided(next) ? [] : ["openClaim"])];
  const facts = { status, attempts, revision, events, eventCount: events.length, updatedAt };
  return {
    $set: { ...facts, ...Object.fromEntries(optional), version: before.version + 1 },
    ...(gone.length > 0 && { $unset: Object.fromEntries(gone.map((name) => [name, "" as const])) }),
  };
}
