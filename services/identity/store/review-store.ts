import { type Connection, type QueryFilter, Schema } from "mongoose";
import { beginningOfTime } from "../../shared/kernel/clock";
import { DomainError } from "../../shared/kernel/errors";
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
import { noCursor } from "../domain/page-cursor";
import {
  type Review,
  type ReviewKind,
  type ReviewStatus,
  type ReviewWords,
  reviewKinds,
  reviewStatuses,
} from "../domain/review";
import { hitFields } from "./hit-fields";
import type { PersonalData } from "./personal-data";
import { openEach, type Page, screenedBy, screenedByOther } from "./screened-by";

type Plain = Omit<Review, "id" | "words" | "decidedAt" | "author">;
type Ended = Pick<Review, "status" | "report" | "release">;

interface ReviewRecord extends Plain {
  _id: string;
  /** The subject while the review is open; unique, so that a subject has one open review. */
  openSubject?: string;
  decidedAt?: Date | undefined;
  author?: string | undefined;
  /** Deadline for notifying the authority; absent once it was notified. */
  reportDue?: Date;
  /** The key of the parts that name people, sealed; null once the subject was erased. */
  dataKey: string | null;
  sealed: string;
}

/** Selects reviews for a list; an undefined field matches any value. */
export interface ReviewFilter {
  tenant: string | undefined;
  subjectId: string | undefined;
  kind: ReviewKind | undefined;
  status: ReviewStatus;
}

export interface ReviewStore {
  init(): Promise<void>;
  /** Adds a review. Throws VERSION_CONFLICT when its subject has an open one. */
  add(review: Review, tx: Tx): Promise<void>;
  /** Replaces the review that has the version before. Throws VERSION_CONFLICT when another writer was first. */
  save(review: Review, tx: Tx): Promise<void>;
  find(id: string, tx?: Tx): Promise<Review | undefined>;
  findOpen(tenant: string, subjectId: string, tx: Tx): Promise<Review | undefined>;
  /** Oldest first, after `after`, without personal data. Throws INVALID_ARGUMENT if that review does not exist. */
  list(filter: ReviewFilter, after: string | undefined, limit: number): Promise<Review[]>;
  /** Open reviews of payments with hits from another version of the list. */
  listScreenedByOther(listVersion: string, limit: number): Promise<Page<Review>>;
  /** Excludes reviews that cannot be opened from screening until the next start. */
  setAside(ids: readonly string[]): Promise<void>;
  countSetAside(): Promise<number>;
  /** The reasons why reviews ended, by id; those of erased subjects are left out. */
  notesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  countOpen(): Promise<number>;
  /** Reviews with an outstanding report, earliest due first, after `after`. Throws INVALID_ARGUMENT if that review does not exist. */
  listReports(after: string | undefined, limit: number): Promise<Review[]>;
  /** Number of reports that are due before a given time, or overdue. */
  countReports(before: Date): Promise<number>;
  /** Destroys the personal data in the reviews of a subject, and withdraws the open one: there is no subject left to decide about. */
  eraseOf(tenant: string, subjectId: string, at: Date): Promise<void>;
}

const reviewSchema = new Schema<ReviewRecord>(
  {
    _id: text,
    tenant: text,
    kind: oneOf(reviewKinds),
    subjectId: text,
    status: oneOf(reviewStatuses),
    hits: listOf(hitFields),
    awaitsProvider: flag,
    embargo: String,
    listVersion: text,
    openedAt: date,
    decidedAt: Date,
    author: String,
    report: part({ dueAt: date, reference: String }),
    release: part({ authorityReference: text, approver: text, payTo: String }),
    version: number,
    openSubject: String,
    reportDue: Date,
    // The parts that name people are empty once the subject was erased.
    dataKey: { type: String, default: null },
    sealed: anyText,
  },
  strictDocument,
);
reviewSchema
  .index({ openSubject: 1 }, { unique: true, partialFilterExpression: { openSubject: { $exists: true } } })
  .index({ reportDue: 1, _id: 1 }, { partialFilterExpression: { reportDue: { $exists: true } } })
  .index({ status: 1, openedAt: 1, _id: 1 })
  .index({ status: 1, kind: 1, openedAt: 1, _id: 1 })
  .index({ status: 1, kind: 1, listVersion: 1 })
  .index({ tenant: 1, status: 1, openedAt: 1, _id: 1 })
  .index({ tenant: 1, status: 1, kind: 1, openedAt: 1, _id: 1 })
  .index({ tenant: 1, subjectId: 1, openedAt: 1, _id: 1 })
  .index({ subjectId: 1, openedAt: 1, _id: 1 });

