import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { makePaymentColumns } from "../../services/payment/domain/payment-columns";
import { makeFilteredPaymentStore } from "../../services/payment/store/filtered-payment-store";
import { paymentCollection } from "../../services/payment/store/payment-store";
import { format, type Goal } from "./goal";
import { openPast, writePast } from "./listed-past";
import type { Load } from "./load";
import { cpuMicros, untilIdle } from "./process-figures";
import { interleave, median, pairRatio } from "./statistics";
import { countsBetween, openStoreFigures, type StoreFigures, sum } from "./store-figures";
import { paymentJob, type Subject, startSubject } from "./subject";

const rounds = 15;
const payments = 100;
const warmUp = 300;
const inFlight = 16;
/** Longer than changes of payments wait to be read. */
const restMs = 1_000;

/** Indexes by which payments are listed and found, and nothing else goes. */
const listed: readonly Readonly<Record<string, 1 | -1>>[] = [
  { tenant: 1, agentId: 1, createdAt: -1, _id: -1 },
  { tenant: 1, createdAt: -1, _id: -1 },
  { createdAt: -1, _id: -1 },
  { tenant: 1, traceId: 1 },
  { tenant: 1, railId: 1 },
  { tenant: 1, receipt: 1 },
  { tenant: 1, "pull.providerId": 1 },
];

/** A platform with what it costs to accept a payment. */
interface Paying {
  subject: Subject;
  figures: StoreFigures;
  pids: readonly number[];
}

interface Cost {
  cpu: number;
  commands: number;
  documents: number;
}

/**
 * Accepting a payment with lists and without: two platforms side by side, of which one has no index of lists and keeps no columns. While
 * payments are accepted, none is carried out. The processor time is that of all processes, the store and the bus among them.
 */
export async function measureListCost(load: Load): Promise<Goal[]> {
  const whole = await startPaying(load, {});
  const bare = await startPaying(load, { NODE_OPTIONS: `--require ${join(__dirname, "without-lists.js")}` });
  await dropIndexes(bare.subject);
  const samples = await interleave({ whole: () => accept(whole, load), bare: () => accept(bare, load) }, rounds);
  const parts = await measureParts(whole, bare);
  for (const { subject, figures } of [whole, bare]) {
    await figures.stop();
    await subject.stop();
  }
  const common = { id: "P30", unit: "x", isDue: true, bar: { atMost: 1.03 } } as const;
  const goal = (what: string, read: (cost: Cost) => number, unit: string): Goal => {
    const ratios = samples.whole.map((cost, round) => read(cost) / read(samples.bare[round] ?? cost));
    const [on, off] = [median(samples.whole.map(read)), median(samples.bare.map(read))];
    return {
      ...common,
      what: `accepting a payment with lists / without: ${what}`,
      value: pairRatio(samples.whole, samples.bare, read),
      seen: `${format(on)} against ${format(off)} ${unit}; rounds ${ratios.map(format).join(" ")}`,
    };
  };
  const cpu = median(samples.bare.map((cost) => cost.cpu));
  return [
    {
      ...common,
      what: "accepting a payment with lists / without: by their parts",
      value: 1 + (parts.indexes + parts.columns) / cpu,
      seen: `${format(parts.indexes)} µs of indexes and ${format(parts.columns)} of columns on ${format(cpu)}`,
    },
    // Rounds differ by far more than the bar.
    { ...goal("CPU of all processes", ({ cpu: own }) => own, "µs"), isDue: false },
    { ...goal("commands of the store", ({ commands }) => commands, ""), isDue: false },
    { ...goal("documents written", ({ documents }) => documents, ""), isDue: false },
  ];
}

/** Payments of one batch, as many as a keeper of columns reads at once. */
const batch = 500;
const batches = 21;
const readings = 5;

/**
 * What lists cost of a payment in its whole life, µs of processor time: of the store for the entries of their indexes, and of the store and
 * of who asks it for reading it into columns once. Batches alone move far less than whole payments on a machine that does much else.
 */
async function measureParts(whole: Paying, bare: Paying): Promise<{ indexes: number; columns: number }> {
  const [on, off] = [await openPast(whole.subject), await openPast(bare.subject)];
  const inserting =
    (past: typeof on, { subject }: Paying) =>
    async (): Promise<number> => {
      const before = cpuMicros(subject.pid("store"));
      await writePast(past, "demo", batch);
      return (cpuMicros(subject.pid("store")) - before) / batch;
    };
  const inserts = await interleave({ on: inserting(on, whole), off: inserting(off, bare) }, batches);
  const store = makeFilteredPaymentStore(on.mongo.connection);
  const columns = makePaymentColumns();
  const some = paymentCollection(on.mongo.connection).find({ tenant: "demo" }, { projection: { _id: 1 } });
  const ids = (await some.limit(batch).toArray()).map(({ _id }) => _id);
  const total = (): number => cpuMicros(whole.subject.pid("store")) + cpuMicros(process.pid);
  const reading = async (): Promise<number> => {
    const before = total();
    for (let time = 0; time < readings; time += 1) for (const payment of await store.find(ids)) columns.put(payment);
    return (total() - before) / (batch * readings);
  };
  // Code that has run for long, as that of a service has.
  for (let time = 0; time < readings; time += 1) await reading();
  const reads = await interleave({ reading }, batches);
  await Promise.all([on.mongo.stop(), off.mongo.stop()]);
  return {
    indexes: median(inserts.on.map((cost, at) => cost - (inserts.off[at] ?? cost))),
    columns: median(reads.reading),
  };
}

async function startPaying(load: Load, env: Record<string, string>): Promise<Paying> {
  const subject = await startSubject({ env: { payment: env } });
  const figures = await openStoreFigures(subject.platform.mongoUri);
  const pids = [...subject.pids, subject.pid("store"), subject.pid("bus")];
  await load.run(await paymentJob(subject, { count: warmUp, inFlight, includesBackground: true }));
  return { subject, figures, pids };
}

async function dropIndexes(subject: Subject): Promise<void> {
  const { mongo } = await openPast(subject);
  const collection = paymentCollection(mongo.connection);
  const before = (await collection.indexes()).length;
  for (const keys of listed) await collection.dropIndex(keys as never);
  const after = (await collection.indexes()).length;
  if (before - after !== listed.length) throw new Error("the indexes of lists are others");
  await mongo.stop();
}

async function accept({ subject, figures, pids }: Paying, load: Load): Promise<Cost> {
  const job = await paymentJob(subject, { count: payments, inFlight });
  const others = ["sandbox", "webhook"].map(subject.pid);
  for (const pid of others) process.kill(pid, "SIGSTOP");
  const before = await figures.read();
  const { cpuMicros: micros } = await load.run({ ...job, pids });
  const total = (): number => sum(pids.map(cpuMicros));
  const answered = total();
  await sleep(restMs);
  const afterwards = (total() - answered) / payments;
  const { commands, documents } = countsBetween(before, await figures.read());
  for (const pid of others) process.kill(pid, "SIGCONT");
  await untilIdle(subject.pids);
  return {
    cpu: micros + afterwards,
    commands: sum(Object.values(commands)) / payments,
    documents: documents / payments,
  };
}
