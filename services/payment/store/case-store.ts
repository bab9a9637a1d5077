import type { Connection, UpdateQuery } from "mongoose";
import { beginningOfTime } from "../../shared/kernel/clock";
import { derivedUuid } from "../../shared/kernel/ids";
import { formatMoney, type Money } from "../../shared/kernel/money";
import type { DataKeys } from "../../shared/storage/data-keys";
import { isDuplicateKey, type Transact, type Tx } from "../../shared/storage/mongo";
import { mostOf, readPage } from "../../shared/storage/read-list";
import type { CaseKind, StatementDifference } from "../domain/case-note";
import { type Fact, factId } from "../domain/fact";
import type { Payment, Posting } from "../domain/payment";
import { suspensePostings } from "../domain/unknown-fact";
import { type CaseFilter, type CasePosition, isWantedCase, queryOf } from "./case-filter";
import {
  type CaseOpening,
  type CaseRecord,
  type CaseSealing,
  caseModel,
  type FactOfCase,
  freshCase,
  isOwn,
  type NewCase,
  openCaseFact,
  openLine,
  platformTenant,
  type StoryLine,
  sealCaseFact,
  sealedAnew,
  sealLine,
  settledFacts,
} from "./case-record";
import { type EvidenceKeys, makeEvidenceKeys } from "./evidence-keys";
import { minimum } from "./fact-record";
import type { ParticipantKeys } from "./participant-keys";

/** A case as people see it. */
export interface Case {
  id: string;
  state: "OPEN" | "CLOSED";
  kinds: readonly CaseKind[];
  /** The key by which its creator finds it; undefined for a case of a payment. */
  key: string | undefined;
  /** The persons whose keys seal what is written into it; undefined for the tenant's key. */
  persons: readonly string[] | undefined;
  tenant: string;
  provider: string;
  paymentIds: readonly string[];
  amounts: readonly Money[];
  /** Differences to statements that other services reported, the oldest first. */
  differences: readonly StatementDifference[];
  owner: string;
  openedAt: Date;
  updatedAt: Date;
  closedAt: Date | undefined;
  notes: readonly StoryLine[];
  commands: readonly { id: string; hash: string }[];
  /** Money that moved under an unknown reference, and was neither given to a payment nor settled otherwise. */
  facts: readonly Fact[];
  /** The leg of the facts under an unknown reference, whatever became of them; undefined for a case without such facts. */
  role: Fact["role"] | undefined;
  eventCount: number;
  version: number;
}

/** What a command writes into its case. */
export interface CaseStep {
  commandId: string;
  hash: string;
  line: StoryLine;
  closes: boolean;
  /** What was noticed with it. */
  kinds?: readonly CaseKind[];
  owner?: string;
  /** Ledger entries that belong to the case itself, each under its id. */
  entries?: readonly { id: string; postings: readonly Posting[] }[];
  /** The facts of the case that no longer wait: they are settled, or were given to `paymentId`. */
  settles?: readonly Fact[];
  /** The payment that received the facts. */
  paymentId?: string;
  /** The payment that the command concerns: its evidence belongs to that payment's persons. */
  of?: Payment;
}

