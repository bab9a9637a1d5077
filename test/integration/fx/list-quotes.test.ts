import { randomUUID } from "node:crypto";
import type { ListQuotesRequest } from "../../../proto/gen/corridor/fx/v1/fx_service";
import { listQuotesHandler } from "../../../services/fx/handlers/list-quotes";
import { makeQuoteListStore } from "../../../services/fx/store/quote-list-store";
import { makeQuoteStore, type QuoteStore } from "../../../services/fx/store/quote-store";
import { noTracing } from "../../../services/shared/process/tracing";
import { type Mongo, openMongo } from "../../../services/shared/storage/mongo";
import { startTestStore, type TestStore } from "../../support/testbed";

// The store removes quotes of long ago.
const madeAt = new Date(Date.now() - 60_000);
const rate = { mantissa: 52n, scale: 1 };

describe("lists of quotes", () => {
  let store: TestStore;
  let mongo: Mongo;
  let quotes: QuoteStore;
  let list: ReturnType<typeof listQuotesHandler>;
  const made: { id: string; to: string; createdAt: Date }[] = [];

  const add = async (tenant: string, to: string, seconds: number): Promise<string> => {
    const id = randomUUID();
    const createdAt = new Date(madeAt.getTime() + seconds * 1_000);
    await quotes.add({
      id,
      tenant,
      agentId: undefined,
      sourceCurrency: "USD",
      destinationCurrency: to,
      paymentMethod: "BANK_ACCOUNT",
      destinationCountry: undefined,
      rate,
      midRate: rate,
      spreadBps: 0,
      rateDate: "2026-03-01",
      rateSource: "test",
      rateReadAt: madeAt,
      rateSnapshot: undefined,
      legs: [],
      createdAt,
      expiresAt: new Date(createdAt.getTime() + 900_000),
    });
    if (tenant === "demo") made.push({ id, to, createdAt });
    return id;
  };

  beforeAll(async () => {
    store = await startTestStore();
    const database = store.database("quotes");
    mongo = await openMongo({ uri: store.mongoUri, database, profile: "local", tracing: noTracing });
    quotes = makeQuoteStore(mongo.connection);
    const lists = makeQuoteListStore(mongo.connection);
    await quotes.init();
    await lists.init();
    list = listQuotesHandler(lists, { now: () => new Date(madeAt.getTime() + 903_000) });
    for (let at = 0; at < 30; at += 1) await add("demo", at % 10 === 0 ? "MXN" : "BRL", Math.floor(at / 3));
    await add("other", "BRL", 1);
  });
  afterAll(async () => {
    await mongo.stop();
    await store.stop();
  });

  const page = (changes: Partial<ListQuotesRequest> = {}) =>
    list({
      tenant: "demo",
      sourceCurrency: undefined,
      destinationCurrency: undefined,
      after: undefined,
      limit: 4,
      ...changes,
    });
  const walk = async (changes: Partial<ListQuotesRequest> = {}, between = async (): Promise<unknown> => undefined) => {
    const shown: string[] = [];
    for (let after: string | undefined; ; ) {
      const answer = await page({ ...changes, after });
      shown.push(...answer.quotes.map(({ quoteId }) => quoteId));
      if (answer.next === undefined) return shown;
      after = answer.next;
      await between();
    }
  };
  const newestFirst = (to?: string): string[] =>
    made
      .filter((quote) => (to ?? quote.to) === quote.to)
      .toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime() || (one.id < other.id ? 1 : -1))
      .map(({ id }) => id);

  it.each([1, 4, 200])("show each of the tenant once, the newest first, by pages of %i", async (limit) => {
    expect(await walk({ limit })).toEqual(newestFirst());
    expect(await walk({ limit, destinationCurrency: "MXN" })).toEqual(newestFirst("MXN"));
    expect(await walk({ limit, destinationCurrency: "MXN", sourceCurrency: "EUR" })).toEqual([]);
    expect(await walk({ limit, tenant: "other" })).toHaveLength(1);
  });

  it("say which are expired", async () => {
    const { quotes: shown } = await page({ limit: 200 });

    expect(new Set(shown.filter(({ isExpired }) => isExpired).map(({ createdAt }) => createdAt?.getTime()))).toEqual(
      new Set([0, 1, 2, 3].map((seconds) => madeAt.getTime() + seconds * 1_000)),
    );
    expect(shown[0]).toMatchObject({ sourceCurrency: "USD", paymentMethod: "BANK_ACCOUNT", rate });
  });

  it("neither skip nor repeat while quotes are made", async () => {
    const before = newestFirst();
    const shown = await walk({}, () => add("demo", "BRL", made.length % 20));

    expect(new Set(shown).size).toBe(shown.length);
    expect(before.filter((id) => !shown.includes(id))).toEqual([]);
  });

  it("go on by a cursor of the same list alone", async () => {
    const { next } = await page({ limit: 1 });
    const refused = { reason: "INVALID_ARGUMENT", violations: [{ field: "after" }] };

    await expect(page({ after: next, tenant: "other" })).rejects.toMatchObject(refused);
    await expect(page({ after: next, destinationCurrency: "BRL" })).rejects.toMatchObject(refused);
  });
});
