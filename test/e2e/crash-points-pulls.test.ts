import type { Platform } from "../../local/platform";
import { type OutsideWorld, outsideWorld, type WorldEntry } from "../support/outside-world";
import { bankSource, cardPullBody, cardSource, pullPushBody } from "../support/payment-bodies";
import { connectClient, insist, type PlatformClient, statesOf, until } from "../support/platform-client";
import { startTestPlatform } from "../support/test-platform";

type Books = Record<string, WorldEntry[]>;
type Kind = "PULL" | "PULLPUSH from a card" | "PULLPUSH from a bank account";

const start = ["Created", "PaymentProcessing", "PaymentAuthorized"];
const accepted = [...start, "ProcessingPayout", "PayoutAccepted", "ReviewApproved", "PaymentCaptured"];
const paid = ["WaitingPayout", "Paid", "Completed"];

/** How each kind ends, by its states and by the books of the world. */
const kinds: Record<Kind, { body(): Record<string, unknown>; states: string[]; books: string[] }> = {
  PULL: {
    body: () => cardPullBody("1"),
    states: [...start, "PaymentCaptured", "Completed"],
    books: ["authorizations"],
  },
  "PULLPUSH from a card": {
    body: () => pullPushBody(cardSource("1")),
    states: [...accepted, ...paid],
    books: ["authorizations", "instructions"],
  },
  "PULLPUSH from a bank account": {
    body: () => pullPushBody(bankSource()),
    states: [...accepted, "WaitingSettlement", "PaymentSettled", ...paid],
    books: ["debits", "instructions"],
  },
};

/** What each book holds of a payment that was carried out once. */
const once: Record<string, object> = {
  authorizations: { status: "CAPTURED", captures: [{ amount: "100" }], refunds: [] },
  instructions: { status: "PAID", releases: 1 },
  debits: { status: "SETTLED", refunds: [] },
};

interface Point {
  provider: string;
  operation: string;
  book: string;
  /** Whether the world has done it; its answer is held back meanwhile. */
  isDone(entry: WorldEntry): boolean;
}

const lengthOf = (list: unknown): number => (Array.isArray(list) ? list.length : 0);
const authorising: Point = { provider: "acquirer", operation: "authorize", book: "authorizations", isDone: () => true };
const capturing: Point = {
  provider: "acquirer",
  operation: "capture",
  book: "authorizations",
  isDone: ({ captures }) => lengthOf(captures) > 0,
};
const debiting: Point = { provider: "debits", operation: "debit", book: "debits", isDone: () => true };
const preparing: Point = {
  provider: "pix",
  operation: "prepare",
  book: "instructions",
  isDone: ({ prepareCalls }) => Number(prepareCalls) > 0,
};
const releasing: Point = {
  provider: "pix",
  operation: "release",
  book: "instructions",
  isDone: ({ releaseCalls }) => Number(releaseCalls) > 0,
};
const points: [Kind, Point][] = [
  ["PULL", authorising],
  ["PULL", capturing],
  ["PULLPUSH from a card", authorising],
  ["PULLPUSH from a card", preparing],
  ["PULLPUSH from a card", capturing],
  ["PULLPUSH from a card", releasing],
  ["PULLPUSH from a bank account", debiting],
  ["PULLPUSH from a bank account", releasing],
];
const cases = ["payment", "identity", "wallet", "sandbox", "store"].flatMap((name) =>
  points.map(([kind, point]) => [name, `${point.provider} ${point.operation}`, kind, point] as const),
);
const sink = "crashes";

describe("a payment that collects, whose platform is killed", () => {
  let platform: Platform;
  let client: PlatformClient;
  let world: OutsideWorld;

  beforeAll(async () => {
    platform = await startTestPlatform();
    client = connectClient(platform);
    world = outsideWorld(platform);
    await client.subscribe(sink);
  });

  afterEach(() => client.clearFaults());

  afterAll(async () => {
    await client.close();
    await platform.stop();
  });

  it.each(cases)(
    "%s at %s of a %s: each leg once, the final record and every state in order",
    async (name, _operation, kind, { provider, operation, book, isDone }) => {
      const { body: bodyOf, states, books } = kinds[kind];
      const body = bodyOf();
      const id = String(body["externalPaymentId"]);
      const known = await world.book();
      const after = (await client.sink(sink)).at(-1)?.sequence ?? 0;
      const newIn = (all: Books, shelf: string): WorldEntry[] =>
        (all[shelf] ?? []).filter(({ reference }) => !(known[shelf] ?? []).some((old) => old.reference === reference));

      await client.fault({ rail: provider, operation, latencyMs: 400, times: 1 });
      const sending = insist(() => client.pay(JSON.stringify(body)));
      const reached = await until(
        () => world.book(),
        (all) => newIn(all, book).some(isDone),
      );
      await platform.process(name).end("SIGKILL");
      await platform.process(name).start();
      const answer = await sending;
      const record = await until(
        () => insist(() => client.payment(id)),
        ({ body: found }) => found["status"] === "CAPTURED",
      );
      const items = await until(
        () => client.sink(sink, after),
        (found) => statesOf(found, id).length >= states.length,
      );
      const final = await world.book();

      expect(newIn(reached, book).some(isDone)).toBe(true);
      expect(answer).toMatchObject({ status: 200, body: { externalPaymentId: id } });
      expect(record.body).toMatchObject({ status: "CAPTURED", capturedAmount: 100, refundedAmount: 0 });
      expect(statesOf(items, id)).toEqual(states);
      for (const shelf of ["authorizations", "instructions", "debits"]) {
        const expected = books.includes(shelf) ? [{ reference: answer.body["paymentId"], ...once[shelf] }] : [];
        expect(newIn(final, shelf)).toMatchObject(expected);
        expect(newIn(final, shelf)).toHaveLength(expected.length);
      }
    },
    240_000,
  );
});
