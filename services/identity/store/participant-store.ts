import { type Connection, Schema } from "mongoose";
import type { TenantScope } from "../../shared/kernel/tenant-scope";
import type { Tx } from "../../shared/storage/mongo";
import { behindPlace, type ListPage, type ListRows, mostOf, readPage } from "../../shared/storage/read-list";
import {
  anyText,
  date,
  listOf,
  mayListOf,
  number,
  oneOf,
  strictDocument,
  text,
} from "../../shared/storage/stored-fields";
import { type BlindIndex, documentIndexOf, type IdentityDocument, numberIndexOf } from "../domain/blind-index";
import {
  type Participant,
  type ParticipantKind,
  type ParticipantStatus,
  participantKinds,
  participantReasons,
  participantStatuses,
  type ReasonCode,
} from "../domain/participant";
import type { PersonFields } from "../domain/person-fields";
import type { PersonalData } from "./personal-data";
import { openEach, type Page, screenedBy, screenedByOther } from "./screened-by";

interface ParticipantRecord {
  _id: string;
  tenant: string;
  kind: ParticipantKind;
  /** The key of this record's data, sealed; null once the record was erased. */
  dataKey: string | null;
  /** All facts about the person, sealed with that key. */
  sealed: string;
  /** Finds records of the same document without revealing the document; null without a document. */
  documentIndex: string | null;
  /** The same for its number alone, for every kind of document. */
  numberIndex: string | null;
  /** Ids of the owners and controllers of a company; absent where there are none. */
  linkedIds?: string[];
  /** Counts how often another write relied on this record's standing, so that a concurrent change of it conflicts. */
  linkChecks?: number;
  status: ParticipantStatus;
  reasonCodes: ReasonCode[];
  listVersion: string;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

/** A record without the facts about the person. */
export type FoundParticipant = Pick<Participant, "id" | "kind" | "status" | "createdAt">;

/** A record in the form for lists. */
export type ListedParticipant = Pick<Participant, "id" | "status" | "reasonCodes" | "createdAt" | "updatedAt">;

export interface ParticipantStore {
  init(): Promise<void>;
  add(participant: Participant, tx?: Tx): Promise<void>;
  /** Of either kind when `kind` is undefined. Undefined also for a record that was erased. */
  find(tenant: string, kind: ParticipantKind | undefined, id: string, tx?: Tx): Promise<Participant | undefined>;
  /** Records by their ids, in no particular order; those that were erased or cannot be found are left out. */
  findEach(tenant: string, ids: readonly string[], tx?: Tx): Promise<Participant[]>;
  /** Ids of the companies that have any of these as a direct owner or controller. */
  companiesOf(tenant: string, ids: readonly string[], tx?: Tx): Promise<string[]>;
  /**
   * Ensures until the commit that records still have the versions that were read, and that a concurrent writer of one of them sees this
   * commit. Returns false when one has changed.
   */
  relyOn(tenant: string, seen: readonly Pick<Participant, "id" | "version">[], tx: Tx): Promise<boolean>;
  /** The records that have an identity document, by id, after `after`; none without a number. */
  findByDocument(
    tenant: string,
    document: IdentityDocument,
    after: string | undefined,
    limit: number,
  ): Promise<FoundParticipant[]>;
  /** Records that have a document of any kind with this number, at most 20 and in no particular order. */
  findByNumber(scope: TenantScope, number: string): Promise<(FoundParticipant & { tenant: string })[]>;
  /** Records, newest first, after a given place. Erased ones are left out. */
  list(
    tenant: string,
    filter: { kind: ParticipantKind; status: ParticipantStatus | undefined },
    page: ListPage,
  ): Promise<ListRows<ListedParticipant>>;
  /** The key of a record's data; also undefined for a record that was erased. */
  keyOf(tenant: string, id: string): Promise<Buffer | undefined>;
  /** Replaces the record that has the version before. Returns false when another writer was first. */
  replace(participant: Participant, tx?: Tx): Promise<boolean>;
  /** Records that another version of the list has screened, in no particular order. Erased ones are left out. */
  listScreenedByOther(listVersion: string, limit: number): Promise<Page<Participant>>;
  /** Excludes records that cannot be opened from screening until the next start. */
  setAside(ids: readonly string[]): Promise<void>;
  countSetAside(): Promise<number>;
  /** Notes the list that has screened a record without a change. Returns false when another writer has changed the record. */
  noteScreened(participant: Participant, tx?: Tx): Promise<boolean>;
  /** Notes for each record that a version of the lists has screened it, unless it was changed or screened meanwhile. */
  noteEachScreened(screened: readonly Participant[], listVersion: string): Promise<void>;
  /** Marks the record to be screened again whatever the list is. Decisions about the version before are refused from then on. */
  forgetScreening(tenant: string, id: string, tx: Tx): Promise<void>;
  /** Destroys the key of a record. Returns false when the tenant has no such record. */
  erase(tenant: string, id: string, at: Date, tx: Tx): Promise<boolean>;
}

const participantSchema = new Schema<ParticipantRecord>(
  {
    _id: text,
    tenant: text,
    kind: oneOf(participantKinds),
    dataKey: { type: String, default: null },
    // Empty once the record was erased, as is the version of the list.
    sealed: anyText,
    documentIndex: { type: String, default: null },
    numberIndex: { type: String, default: null },
    linkedIds: mayListOf(String),
    linkChecks: Number,
    status: oneOf(participantStatuses),
    reasonCodes: listOf({ type: String, enum: [...participantReasons] }),
    listVersion: anyText,
    version: number,
    createdAt: date,
    updatedAt: date,
  },
  strictDocument,
);
participantSchema.index({ tenant: 1, documentIndex: 1, _id: 1 }).index({ listVersion: 1 });
participantSchema.index({ numberIndex: 1, tenant: 1 });
participantSchema.index({ tenant: 1, kind: 1, createdAt: -1, _id: -1 });
participantSchema.index({ tenant: 1, kind: 1, status: 1, createdAt: -1, _id: -1 });
participantSchema.index({ tenant: 1, linkedIds: 1 }, { partialFilterExpression: { linkedIds: { $exists: true } } });

const modelOf = (connection: Connection) => connection.model("Participant", participantSchema, "participants");

/** Persons and companies of all tenants. Their facts are sealed before they are stored and opened when they are read. */
export function makeParticipantStore(
  connection: Connection,
  data: PersonalData<PersonFields>,
  index: BlindIndex,
): ParticipantStore {
  const participants = modelOf(connection);
  const toParticipant = (record: ParticipantRecord): Participant | undefined => {
    const { id, dataKey, sealed, facts } = partsOf(record);
    return dataKey === null ? undefined : { ...facts, id, fields: data.open(record.tenant, id, { dataKey, sealed }) };
  };
  return {
    async init() {
      await participants.createCollection();
      await participants.createIndexes();
      await participants.updateMany(isAside, { $set: { listVersion: screenedBy.none } });
    },
    async add({ id, fields, reasonCodes, ...facts }, tx) {
      const secret = data.seal(facts.tenant, id, fields);
      const indexes = await indexesOf(index, facts.tenant, fields);
      const record = { ...facts, ...secret, _id: id, ...indexes, ...linksOf(fields), reasonCodes: [...reasonCodes] };
      await participants.create([record], { ...tx });
    },
    async find(tenant, kind, id, tx) {
      const named = { _id: id, tenant, ...(kind !== undefined && { kind }) };
      const record = await participants.findOne(named, {}, tx).lean<ParticipantRecord>();
      return record === null ? undefined : toParticipant(record);
    },
    ...makeLookups(participants, data, index),
    async replace({ id, tenant, fields, status, reasonCodes, listVersion, version, updatedAt }, tx) {
      const before = await participants.findOne({ _id: id, tenant }, { dataKey: 1 }, tx).lean<ParticipantRecord>();
      if (before === null || before.dataKey === null) return false;
      const sealed = data.reseal(tenant, id, before.dataKey, fields);
      const indexes = await indexesOf(index, tenant, fields);
      const linkedIds = linkedIdsOf(fields);
      const links = linkedIds.length > 0 ? { $set: { linkedIds } } : { $unset: { linkedIds: 1 as const } };
      const changes = { sealed, ...indexes, status, reasonCodes: [...reasonCodes], listVersion, version, updatedAt };
      const expected = { _id: id, tenant, version: version - 1, dataKey: before.dataKey };
      const { matchedCount } = await participants.updateOne(
        expected,
        { ...links, $set: { ...links.$set, ...changes } },
        tx,
      );
      return matchedCount === 1;
    },
    ...makeLinks(participants, toParticipant),
    async listScreenedByOther(listVersion, limit) {
      const found = participants.find(screenedByOther(listVersion)).limit(limit);
      return openEach(await found.lean<ParticipantRecord[]>(), toParticipant);
    },
    ...makeScreenedNotes(participants),
    ...makeAside(participants),
    async erase(tenant, id, at, tx) {
      const gone = {
        dataKey: null,
        sealed: "",
        documentIndex: null,
        numberIndex: null,
        listVersion: screenedBy.erased,
        updatedAt: at,
      };
      const { matchedCount } = await participants.updateOne(
        { _id: id, tenant },
        { $set: gone, $unset: { linkedIds: 1 } },
        tx,
      );
      return matchedCount === 1;
    },
  };
}

/** The parts of a record that are public, without the hashes that only serve to find it. */
function partsOf({ _id: id, dataKey, sealed, ...rest }: ParticipantRecord) {
  const { documentIndex: _index, numberIndex: _number, linkedIds: _linked, linkChecks: _checks, ...facts } = rest;
  return { id, dataKey, sealed, facts };
}

const indexesOf = async (index: BlindIndex, tenant: string, fields: PersonFields) => ({
  documentIndex: documentIndexOf(await index.of(tenant), fields) ?? null,
  numberIndex: (await numberIndexOf(index, fields)) ?? null,
});

type ScreenedNotes = Pick<ParticipantStore, "noteScreened" | "noteEachScreened" | "forgetScreening">;

/** The lists that each record was screened by. */
function makeScreenedNotes(participants: ReturnType<typeof modelOf>): ScreenedNotes {
  return {
    async noteScreened({ id, tenant, version, listVersion }, tx) {
      const kept = { _id: id, tenant, version, dataKey: { $ne: null } };
      const { matchedCount } = await participants.updateOne(kept, { $set: { listVersion } }, tx);
      return matchedCount === 1;
    },
    async noteEachScreened(screened, listVersion) {
      if (screened.length === 0) return;
      const updates = screened.map(({ id, tenant, version, listVersion: before }) => ({
        updateOne: {
          filter: { _id: id, tenant, version, listVersion: before, dataKey: { $ne: null } },
          update: { $set: { listVersion } },
        },
      }));
      await participants.bulkWrite(updates, { ordered: false, throwOnValidationError: true });
    },
    async forgetScreening(tenant, id, tx) {
      const kept = { _id: id, tenant, dataKey: { $ne: null } };
      await participants.updateOne(kept, { $set: { listVersion: screenedBy.none }, $inc: { version: 1 } }, tx);
    },
  };
}

const linksOf = (fields: PersonFields): { linkedIds?: string[] } =>
  fields.relatedParties === undefined ? {} : { linkedIds: linkedIdsOf(fields) };

const linkedIdsOf = ({ relatedParties = [] }: PersonFields): string[] =>
  relatedParties.map(({ participantId }) => participantId);

const mostFound = 20;

/** Queries on records without opening them. */
function makeLookups(
  participants: ReturnType<typeof modelOf>,
  data: PersonalData<PersonFields>,
  index: BlindIndex,
): Pick<ParticipantStore, "findByDocument" | "findByNumber" | "list" | "keyOf"> {
  return {
    async findByNumber(scope, number) {
      const numberIndex = await numberIndexOf(index, { identification: number });
      if (numberIndex === undefined) return [];
      const found = await participants
        .find(
          { numberIndex, ...(scope === "all tenants" ? {} : { tenant: scope.tenant }) },
          { tenant: 1, kind: 1, status: 1, createdAt: 1 },
        )
        .limit(mostFound)
        .lean<ParticipantRecord[]>();
      return found.map(({ _id: id, tenant, kind, status, createdAt }) => ({ id, tenant, kind, status, createdAt }));
    },
    async list(tenant, { kind, status }, page) {
      // Erased records keep their place, so a page may have to read further to fill up.
      const most = mostOf(page);
      const asked = status === undefined ? {} : { status };
      const projection = { status: 1, reasonCodes: 1, createdAt: 1, updatedAt: 1, dataKey: 1 };
      const found = participants
        .find({ tenant, kind, ...asked, ...behindPlace("createdAt", page) }, projection)
        .sort({ createdAt: -1, _id: -1 })
        .limit(most + 1);
      const { rows, next } = await readPage(
        found.lean<ParticipantRecord[]>().cursor(),
        { limit: page.limit, most },
        ({ createdAt, _id: id }) => ({ createdAt, id }),
        ({ dataKey }) => dataKey !== null,
      );
      return { rows: rows.map(({ _id: id, dataKey: _key, ...record }) => ({ ...record, id })), next };
    },
    async findByDocument(tenant, document, after, limit) {
      const documentIndex = documentIndexOf(await index.of(tenant), document);
      if (documentIndex === undefined) return [];
      const behind = after === undefined ? {} : { _id: { $gt: after } };
      const projection = { kind: 1, status: 1, createdAt: 1 };
      const page = participants.find({ tenant, documentIndex, ...behind }, projection);
      const found = await page.sort({ _id: 1 }).limit(limit).lean<ParticipantRecord[]>();
      return found.map(({ _id: id, kind, status, createdAt }) => ({ id, kind, status, createdAt }));
    },
    async keyOf(tenant, id) {
      const record = await participants.findOne({ _id: id, tenant }, { dataKey: 1 }).lean<ParticipantRecord>();
      return record === null || record.dataKey === null ? undefined : data.keyOf(tenant, id, record.dataKey);
    },
  };
}

/** Companies by their owners and controllers, and the reverse. */
function makeLinks(
  participants: ReturnType<typeof modelOf>,
  toParticipant: (record: ParticipantRecord) => Participant | undefined,
): Pick<ParticipantStore, "findEach" | "companiesOf" | "relyOn"> {
  return {
    async findEach(tenant, ids, tx) {
      const records = await participants.find({ _id: { $in: [...ids] }, tenant }, {}, tx).lean<ParticipantRecord[]>();
      return openEach(records, toParticipant).readable;
    },
    async companiesOf(tenant, ids, tx) {
      const behind = { tenant, linkedIds: { $in: [...ids], $exists: true } };
      const found = await participants.find(behind, { _id: 1 }, tx).lean<ParticipantRecord[]>();
      return found.map(({ _id }) => _id);
    },
    async relyOn(tenant, seen, tx) {
      for (const { id, version } of seen) {
        const kept = { _id: id, tenant, version, dataKey: { $ne: null } };
        const { matchedCount } = await participants.updateOne(kept, { $inc: { linkChecks: 1 } }, tx);
        if (matchedCount === 0) return false;
      }
      return true;
    },
  };
}

const isAside = { listVersion: screenedBy.unreadable };

/** Records that cannot be opened, excluded from screening. */
function makeAside(participants: ReturnType<typeof modelOf>): Pick<ParticipantStore, "setAside" | "countSetAside"> {
  return {
    async setAside(ids) {
      const kept = { _id: { $in: [...ids] }, dataKey: { $ne: null } };
      await participants.updateMany(kept, { $set: { listVersion: screenedBy.unreadable } });
    },
    countSetAside: async () => participants.countDocuments(isAside),
  };
}
