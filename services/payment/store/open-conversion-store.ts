import { type Connection, Schema } from "mongoose";
import { beginningOfTime } from "../../shared/kernel/clock";
import { type Money, money } from "../../shared/kernel/money";
import { date, strictDocument, text } from "../../shared/storage/stored-fields";
import { type ConversionEntry, conversionEntries, notConverted } from "../domain/open-conversion";
import { paymentCollection } from "./payment-store";

/** What the ledger does not have, or may not have yet, of conversions. */
export interface OpenConversions {
  /** By currency, what payments that have not been paid out will leave with the platform. */
  sums: ReadonlyMap<string, bigint>;
  /** What the others have moved. */
  entries: ConversionEntry[];
}

/** A payment that was converted, or will not be, with the entries that the ledger is to post for it. */
export interface EndedConversion {
  paymentId: string;
  eventCount: number;
  endedAt: Date;
  entryIds: string[];
}

/** What a payment that converts money was accepted with, and what it has moved. */
export interface AcceptedConversion {
  paymentId: string;
  tenant: string;
  quoteId: string | undefined;
  amount: Money;
  payoutAmount: Money;
  marginMinor: bigint;
  entries: ConversionEntry[];
}

export interface OpenConversionStore {
  init(): Promise<void>;
  /** Reads the conversions of all payments that the ledger may lack, each payment once. */
  open(): Promise<OpenConversions>;
  /** Returns those of these ids that are of stored payments. */
  stored(paymentIds: readonly string[]): Promise<string[]>;
  /** Returns those of these payments that convert money. */
  accepted(paymentIds: readonly string[]): Promise<AcceptedConversion[]>;
  /** Returns counted conversions that ended before a time, the earliest first. */
  ended(before: Date, limit: number): Promise<EndedConversion[]>;
  /** Counts conversions no longer that ended by a time. It writes once for all of them; an earlier time than before changes nothing. */
  forgetUntil(endedBy: Date): Promise<void>;
  /** Marks conversions as if they had ended at this time, unless their payments have changed since they were read. */
  postpone(ended: readonly EndedConversion[], at: Date): Promise<void>;
}

const amounts = { amountMinor: 1, currency: 1, marginMinor: 1, payoutMinor: 1, payoutCurrency: 1 } as const;
const moves = {
  eventCount: 1,
  conversionAt: 1,
  "events.kind": 1,
  "events.moved": 1,
  "events.postings": 1,
  "events.entryId": 1,
  "events.sequence": 1,
} as const;

/** The end of the last conversion that is no longer counted. */
interface BookedRecord {
  _id: "booked";
  endedBy: Date;
}

const bookedSchema = new Schema<BookedRecord>({ _id: text, endedBy: date }, strictDocument);

/** Reads the payments whose mark says that the ledger may lack something of their conversion. */
export function makeOpenConversionStore(connection: Connection): OpenConversionStore {
  const payments = paymentCollection(connection);
  const waiting = () => payments.find({ conversionAt: notConverted }, { projection: amounts });
  const booked = connection.model("BookedConversions", bookedSchema, "booked_conversions");
  const ended = async (before: Date) => {
    const { endedBy } = (await booked.findById("booked").lean<BookedRecord>()) ?? { endedBy: beginningOfTime };
    return payments
      .find({ conversionAt: { $gt: endedBy, $lt: before } }, { projection: moves })
      .sort({ conversionAt: 1 });
  };
  return {
    async init() {
      await booked.createCollection();
    },
    async open() {
      const toConvert = new Map<string, readonly [string, bigint][]>();
      for await (const { _id, currency, amountMinor, marginMinor, payoutCurrency, payoutMinor } of waiting()) {
        if (payoutCurrency === undefined || payoutMinor === undefined) continue;
        toConvert.set(_id, [
          [currency, amountMinor - (marginMinor ?? 0n)],
          [payoutCurrency, -payoutMinor],
        ]);
      }
      const entries: ConversionEntry[] = [];
      // A payment that was converted between the two reads is in both, and counts as what it is now.
      for await (const { _id, events } of await ended(notConverted)) {
        toConvert.delete(_id);
        entries.push(...conversionEntries(_id, events));
      }
      // Summed here, because the store would turn a sum beyond int64 into a float.
      const sums = new Map<string, bigint>();
      for (const [currency, minor] of [...toConvert.values()].flat()) {
        sums.set(currency, (sums.get(currency) ?? 0n) + minor);
      }
      return { sums, entries };
    },
    async stored(paymentIds) {
      if (paymentIds.length === 0) return [];
      const found = payments.find({ _id: { $in: [...paymentIds] } }, { projection: { _id: 1 } });
      return (await found.toArray()).map(({ _id }) => _id);
    },
    async accepted(paymentIds) {
      const projection = { ...amounts, ...moves, tenant: 1, quoteId: 1 } as const;
      const found = payments.find({ _id: { $in: [...paymentIds] } }, { projection });
      return (await found.toArray()).flatMap(({ _id: paymentId, tenant, quoteId, events, ...payment }) => {
        const { amountMinor, currency, payoutMinor, payoutCurrency, marginMinor = 0n } = payment;
        if (payoutMinor === undefined || payoutCurrency === undefined || payoutCurrency === currency) return [];
        const [amount, payoutAmount] = [money(amountMinor, currency), money(payoutMinor, payoutCurrency)];
        const entries = conversionEntries(paymentId, events);
        return [{ paymentId, tenant, quoteId, amount, payoutAmount, marginMinor, entries }];
      });
    },
    async ended(before, limit) {
      const found = await (await ended(before)).limit(limit).toArray();
      return found.map(({ _id: paymentId, eventCount, conversionAt: endedAt = before, events }) => ({
        paymentId,
        eventCount,
        endedAt,
        entryIds: conversionEntries(paymentId, events).map(({ entryId }) => entryId),
      }));
    },
    async forgetUntil(endedBy) {
      await booked.updateOne({ _id: "booked" }, { $max: { endedBy } }, { upsert: true });
    },
    async postpone(late, at) {
      const updates = late.map(({ paymentId, eventCount }) => ({
        updateOne: { filter: { _id: paymentId, eventCount }, update: { $set: { conversionAt: at } } },
      }));
      if (updates.length > 0) await payments.bulkWrite(updates, { ordered: false });
    },
  };
}
