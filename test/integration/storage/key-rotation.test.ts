import { keyIdOf, makeSealer } from "../../../services/shared/crypto/sealing";
import { systemIds } from "../../../services/shared/kernel/ids";
import { makeLogger } from "../../../services/shared/process/logger";
import { noTracing } from "../../../services/shared/process/tracing";
import { makeKeyRenewals } from "../../../services/shared/storage/key-renewals";
import { type KeyRotation, startKeyRotation } from "../../../services/shared/storage/key-rotation";
import { type KeyUse, renewBatch, sealedField } from "../../../services/shared/storage/key-use";
import { driverDb, type Mongo, openMongo } from "../../../services/shared/storage/mongo";
import { startTestStore, type TestStore } from "../../support/testbed";
import { eventually } from "../bus/bus-testbed";

const [first, second, stranger] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2), Buffer.alloc(32, 9)] as const;
const count = 250;
const logger = makeLogger("test", "error");

interface Thing {
  _id: string;
  sealed: string;
  inner: { sealed: string };
  other: number;
}

describe("the duty for keys", () => {
  let store: TestStore;
  let mongo: Mongo;
  let running: KeyRotation[];
  let runs = 0;
  beforeAll(async () => {
    store = await startTestStore();
  });
  afterAll(() => store.stop());
  beforeEach(async () => {
    runs += 1;
    const database = store.database(`keys-${runs}`);
    mongo = await openMongo({ uri: store.mongoUri, database, profile: "local", tracing: noTracing });
    running = [];
  });
  afterEach(async () => {
    for (const duty of running) await duty.stop();
    await mongo.stop();
  });

  const things = () => mongo.connection.collection<Thing>("things");
  const leases = () => mongo.connection.collection<{ _id: string; holder: string; expiresAt: Date }>("leases");
  const useOf = (keys: readonly Buffer[]): KeyUse => {
    const sealer = makeSealer(keys, systemIds);
    const field = (path: string) => sealedField(path, sealer, ({ _id }) => `${_id}|${path}`);
    return { ring: "THE_RING", collection: "things", fields: [field("sealed"), field("inner.sealed")] };
  };
  const start = async (...keys: [Buffer, ...Buffer[]]): Promise<KeyRotation> => {
    const rings = { THE_RING: keys };
    const duty = await startKeyRotation({ connection: mongo.connection, rings, uses: [useOf(keys)], logger });
    const stop = duty.stop;
    let stopped: Promise<void> | undefined;
    const once = { ...duty, stop: () => (stopped ??= stop()) };
    running.push(once);
    return once;
  };
  const fill = async (key: Buffer): Promise<void> => {
    const sealer = makeSealer(key, systemIds);
    const records = Array.from({ length: count }, (_unused, index): Thing => {
      const _id = `thing-${String(index).padStart(4, "0")}`;
      const inner = { sealed: sealer.seal(`in ${index}`, `${_id}|inner.sealed`) };
      return { _id, sealed: sealer.seal(`out ${index}`, `${_id}|sealed`), inner, other: 0 };
    });
    await things().insertMany(records);
  };
  const all = () => things().find({}).sort({ _id: 1 }).toArray();
  const isDone = async (duty: KeyRotation, id?: string): Promise<boolean> => {
    const latest = await duty.latest();
    return latest?.doneAt !== undefined && (id === undefined || latest.id === id);
  };

  it("puts everything under the newest key at two replicas, each record once, while others write", async () => {
    await fill(first);
    const [one, other] = [await start(second, first), await start(second, first)];

    let turns = 0;
    while (!(await isDone(one))) {
      await things().updateOne({ _id: `thing-${String(turns % count).padStart(4, "0")}` }, { $inc: { other: 1 } });
      turns += 1;
    }

    expect((await other.latest())?.tallies).toEqual([
      { ring: "THE_RING", collection: "things", seen: count, renewed: count, left: 0, unopened: 0, names: [] },
    ]);
    const newest = makeSealer(second, systemIds);
    const records = await all();
    expect(records.map(({ _id, sealed }) => newest.open(sealed, `${_id}|sealed`).toString())).toEqual(
      records.map((_record, index) => `out ${index}`),
    );
    expect(records.map(({ _id, inner }) => newest.open(inner.sealed, `${_id}|inner.sealed`).toString())).toEqual(
      records.map((_record, index) => `in ${index}`),
    );
    expect(records.reduce((sum, record) => sum + record.other, 0)).toBe(turns);
  });

  it("leaves as it is what somebody else has changed since it was read, and renews what he wrote", async () => {
    await fill(first);
    const newest = makeSealer(second, systemIds);
    const [destroyed, replaced] = ["thing-0003", "thing-0004"];
    const other = makeSealer(first, systemIds).seal("other", `${replaced}|sealed`);
    const db = driverDb(mongo.connection);
    const real = db.collection("things");
    let isOver = false;
    // Both are changed after they were read, and before the first of them is written.
    const updateOne: typeof real.updateOne = async (...given) => {
      if (!isOver) {
        isOver = true;
        await real.updateOne({ _id: destroyed as never }, { $set: { sealed: null, "inner.sealed": null } });
        await real.updateOne({ _id: replaced as never }, { $set: { sealed: other } });
      }
      return real.updateOne(...given);
    };
    const late = Object.assign(Object.create(db) as typeof db, {
      collection: () => Object.assign(Object.create(real) as typeof real, { updateOne }),
    });

    const { tally } = await renewBatch(late, useOf([second, first]), undefined, logger);

    expect(tally).toMatchObject({ seen: 99, renewed: 99 });
    expect(await things().findOne({ _id: destroyed })).toMatchObject({ sealed: null, inner: { sealed: null } });
    const { sealed = "" } = (await things().findOne({ _id: replaced })) ?? {};
    expect(newest.open(sealed, `${replaced}|sealed`).toString()).toBe("other");
  });

  it("is moved on from one place once", async () => {
    const renewals = makeKeyRenewals(mongo.connection);
    await renewals.init();
    await renewals.ask("r", [], [useOf([first])]);
    const renewal = await renewals.find("r");
    if (renewal === undefined) throw new Error("a renewal vanished");
    const next = { place: { use: 0, after: "a" }, tallies: renewal.tallies, doneAt: undefined };

    expect(await renewals.advance(renewal, next)).toBe(true);
    expect(await renewals.advance(renewal, { ...next, place: { use: 0, after: "b" } })).toBe(false);
    expect((await renewals.find("r"))?.place).toEqual({ use: 0, after: "a" });
  });

  it("goes on where a replica stopped", async () => {
    await fill(first);
    const one = await start(second, first);
    await eventually(async () => ((await one.latest())?.tallies[0]?.seen ?? 0) > 0);
    await one.stop();
    const seen = (await one.latest())?.tallies[0]?.seen;
    const other = await start(second, first);
    await eventually(() => isDone(other));

    expect(seen).toBeGreaterThan(0);
    expect((await other.latest())?.tallies[0]).toMatchObject({ seen: count, renewed: count });
  });

  it("waits until every replica has the same keys in the same order, and then begins by itself", async () => {
    await fill(first);
    const old = await start(first, second);
    await eventually(() => isDone(old));
    const next = await start(second, first);

    await expect(next.renew("r-1")).rejects.toMatchObject({ reason: "RECORD_CONFLICT" });
    await expect(old.renew("r-1")).rejects.toMatchObject({ reason: "RECORD_CONFLICT" });
    expect((await next.holders()).map(({ rings }) => rings[0]?.keyIds)).toEqual(
      expect.arrayContaining([
        [keyIdOf(first), keyIdOf(second)],
        [keyIdOf(second), keyIdOf(first)],
      ]),
    );
    // The next has looked twice whether it is time.
    const holder = (await next.holders()).find(({ rings }) => rings[0]?.keyIds[0] === keyIdOf(second))?.holder;
    const looks = new Set<number>();
    await eventually(async () => {
      const lease = await leases().findOne({ _id: "key-renewal" });
      if (lease?.holder === holder) looks.add(lease?.expiresAt.getTime() ?? 0);
      return looks.size >= 3;
    });
    expect((await next.latest())?.id).toBe("first");
    expect((await all()).every(({ sealed }) => sealed.includes(keyIdOf(first)))).toBe(true);

    await old.stop();
    await eventually(async () => (await all()).every(({ sealed }) => sealed.includes(keyIdOf(second))));
    await eventually(() => isDone(next));
    expect((await next.latest())?.tallies[0]).toMatchObject({ renewed: count });
  });

  it("is asked for once for each id, and counts again with another", async () => {
    await fill(first);
    const duty = await start(second, first);
    await eventually(() => isDone(duty));
    const asked = await duty.renew("r-1");
    await eventually(() => isDone(duty, "r-1"));
    const again = await duty.renew("r-1");

    expect(asked.doneAt).toBeUndefined();
    expect(again.askedAt).toEqual(asked.askedAt);
    expect(again.tallies[0]).toMatchObject({ seen: count, renewed: 0, left: 0, unopened: 0 });
  });

  it("names what does not open, and leaves it as it is", async () => {
    await fill(first);
    const _id = "thing-0007";
    const sealed = makeSealer(stranger, systemIds).seal("x", `${_id}|sealed`);
    await things().updateOne({ _id }, { $set: { sealed } });
    const duty = await start(second, first);
    await eventually(() => isDone(duty));

    expect((await duty.latest())?.tallies[0]).toMatchObject({
      seen: count,
      renewed: count - 1,
      unopened: 1,
      names: [_id],
    });
    expect((await things().findOne({ _id }))?.sealed).toBe(sealed);
  });

  it("begins at no process that lacks the key that everything is under", async () => {
    const duty = await start(second, first);
    await eventually(() => isDone(duty));
    await duty.stop();

    await expect(start(first)).rejects.toThrow(`THE_RING lacks the key ${keyIdOf(second)}`);
    await expect(start(stranger, first)).rejects.toThrow("THE_RING lacks the key");
    await expect(start(second)).resolves.toBeDefined();
  });
});