export interface CaseStore {
  init(): Promise<void>;
  find(id: string): Promise<Case | undefined>;
  /** Returns the case of a payment that another service's report with this key has joined, open or closed. */
  findReported(paymentId: string, key: string): Promise<Case | undefined>;
  /**
   * Lists a page of cases without their notes, the oldest first. A page that has read as much as it may is short, and says where to
   * continue.
   */
  list(
    filter: CaseFilter,
    after: CasePosition | undefined,
    limit: number,
  ): Promise<{ cases: Case[]; next: CasePosition | undefined }>;
  /** Opens the case of a key, or returns the one that exists unchanged. */
  open(key: string, opened: NewCase & { kind: CaseKind; line: StoryLine }): Promise<Case>;
  /** Returns those of the keys that have a case, open or closed. */
  knownKeys(keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** Keeps a fact under an unknown reference, and posts its money to suspense. Repeating it changes nothing. */
  keepFact(fact: Fact, at: Date): Promise<void>;
  /** Writes a command into the case, unless another writer was first. */
  step(before: Case, step: CaseStep, at: Date, tx?: Tx): Promise<boolean>;
  /** Counts the open cases by kind, with the time of the oldest. */
  countOpen(): Promise<{ kind: CaseKind; count: number; oldest: Date }[]>;
}

const unknownCaseId = ({ provider, reference }: Fact): string => derivedUuid("case", "unknown", provider, reference);
const keyedCaseId = (key: string): string => derivedUuid("case", "key", key);

type Cases = ReturnType<typeof caseModel>;

/** Collection `cases`. A case of a payment is written in the transaction of the payment's change. */
export function makeCaseStore(
  connection: Connection,
  keys: Pick<DataKeys, "of">,
  transact: Transact,
  people: Pick<ParticipantKeys, "find">,
): CaseStore {
  const cases = caseModel(connection);
  const evidence = makeEvidenceKeys(keys, people);
  const read = async (record: CaseRecord | null): Promise<Case | undefined> =>
    record === null ? undefined : toCase(record, await openersOf(record, keys, evidence));
  return {
    async init() {
      await cases.createCollection();
      await cases.createIndexes();
    },
    find: async (id) => read(await cases.findById(id).lean<CaseRecord>()),
    findReported: async (paymentId, key) =>
      read(await cases.findOne({ paymentIds: paymentId, reported: key }).lean<CaseRecord>()),
    async list(filter, after, limit) {
      const most = mostOf({ limit });
      const found = cases
        .find(queryOf(filter, after), { notes: 0, events: 0, facts: 0, commands: 0 })
        .sort({ openedAt: 1, _id: 1 })
        .limit(most + 1);
      const { rows, next } = await readPage(
        found.lean<CaseRecord[]>().cursor(),
        { limit, most },
        ({ openedAt, _id }) => ({ createdAt: openedAt, id: _id }),
        isWantedCase(filter),
      );
      return {
        cases: rows.map((record) => toCase({ ...record, notes: [] }, () => undefined)),
        next: next && { at: next.createdAt, id: next.id },
      };
    },
    open: makeOpen(cases, keys, read),
    async knownKeys(wanted) {
      if (wanted.length === 0) return new Set();
      const byId = new Map(wanted.map((key) => [keyedCaseId(key), key]));
      const filter = { _id: { $in: [...byId.keys()] } };
      const found = await cases.find(filter, { _id: 1 }).lean<CaseRecord[]>();
      return new Set(found.map(({ _id }) => byId.get(_id) ?? ""));
    },
    keepFact: makeKeepFact(cases, keys, transact),
    async step(before, step, at, tx) {
      const sealing = await sealingOf(before, step, keys, evidence);
      const stored = { _id: before.id, version: before.version };
      const record = step.settles === undefined ? null : await cases.findOne(stored, {}, tx).lean<CaseRecord>();
      const update = stepUpdate({ before, record, step, sealing }, at);
      const { modifiedCount } = await cases.updateOne({ _id: before.id, version: before.version }, update, { ...tx });
      return modifiedCount === 1;
    },
    countOpen: async () =>
      cases.aggregate<{ kind: CaseKind; count: number; oldest: Date }>([
        { $match: { state: "OPEN", openedAt: { $gt: beginningOfTime } } },
        { $unwind: "$kinds" },
        { $group: { _id: "$kinds", count: { $sum: 1 }, oldest: { $min: "$openedAt" } } },
        { $project: { _id: 0, kind: "$_id", count: 1, oldest: 1 } },
      ]),
  };
}

const makeOpen =
  (
    cases: Cases,
    keys: Pick<DataKeys, "of">,
    read: (record: CaseRecord | null) => Promise<Case | undefined>,
  ): CaseStore["open"] =>
  async (key, { kind, line, ...opened }) => {
    const _id = keyedCaseId(key);
    const tenant = opened.tenant === "" ? platformTenant : opened.tenant;
    const sealing = { persons: undefined, sealer: await keys.of(tenant) };
    const { at } = line;
    const record = {
      ...freshCase({ ...opened, tenant }, at),
      key,
      state: "OPEN" as const,
      kinds: [kind],
      updatedAt: at,
      notes: [sealLine(sealing, _id, line)],
      version: 1,
      ...(line.evidence === undefined ? {} : { evidenceAt: at }),
    };
    await upsert(cases, _id, record);
    const stored = await read(await cases.findById(_id).lean<CaseRecord>());
    if (stored === undefined) throw new Error("a case that was just stored is not there");
    return stored;
  };

const makeKeepFact =
  (cases: Cases, keys: Pick<DataKeys, "of">, transact: Transact): CaseStore["keepFact"] =>
  async (fact, at) => {
    const _id = unknownCaseId(fact);
    const key = { persons: undefined, sealer: await keys.of(platformTenant) };
    const text = `${fact.provider} reports ${fact.kind} about the reference ${fact.reference}, which is no payment's`;
    const line: StoryLine = { at, author: "platform", approver: "", text, command: "", evidence: fact.evidence };
    await transact(async ({ session }) => {
      const before = await cases.findById(_id, {}, { session }).lean<CaseRecord>();
      const known = before?.facts?.find(({ id }) => id === factId(fact));
      if (known !== undefined) {
        // A fact that was given to a payment is reported there.
        const first = isOwn(known) ? openCaseFact(key.sealer, _id, known) : undefined;
        if (before === null || first === undefined || isSame(first, fact)) return;
        await contradict(cases, before, { ...line, text: contradiction(fact) }, key, session);
        return;
      }
      const sequence = (before?.eventCount ?? 0) + 1;
      const event = entryEvent(factId(fact), suspensePostings(fact), sequence, at);
      const amounts = fact.amount === undefined ? [] : [fact.amount];
      const fresh = freshCase({ tenant: platformTenant, provider: fact.provider, paymentIds: [], amounts }, at);
      const { events: _none, eventCount: _zero, lastEventAt: _at, ...opened } = fresh;
      await cases.updateOne(
        { _id },
        {
          $setOnInsert: opened,
          $set: { state: "OPEN", updatedAt: at, eventCount: sequence, lastEventAt: at },
          $push: {
            notes: sealLine(key, _id, line),
            facts: sealCaseFact(key, _id, factId(fact), fact),
            events: event,
          },
          $addToSet: { kinds: "UNKNOWN_REFERENCE" },
          $inc: { version: 1 },
          $min: { relayDue: at, evidenceAt: at },
        },
        { upsert: true, session },
      );
    });
  };

const isSame = (one: Fact, other: Fact): boolean =>
  one.amount?.minor === other.amount?.minor && one.amount?.currency === other.amount?.currency;

const contradiction = ({ provider, kind, reference, amount }: Fact): string =>
  `${provider} reports ${kind} of ${amount === undefined ? "nothing" : `${formatMoney(amount)} ${amount.currency}`} about the reference ${reference}, a movement that it reported with another amount`;

/** Records the same movement with another amount: what was posted first stays, and the case says so, once. */
async function contradict(
  cases: Cases,
  { _id, notes }: CaseRecord,
  line: StoryLine,
  sealing: CaseSealing,
  session: Tx["session"],
): Promise<void> {
  if (notes.some(({ text }) => text === line.text)) return;
  await cases.updateOne(
    { _id },
    {
      $set: { state: "OPEN", updatedAt: line.at },
      $push: { notes: sealLine(sealing, _id, line) },
      $addToSet: { kinds: "CONTRADICTION" },
      $inc: { version: 1 },
      $min: { evidenceAt: line.at },
    },
    { session },
  );
}

async function upsert(cases: Cases, _id: string, record: object): Promise<void> {
  try {
    await cases.updateOne({ _id }, { $setOnInsert: record }, { upsert: true });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
}

const entryEvent = (entryId: string, postings: readonly Posting[], sequence: number, at: Date) => ({
  kind: "money" as const,
  moved: "suspense",
  entryId,
  postings,
  sequence,
  occurredAt: at,
  messages: ["money about an unknown reference"],
});

interface Stepping {
  before: Case;
  /** The case as it is stored, where the command settles some of its facts; null when another writer was first. */
  record: CaseRecord | null;
  step: CaseStep;
  sealing: CaseSealing;
}

function stepUpdate({ before, record, step, sealing }: Stepping, at: Date): UpdateQuery<CaseRecord> {
  const { commandId, hash, closes, kinds = [], owner, entries = [], paymentId } = step;
  const events = entries.map(({ id, postings }, index) => ({
    ...entryEvent(id, postings, before.eventCount + index + 1, at),
    moved: "correction",
    messages: [step.line.text],
  }));
  return {
    $set: {
      updatedAt: at,
      ...(record === null ? {} : { facts: settledFacts(record, step, sealing) }),
      ...(paymentId === undefined ? {} : sealedAnew(before, step.line, sealing, record?.notes)),
      ...(owner === undefined ? {} : { owner }),
      ...(closes ? { state: "CLOSED" as const, closedAt: at } : {}),
      ...(events.length === 0 ? {} : { eventCount: before.eventCount + events.length, lastEventAt: at }),
    },
    $push: {
      // Facts that were sealed under no person's key are resealed for the persons of the payment that receives them.
      ...(paymentId === undefined ? { notes: sealLine(sealing, before.id, step.line) } : {}),
      commands: { id: commandId, hash },
      ...(events.length === 0 ? {} : { events: { $each: events } }),
    },
    $addToSet: { kinds: { $each: [...kinds] }, ...(paymentId === undefined ? {} : { paymentIds: paymentId }) },
    ...minimum({
      relayDue: events.length === 0 ? undefined : at,
      evidenceAt: step.line.evidence === undefined ? undefined : step.line.at,
    }),
    $inc: { version: 1 },
  };
}

/** Returns the keys that seal a command's evidence. */
async function sealingOf(
  { tenant, persons, role }: Case,
  { of }: CaseStep,
  keys: Pick<DataKeys, "of">,
  evidence: EvidenceKeys,
): Promise<CaseSealing> {
  // Reports under an unknown reference all come from one provider, and so concern one leg.
  if (of !== undefined) {
    const key = (await evidence.of(of))[role ?? "pull"];
    return key.persons === undefined && of.tenant !== tenant ? { ...key, sealedOf: of.tenant } : key;
  }
  if (persons !== undefined) return evidence.again(persons);
  return { persons: undefined, sealer: await keys.of(tenant === "" ? platformTenant : tenant) };
}

type OpenerOf = (sealed: Pick<FactOfCase, "persons" | "sealedOf">) => CaseOpening;

/** Opens what is sealed in a case; what an erased person left cannot be opened. */
async function openersOf(
  { tenant, notes, facts = [] }: CaseRecord,
  keys: Pick<DataKeys, "of">,
  evidence: EvidenceKeys,
): Promise<OpenerOf> {
  const all = [...notes, ...facts];
  const tenants = new Map<string, CaseOpening>();
  for (const name of new Set([tenant, ...all.flatMap(({ sealedOf }) => sealedOf ?? [])])) {
    tenants.set(name, await keys.of(name));
  }
  const lists = all.flatMap(({ persons }) => (persons === undefined ? [] : [persons]));
  const byName = new Map(lists.map((persons) => [persons.join(" "), persons]));
  const openers = new Map<string, CaseOpening>();
  for (const [name, persons] of byName) openers.set(name, await evidence.opener(persons));
  return ({ persons, sealedOf = tenant }) =>
    persons === undefined ? tenants.get(sealedOf) : openers.get(persons.join(" "));
}

function toCase(record: CaseRecord, openerOf: OpenerOf): Case {
  const { _id: id, state, kinds, tenant, provider, paymentIds, owner, openedAt, updatedAt, closedAt, version } = record;
  const facts = (record.facts ?? []).flatMap((sealed) => {
    const fact = openCaseFact(openerOf(sealed), id, sealed);
    return fact === undefined ? [] : [{ fact, isSettled: sealed.settledBy !== undefined }];
  });
  return {
    id,
    state,
    kinds: kinds ?? [],
    key: record.key,
    persons: record.persons,
    tenant: tenant === platformTenant ? "" : tenant,
    provider,
    paymentIds,
    amounts: record.amounts ?? [],
    differences: record.differences ?? [],
    owner,
    openedAt,
    updatedAt,
    closedAt,
    notes: record.notes.map((line) => openLine(openerOf(line), id, line)),
    commands: record.commands ?? [],
    facts: facts.flatMap(({ fact, isSettled }) => (isSettled ? [] : [fact])),
    role: facts[0]?.fact.role,
    eventCount: record.eventCount ?? 0,
    version,
  };
}