const isAside = { status: "OPEN", kind: "PAYMENT", listVersion: screenedBy.unreadable } as const;

const openSubjectOf = (tenant: string, subjectId: string): string => `${tenant}/${subjectId}`;

const modelOf = (connection: Connection) => connection.model("Review", reviewSchema, "reviews");

/** Reviews of all tenants. Their personal data is sealed with a key of each review's own. */
export function makeReviewStore(connection: Connection, data: PersonalData<ReviewWords>): ReviewStore {
  const reviews = modelOf(connection);
  const read = (record: ReviewRecord): Review => toReview(record, data);
  return {
    async init() {
      await reviews.createCollection();
      await reviews.createIndexes();
      await reviews.updateMany(isAside, { $set: { listVersion: screenedBy.none } });
    },
    async add(review, { session }) {
      const openSubject = openSubjectOf(review.tenant, review.subjectId);
      if ((await reviews.exists({ openSubject }).session(session)) !== null) throw conflict();
      const { id, words, decidedAt: _at, author: _author, ...plain } = review;
      const secret = data.seal(review.tenant, id, words ?? {});
      const { status, decidedAt, author } = review;
      // A review that an embargo has ended was never open; its report is still owed.
      const ended = { decidedAt, author, ...endOf(review).set };
      const stored = status === "OPEN" ? { openSubject } : ended;
      await reviews.create([{ ...plain, hits: [...plain.hits], ...secret, _id: id, ...stored }], { session });
    },
    async save(review, tx) {
      const { id, tenant, words, status, hits, awaitsProvider, listVersion, decidedAt, author, version } = review;
      const filter = { _id: id, version: version - 1 };
      const before = await reviews.findOne(filter, { dataKey: 1 }, tx).lean<ReviewRecord>();
      if (before === null) throw conflict();
      const { dataKey } = before;
      const sealed = dataKey === null || words === undefined ? "" : data.reseal(tenant, id, dataKey, words);
      const changes = { sealed, status, hits: [...hits], awaitsProvider, listVersion, decidedAt, author, version };
      const { set, unset } = endOf(review);
      const gone = Object.keys(unset).length === 0 ? {} : { $unset: unset };
      const { matchedCount } = await reviews.updateOne(filter, { $set: { ...changes, ...set }, ...gone }, tx);
      if (matchedCount !== 1) throw conflict();
    },
    async find(id, tx) {
      const record = await reviews.findById(id, {}, tx).lean<ReviewRecord>();
      return record === null ? undefined : read(record);
    },
    async findOpen(tenant, subjectId, tx) {
      const open = { openSubject: openSubjectOf(tenant, subjectId) };
      const record = await reviews.findOne(open, {}, tx).lean<ReviewRecord>();
      return record === null ? undefined : read(record);
    },
    list: makeList(reviews),
    async listScreenedByOther(listVersion, limit) {
      const waiting = { status: "OPEN", kind: "PAYMENT", ...screenedByOther(listVersion) } as const;
      return openEach(await reviews.find(waiting).limit(limit).lean<ReviewRecord[]>(), read);
    },
    ...makeAside(reviews),
    async notesOf(ids) {
      const records = await reviews.find({ _id: { $in: [...ids] } }).lean<ReviewRecord[]>();
      const found = openEach(records, read);
      return new Map(found.readable.flatMap(({ id, words }) => (words?.note === undefined ? [] : [[id, words.note]])));
    },
    countOpen: async () => reviews.countDocuments({ status: "OPEN" }),
    ...makeReports(reviews),
    async eraseOf(tenant, subjectId, at) {
      await reviews.updateMany({ tenant, subjectId }, { $set: { dataKey: null, sealed: "" } });
      const ended = { status: "WITHDRAWN", awaitsProvider: false, decidedAt: at, author: "platform" } as const;
      const change = { $set: ended, $unset: { openSubject: "" as const }, $inc: { version: 1 } };
      await reviews.updateMany({ tenant, subjectId, status: "OPEN" }, change);
    },
  };
}

