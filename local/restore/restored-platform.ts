import type { Connection } from "mongoose";
import { type Bus, openBus } from "../../services/shared/bus/jetstream";
import { plusMs } from "../../services/shared/kernel/clock";
import { type Running, stopAll } from "../../services/shared/process/lifecycle";
import { noTracing } from "../../services/shared/process/tracing";
import { type Mongo, openMongo } from "../../services/shared/storage/mongo";
import { makeReadStoreTime } from "../../services/shared/storage/store-clock";
import { readWatermark } from "../../services/shared/storage/watermark";
import { byService, type ServiceName } from "../platform";
import type { RestoreSettings } from "./settings";

/** The stores of a platform with stopped services. */
export interface RestoredPlatform extends Running {
  settings: RestoreSettings;
  databases: Readonly<Record<ServiceName, Mongo>>;
  /** When each database's service last ran, by the store's clock. */
  watermarks: Readonly<Record<ServiceName, Date | undefined>>;
  /** The time that was restored to, as far as the watermarks show; undefined when there are none. */
  restoredTo: Date | undefined;
  /** Start of the search for later publications: some time before that. */
  lookFrom: Date;
  /** The store's clock. */
  now: Date;
  /** Undefined when there is none, or it does not answer. */
  bus: Bus | undefined;
}

const hourMs = 3_600_000;
const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

export const serviceNames = Object.keys(byService(() => undefined)) as ServiceName[];

/** Opens everything for reading. */
export async function openRestoredPlatform(settings: RestoreSettings): Promise<RestoredPlatform> {
  const { MONGODB_URI: uri, DATABASE_PREFIX: prefix } = settings;
  const opened: [ServiceName, Mongo][] = [];
  for (const name of serviceNames) {
    const database = `${prefix}_${name}`;
    opened.push([name, await openMongo({ uri, database, profile: "local", tracing: noTracing, patienceMs: 10_000 })]);
  }
  const databases = Object.fromEntries(opened) as Record<ServiceName, Mongo>;
  const marks = await Promise.all(
    opened.map(async ([name, one]) => [name, await readWatermark(one.connection)] as const),
  );
  const watermarks = Object.fromEntries(marks) as Record<ServiceName, Date | undefined>;
  const times = marks.flatMap(([, at]) => at ?? []).toSorted((one, other) => one.getTime() - other.getTime());
  const now = await makeReadStoreTime(databases.wallet.connection)();
  const bus = await openAnsweringBus(settings);
  return {
    settings,
    databases,
    watermarks,
    restoredTo: times.at(-1),
    lookFrom: plusMs(times[0] ?? now, -hourMs),
    now,
    bus,
    ...stopAll([...opened.map(([, one]) => one), ...(bus === undefined ? [] : [bus])]),
  };
}

async function openAnsweringBus(settings: RestoreSettings): Promise<Bus | undefined> {
  const { NATS_URL: busUrl, NATS_PASSWORD_FILE: passwordFile, NATS_CA_FILE: caFile } = settings;
  if (busUrl === undefined) return undefined;
  const bus = await openBus({ url: busUrl, name: "restore-check", passwordFile, caFile, logger: quiet });
  try {
    await (await bus.client()).manager.getAccountInfo();
    return bus;
  } catch {
    await bus.stop();
    return undefined;
  }
}

/** The latest time of a payment event in the stores. */
export async function newestPaymentEvent(payment: Connection): Promise<Date | undefined> {
  const payments = payment.collection<{ _id: string; lastEventAt: Date }>("payments");
  const newest = payments.find({ lastEventAt: { $gt: new Date(0) } }, { projection: { lastEventAt: 1 } });
  const [found] = await newest.sort({ lastEventAt: -1 }).limit(1).toArray();
  return found?.lastEventAt;
}
