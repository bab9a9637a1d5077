import { type LimitedPosition, requireRoom } from "../../../services/fx/domain/exposure";
import { type ExposureLimitStore, makeExposureLimitStore } from "../../../services/fx/store/exposure-limit-store";
import { noTracing } from "../../../services/shared/process/tracing";
import { type Mongo, openMongo } from "../../../services/shared/storage/mongo";
import { startTestStore, type TestStore } from "../../support/testbed";

const at = new Date("2026-11-28T12:00:00Z");
const limit = { limitMinor: 100n, author: "ada", note: "", setAt: at };

describe("the room that limits of exposure leave", () => {
  let store: TestStore;
  let replicas: readonly Mongo[];
  let limits: readonly ExposureLimitStore[];

  beforeAll(async () => {
    store = await startTestStore();
    const open = () =>
      openMongo({ uri: store.mongoUri, database: store.database("fx"), profile: "local", tracing: noTracing });
    replicas = [await open(), await open()];
    limits = replicas.map(({ connection, transact }) => makeExposureLimitStore(connection, transact));
    await limits[0]?.init();
  }, 60_000);
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.stop()));
    await store.stop();
  });

  const of = (replica: number): ExposureLimitStore => {
    const one = limits[replica % limits.length];
    if (one === undefined) throw new Error("no replica");
    return one;
  };
  const judgeBy = (moves: readonly { currency: string; minor: bigint }[]) => (limited: readonly LimitedPosition[]) =>
    requireRoom(limited, moves, at, 60_000);
  /** Takes room; the result is `taken`, or why not. */
  const take = async (replica: number, paymentId: string, moves: readonly { currency: string; minor: bigint }[]) =>
    of(replica)
      .take({ paymentId, moves, at }, judgeBy(moves))
      .then(
        () => "taken",
        ({ message }: Error) => message,
      );
  const roomOf = async (currency: string) => {
    const room = (await of(0).taken()).find((one) => one.limit.currency === currency);
    if (room === undefined) throw new Error(`${currency} has no limit`);
    return room;
  };
  const open = async (currency: string): Promise<void> => {
    await of(0).set({ currency, ...limit });
    await of(0).saveReading(await roomOf(currency), { at, netMinor: 0n }, []);
  };

  it("is taken by as many payments as it is for, however many replicas take it at once", async () => {
    await open("BRL");
    const moves = [{ currency: "BRL", minor: -30n }];

    const told = await Promise.all(Array.from({ length: 8 }, (_, each) => take(each, `p${each}`, moves)));

    expect(told.filter((one) => one === "taken")).toHaveLength(3);
    expect(await roomOf("BRL")).toMatchObject({ limit: { takenMinor: -90n }, taken: { length: 3 } });
  });

  it("is taken once by a payment, and by none that would pass one of its limits", async () => {
    await open("EUR");
    await open("JPY");
    const moves = [
      { currency: "EUR", minor: 60n },
      { currency: "JPY", minor: -60n },
      { currency: "USD", minor: 1n },
    ];
    const wide = [{ currency: "EUR", minor: 20n }, ...moves.slice(1)];

    const twice = await Promise.all([take(0, "once", moves), take(1, "once", moves)]);
    expect(twice.filter((one) => one === "taken").length).toBeGreaterThanOrEqual(1);
    expect(await take(0, "once", moves)).toBe("taken");
    expect(await take(1, "next", wide)).toContain("JPY would be exceeded");
    expect(await roomOf("EUR")).toMatchObject({ limit: { takenMinor: 60n }, taken: [{ paymentId: "once" }] });
    expect(await roomOf("JPY")).toMatchObject({ limit: { takenMinor: -60n } });
  });

  it("is free again of what a reading has, and of no reading that began before another was stored", async () => {
    await open("CHF");
    await take(0, "stored", [{ currency: "CHF", minor: 40n }]);
    const [earlier, later] = [await roomOf("CHF"), await roomOf("CHF")];

    await of(1).saveReading(later, { at, netMinor: 40n }, ["stored"]);
    await of(0).saveReading(earlier, { at, netMinor: 0n }, ["stored"]);

    expect(await roomOf("CHF")).toMatchObject({
      limit: { reading: { at, netMinor: 40n }, takenMinor: 0n },
      taken: [],
    });
  });

  it("ends with its limit", async () => {
    await open("GBP");
    await take(0, "p", [{ currency: "GBP", minor: 40n }]);
    await of(1).remove("GBP");

    expect(await of(0).of(["GBP"])).toEqual([]);
    expect(await take(0, "q", [{ currency: "GBP", minor: 1_000n }])).toBe("taken");
    await open("GBP");
    expect(await roomOf("GBP")).toMatchObject({ limit: { takenMinor: 0n }, taken: [] });
  });
});
