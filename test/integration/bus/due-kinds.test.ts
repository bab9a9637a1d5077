import { randomUUID } from "node:crypto";
import { shareDueNotes } from "../../../services/shared/bus/due-signals";
import { openBus } from "../../../services/shared/bus/jetstream";
import { plusMs } from "../../../services/shared/kernel/clock";
import { makeDueNotes } from "../../../services/shared/process/due-work";
import type { Running } from "../../../services/shared/process/lifecycle";
import { noTracing } from "../../../services/shared/process/tracing";
import { openMongo } from "../../../services/shared/storage/mongo";
import { startTestTestbed, type TestTestbed } from "../../support/testbed";
import { makeMovableClock } from "../webhook/webhook-world";
import { eventually as eventuallyWithin, silent } from "./bus-testbed";
import { type DueKind, dueKinds } from "./due-kinds";

/** What is not awaited by the clock of the machine comes within moments, also on a busy one. */
const eventually = (check: () => boolean | Promise<boolean>): Promise<void> => eventuallyWithin(check, 20_000);
const neverMs = 3_600_000;
/** Later than any test takes, so that nothing is due before its clock is moved. */
const dueInMs = 600_000;

describe("work that becomes due", () => {
  let testbed: TestTestbed;
  let database: string;
  let clock: ReturnType<typeof makeMovableClock>;
  const started: Running[] = [];
  const keep = <R extends Running>(one: R): R => {
    started.push(one);
    return one;
  };

  beforeAll(async () => {
    testbed = await startTestTestbed();
  });
  beforeEach(() => {
    database = testbed.database(randomUUID());
    clock = makeMovableClock();
  });
  afterEach(async () => {
    for (const one of started.splice(0).toReversed()) await one.stop();
  });
  afterAll(() => testbed.stop());

  /** A process on the store of the test: what it writes is announced to others, unless it is mute. It does nothing until `work`. */
  async function openReplica(kind: DueKind, { isMute = false } = {}) {
    const mongo = keep(await openMongo({ uri: testbed.mongoUri, database, profile: "local", tracing: noTracing }));
    const notes = makeDueNotes();
    let heard = 0;
    const refresh = (): void => {
      heard += 1;
      notes.refresh();
    };
    const store = await kind.open(mongo, notes);
    if (!isMute) {
      const bus = keep(await openBus({ url: testbed.natsUrl, name: "test", logger: silent }));
      await bus.client();
      keep(shareDueNotes(bus, kind.service, { work: { ...notes, refresh } }));
      // A new connection is a word by itself.
      await eventually(() => heard > 0);
    }
    return { store, notes, heard: () => heard };
  }
  type Opened = Awaited<ReturnType<typeof openReplica>>;

  /** Has a replica work. What it begins with it ends, unless it `fails`. It has looked once when this ends. */
  async function work({ store }: Opened, { lookMs = neverMs, fails = 0 } = {}) {
    const begun: string[] = [];
    let looks = 0;
    let failures = fails;
    const onBegin = (id: string): boolean => {
      begun.push(id);
      failures -= 1;
      return failures < 0;
    };
    const onLook = (): void => {
      looks += 1;
    };
    const worker = keep(store.start({ clock, lookMs, onLook, onBegin }));
    await eventually(() => looks > 0);
    return { begun, looks: () => looks, stop: () => worker.stop() };
  }
  type Worker = Awaited<ReturnType<typeof work>>;

  /** Stores a piece of work, and moves the clock to its time when `isReady`. */
  async function writeAndWait({ store }: Opened, isReady: () => boolean | Promise<boolean>): Promise<string> {
    const id = randomUUID();
    await store.write(id, plusMs(clock.now(), dueInMs));
    await eventually(isReady);
    return id;
  }
  const hasBegun = (worker: Worker, id: string, times = 1): Promise<void> =>
    eventually(() => worker.begun.filter((one) => one === id).length === times);

  describe.each(dueKinds)("$name", (kind) => {
    it("is done at its time by a replica that heard of it from one that died", async () => {
      const [author, other] = [await openReplica(kind), await openReplica(kind)];
      const worker = await work(other);
      const before = { heard: other.heard(), looks: worker.looks() };

      const id = await writeAndWait(author, () => other.heard() > before.heard && worker.looks() > before.looks);
      const looks = worker.looks();
      clock.advance(dueInMs - 100_000);
      expect([worker.begun, worker.looks()]).toEqual([[], looks]);
      clock.advance(100_000);

      await hasBegun(worker, id);
    });

    it("is done at its time by the process that wrote it", async () => {
      const author = await openReplica(kind, { isMute: true });
      const worker = await work(author);
      const id = await writeAndWait(author, () => true);

      clock.advance(dueInMs);

      await hasBegun(worker, id);
    });

    it("is done by a process that starts behind the death of the one that wrote it", async () => {
      const id = await writeAndWait(await openReplica(kind, { isMute: true }), () => true);

      const worker = await work(await openReplica(kind));
      expect(worker.begun).toEqual([]);
      clock.advance(dueInMs);

      await hasBegun(worker, id);
    });

    it("is found by the next look when the word about it was lost", async () => {
      const worker = await work(await openReplica(kind, { isMute: true }), { lookMs: 2_000 });
      const id = randomUUID();

      await (await openReplica(kind, { isMute: true })).store.write(id, clock.now());
      const before = worker.looks();

      await hasBegun(worker, id);
      // One that it was in when the work was stored, the one that finds it, and what follows from that.
      expect(worker.looks() - before).toBeLessThanOrEqual(3);
    });

    it("is done by one of two replicas, once", async () => {
      const author = await openReplica(kind);
      const replicas = [await openReplica(kind), await openReplica(kind)];
      const workers = await Promise.all(replicas.map((replica) => work(replica)));
      const ids = Array.from({ length: 12 }, () => randomUUID());
      const at = plusMs(clock.now(), dueInMs);
      const looksBefore = workers.map(({ looks }) => looks());

      for (const id of ids) await author.store.write(id, at);
      await eventually(() => workers.every(({ looks }, index) => looks() > (looksBefore[index] ?? 0)));
      clock.advance(dueInMs);
      await eventually(() => ids.every((id) => workers.some(({ begun }) => begun.includes(id))));

      const looks = workers.map((worker) => worker.looks());
      for (const { notes } of replicas) notes.note();
      await eventually(() => workers.every((worker, index) => worker.looks() > (looks[index] ?? 0)));
      expect(workers.flatMap(({ begun }) => begun).toSorted()).toEqual(ids.toSorted());
    });
  });

  describe.each(dueKinds.filter(({ isTransacted }) => isTransacted))("$name", (kind) => {
    it("is not missed by the process that writes it and looks before the commit", async () => {
      const author = await openReplica(kind, { isMute: true });
      const worker = await work(author);
      const id = randomUUID();

      await author.store.write(id, plusMs(clock.now(), dueInMs), async () => {
        const before = worker.looks();
        author.notes.note();
        await eventually(() => worker.looks() > before);
      });
      clock.advance(dueInMs);

      await hasBegun(worker, id);
    });
  });

  describe.each(dueKinds.filter(({ leaseMs }) => leaseMs !== undefined))("$name", (kind) => {
    it("is done by the same process when it was taken and nothing became of it", async () => {
      const author = await openReplica(kind, { isMute: true });
      const worker = await work(author, { fails: 1 });
      const id = await writeAndWait(author, () => true);
      clock.advance(dueInMs);
      await hasBegun(worker, id);

      // Leases of queues end by real time.
      if (kind.service !== "webhook") clock.advance(kind.leaseMs ?? 0);

      await hasBegun(worker, id, 2);
    });
  });

  describe.each(dueKinds.filter(({ leaseMs, service }) => leaseMs !== undefined && service !== "webhook"))(
    "$name",
    (kind) => {
      it("is done by another replica when the one that took it dies", async () => {
        const [author, other] = [await openReplica(kind), await openReplica(kind)];
        const workers = [await work(author, { fails: 1 }), await work(other, { fails: 1 })];
        const before = workers[1]?.looks() ?? 0;
        const id = await writeAndWait(author, () => (workers[1]?.looks() ?? 0) > before);
        clock.advance(dueInMs);
        await eventually(() => workers.some(({ begun }) => begun.includes(id)));
        const [mortal, ...others] = workers.toSorted((one, another) => another.begun.length - one.begun.length);
        await mortal?.stop();
        expect(others.flatMap(({ begun }) => begun)).toEqual([]);

        clock.advance(kind.leaseMs ?? 0);

        await eventually(() => others.some(({ begun }) => begun.includes(id)));
      });
    },
  );
});
