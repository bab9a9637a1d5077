import type { EndedConversion } from "../store/open-conversion-store";
import { makeForgetBookedConversions } from "./forget-booked-conversions";

const ended = (paymentId: string, ...entryIds: string[]): EndedConversion => ({ paymentId, eventCount: 1, entryIds });

describe("forgetBookedConversions", () => {
  it("lets those be counted by the ledger alone of which it has had everything for half a minute", async () => {
    const all = [ended("booked", "a", "b"), ended("half booked", "a", "c"), ended("never converted")];
    const forgotten: string[] = [];
    const instants: Date[] = [];
    const forget = makeForgetBookedConversions({
      conversions: {
        ended(before) {
          instants.push(before);
          return Promise.resolve(all);
        },
        forget(found) {
          forgotten.push(...found.map(({ paymentId }) => paymentId));
          return Promise.resolve();
        },
      },
      bookings: {
        posted(_entryIds, asOf) {
          instants.push(asOf);
          return Promise.resolve(new Set(["a", "b"]));
        },
      },
      clock: { now: () => new Date("2026-11-28T12:00:30Z") },
    });

    expect(await forget()).toBe(2);
    expect(forgotten).toEqual(["booked", "never converted"]);
    expect(instants).toEqual([new Date("2026-11-28T12:00:00Z"), new Date("2026-11-28T12:00:00Z")]);
  });
});