const conflict = (): DomainError =>
  new DomainError("VERSION_CONFLICT", "another request is changing the review; try again");

/** The fields to set and to remove once a review has ended. */
function endOf({ status, report, release }: Ended) {
  const isOwed = report !== undefined && report.reference === undefined;
  const set = {
    ...(report !== undefined && { report }),
    ...(release !== undefined && { release }),
    ...(isOwed && { reportDue: report.dueAt }),
  };
  const unset: { openSubject?: ""; reportDue?: "" } = {
    ...(status !== "OPEN" && { openSubject: "" }),
    ...(report !== undefined && !isOwed && { reportDue: "" }),
  };
  return { set, unset };
}

const makeList =
  (reviews: ReturnType<typeof modelOf>): ReviewStore["list"] =>
  async ({ tenant, subjectId, kind, status }, after, limit) => {
    const chosen: QueryFilter<ReviewRecord> = {
      status,
      ...(tenant !== undefined && { tenant }),
      ...(subjectId !== undefined && { subjectId }),
      ...(kind !== undefined && { kind }),
    };
    const last = after === undefined ? null : await reviews.findById(after).lean<ReviewRecord>();
    if (after !== undefined && last === null) throw noCursor();
    const { openedAt, _id } = last ?? {};
    const behind =
      openedAt === undefined ? {} : { $or: [{ openedAt: { $gt: openedAt } }, { openedAt, _id: { $gt: _id ?? "" } }] };
    const page = reviews.find({ ...chosen, ...behind }).sort({ openedAt: 1, _id: 1 });
    return (await page.limit(limit).lean<ReviewRecord[]>()).map(toPlainReview);
  };

const makeReports = (reviews: ReturnType<typeof modelOf>): Pick<ReviewStore, "listReports" | "countReports"> => ({
  async listReports(after, limit) {
    const last = after === undefined ? null : await reviews.findById(after).lean<ReviewRecord>();
    if (after !== undefined && last?.reportDue === undefined) throw noCursor();
    const { reportDue, _id = "" } = last ?? {};
    const behind =
      reportDue === undefined
        ? { reportDue: { $gt: beginningOfTime } }
        : { $or: [{ reportDue: { $gt: reportDue } }, { reportDue, _id: { $gt: _id } }] };
    const owed = reviews.find(behind).sort({ reportDue: 1, _id: 1 }).limit(limit);
    return (await owed.lean<ReviewRecord[]>()).map(toPlainReview);
  },
  countReports: async (before) => reviews.countDocuments({ reportDue: { $gt: beginningOfTime, $lte: before } }),
});

function toPlainReview(record: ReviewRecord): Review {
  const {
    _id: id,
    reportDue: _due,
    openSubject: _open,
    dataKey: _key,
    sealed: _sealed,
    decidedAt,
    author,
    ...plain
  } = record;
  return { ...plain, id, decidedAt, author, words: undefined };
}

function toReview(record: ReviewRecord, data: PersonalData<ReviewWords>): Review {
  const { _id: id, tenant, dataKey, sealed } = record;
  const words = dataKey === null ? undefined : data.open(tenant, id, { dataKey, sealed });
  return { ...toPlainReview(record), words };
}

/** Reviews that cannot be opened, excluded from screening. */
const makeAside = (reviews: ReturnType<typeof modelOf>): Pick<ReviewStore, "setAside" | "countSetAside"> => ({
  async setAside(ids) {
    await reviews.updateMany({ _id: { $in: [...ids] } }, { $set: { listVersion: screenedBy.unreadable } });
  },
  countSetAside: async () => reviews.countDocuments(isAside),
});
