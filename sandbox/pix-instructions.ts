import { createHash } from "node:crypto";
import type { Clock } from "../services/shared/clock";
import type { Ids } from "../services/shared/ids";
import type { Answer } from "./answer";
import type { Book, Callback, Instruction } from "./book";
import type { Database } from "./database";
import { type Refusal, scenarioOf } from "./values";

/** One payout order as the rail takes it. The amount is decimal text. */
export interface PixOrder {
  reference: string;
  amount: string;
  currency: string;
  key: string;
  keyType: string;
  recipientName: string;
  recipientDocument: string;
  narrative: string;
}

interface PixDeps {
  database: Database;
  book: Book;
  clock: Clock;
  ids: Ids;
}

/** The rules of the PIX rail. Each call is on disk before it answers. */
export interface PixInstructions {
  /** Accepts an order without paying. One reference is one order for ever; `refusal` makes the rail refuse a new one. */
  prepare(order: PixOrder, refusal: Refusal | undefined): Promise<Answer>;
  /** Pays, once per reference. The only call that cannot be taken back. */
  release(reference: string): Promise<Answer>;
  query(reference: string): Answer;
  /** Makes sure that the reference is never paid, also when its order has not come yet. */
  cancel(reference: string): Promise<Answer>;
  /** Marks a released order as paid and books its callback with it; nothing if that was done before. */
  settle(reference: string): Promise<Callback | undefined>;
}

const alphanumerics = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const payingBank = "99999004";
const cancelledFirst: Refusal = { reasonCode: "CUST", reason: "cancelled by reference" };

export function makePixInstructions(deps: PixDeps): PixInstructions {
  const { database, book, clock, ids } = deps;
  const now = (): string => clock.now().toISOString();

  return {
    prepare: (order, refusal) =>
      database.write(() => prepare(deps, order, refusal ?? scenarioOf(order.narrative).refusal)),
    release: (reference) =>
      database.write(() => {
        const found = book.find(reference);
        if (found === undefined) return notFound;
        const called = { ...found, releaseCalls: found.releaseCalls + 1 };
        const next = found.status === "PREPARED" ? released(called, now(), ids) : called;
        book.save(next);
        return next.releases > 0 ? { status: 202, body: brief(next) } : conflict("not_releasable", next);
      }),
    query(reference) {
      const found = book.find(reference);
      return found === undefined ? notFound : { status: 200, body: describe(found) };
    },
    cancel: (reference) =>
      database.write(() => {
        const found = book.find(reference) ?? untouched(deps, reference);
        if (found.releases > 0) return conflict("already_released", found);
        // A refused order stays refused; to the caller both mean that nothing will be paid.
        const next: Instruction = found.status === "REFUSED" ? found : { ...found, status: "CANCELLED" };
        book.save(next);
        return { status: 200, body: { ...describe(next), status: "CANCELLED" } };
      }),
    settle: (reference) =>
      database.write(() => {
        const found = book.find(reference);
        if (found?.status !== "RELEASED") return undefined;
        const paid: Instruction = { ...found, status: "PAID", paidAt: now() };
        const callback = callbackOf(paid, ids.uuid(), now());
        book.save(paid);
        book.saveCallback(callback);
        return callback;
      }),
  };
}

function prepare(deps: PixDeps, order: PixOrder, refusal: Refusal | undefined): Answer {
  const { book } = deps;
  const contentHash = hashOf(order);
  const found = book.find(order.reference);
  if (found !== undefined) {
    book.save({ ...found, prepareCalls: found.prepareCalls + 1 });
    if (found.status === "CANCELLED") return refused(order.reference, cancelledFirst);
    if (found.contentHash !== contentHash) return { status: 409, body: { error: "reference_conflict" } };
    return found.status === "REFUSED" ? refused(order.reference, found) : { status: 200, body: prepared(found) };
  }
  const instruction: Instruction = {
    ...untouched(deps, order.reference),
    status: refusal === undefined ? "PREPARED" : "REFUSED",
    contentHash,
    amount: order.amount,
    currency: order.currency,
    key: order.key,
    reasonCode: refusal?.reasonCode ?? null,
    reason: refusal?.reason ?? null,
    prepareCalls: 1,
  };
  book.save(instruction);
  return refusal === undefined
    ? { status: 201, body: prepared(instruction) }
    : refused(instruction.reference, instruction);
}

const untouched = ({ clock, ids }: PixDeps, reference: string): Instruction => ({
  reference,
  railId: `PIX-${ids.uuid()}`,
  rail: "pix",
  status: "CANCELLED",
  contentHash: null,
  amount: null,
  currency: null,
  key: null,
  endToEndId: null,
  reasonCode: null,
  reason: null,
  prepareCalls: 0,
  releaseCalls: 0,
  releases: 0,
  createdAt: clock.now().toISOString(),
  releasedAt: null,
  paidAt: null,
});

const released = (prepared: Instruction, releasedAt: string, ids: Ids): Instruction => ({
  ...prepared,
  status: "RELEASED",
  releases: prepared.releases + 1,
  releasedAt,
  endToEndId: endToEndId(releasedAt, ids),
});

const notFound: Answer = { status: 404, body: { error: "not_found" } };

const conflict = (error: string, { reference, railId, status }: Instruction): Answer => ({
  status: 409,
  body: { error, reference, railId, status },
});

const refused = (reference: string, { reasonCode, reason }: Pick<Instruction, "reasonCode" | "reason">): Answer => ({
  status: 422,
  body: { reference, status: "REFUSED", reasonCode, reason },
});

const brief = ({ reference, railId, status }: Instruction): object => ({ reference, railId, status });
/** The first answer of a prepare, also when the instruction has moved on: the same call has the same answer. */
const prepared = ({ reference, railId }: Instruction): object => ({ reference, railId, status: "PREPARED" });

function describe(instruction: Instruction): object {
  const { endToEndId, reasonCode, reason, releasedAt, paidAt } = instruction;
  const known = Object.entries({ endToEndId, reasonCode, reason, releasedAt, paidAt }).filter(([, value]) => value);
  return { ...brief(instruction), ...Object.fromEntries(known) };
}

function callbackOf(instruction: Instruction, eventId: string, occurredAt: string): Callback {
  const { reference, railId, status, endToEndId } = instruction;
  const body = JSON.stringify({ eventId, reference, railId, status, endToEndId, occurredAt });
  return { eventId, reference, status, body, attempts: 0, deliveredAt: null };
}

/** Orders are equal when each field is. */
function hashOf(order: PixOrder): string {
  const { reference, amount, currency, key, keyType, recipientName, recipientDocument, narrative } = order;
  const fields = [reference, amount, currency, key, keyType, recipientName, recipientDocument, narrative];
  return createHash("sha256").update(JSON.stringify(fields)).digest("base64url");
}

/** The EndToEndId of PIX: E, the 8 digits of the paying bank, UTC `yyyyMMddHHmm` and 11 alphanumerics. */
function endToEndId(at: string, ids: Ids): string {
  const minute = at.replaceAll(/\D/g, "").slice(0, 12);
  const tail = [...ids.bytes(11)].map((byte) => alphanumerics.charAt(byte % alphanumerics.length)).join("");
  return `E${payingBank}${minute}${tail}`;
}
