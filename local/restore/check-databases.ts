import type { mongo } from "mongoose";
import { driverDb } from "../../services/shared/storage/mongo";
import { watermarkEveryMs } from "../../services/shared/storage/watermark";
import type { ServiceName } from "../platform";
import { finding, type RestoreFinding } from "./finding";
import { type RestoredPlatform, serviceNames } from "./restored-platform";

/** Watermarks of services that ran together differ by at most this time. */
const spanMs = 2 * watermarkEveryMs;
const pageSize = 500;

/** Checks that the seven databases are present and of the same time. */
export function checkInstants({ watermarks, restoredTo }: RestoredPlatform): RestoreFinding[] {
  const missing = serviceNames.filter((name) => watermarks[name] === undefined);
  const findings = missing.map((name) =>
    finding(
      "DATABASE_MISSING",
      `the database of ${name} has no watermark: it was not restored, or belongs to another platform`,
    ),
  );
  const late = serviceNames.filter((name) => isBefore(watermarks[name], restoredTo));
  if (late.length === 0 || restoredTo === undefined) return findings;
  const seen = late.map((name) => `${name} ${watermarks[name]?.toISOString()}`);
  const text = `others ran until ${restoredTo.toISOString()}: were these stopped then, or restored from another time?`;
  return [...findings, finding("DIFFERENT_INSTANTS", text, seen)];
}

const isBefore = (at: Date | undefined, newest: Date | undefined): boolean =>
  at !== undefined && newest !== undefined && newest.getTime() - at.getTime() > spanMs;

interface Producer {
  stream: string;
  service: ServiceName;
  collection: string;
  /** When a record has changed last; it has an index. */
  changedAt: string;
  consumers: readonly ServiceName[];
}

/** Producers with events to count, for comparison with those that consumers handled. */
const producers: readonly Producer[] = [
  {
    stream: "CORRIDOR_PAYMENT",
    service: "payment",
    collection: "payments",
    changedAt: "lastEventAt",
    consumers: ["webhook", "wallet"],
  },
  {
    stream: "CORRIDOR_IDENTITY",
    service: "identity",
    collection: "documents",
    changedAt: "updatedAt",
    consumers: ["webhook"],
  },
];

/**
 * Checks whether a consumer has more events than its producer has published: then the two are not of one time, however close.
 * Examines changes of the last hour before the backup, and the events that webhook handled in it.
 */
export async function checkConsumers(platform: RestoredPlatform): Promise<RestoreFinding[]> {
  const ahead: string[] = [];
  for (const producer of producers) {
    for await (const counts of countsOf(platform, producer))
      ahead.push(...(await findAhead(platform, producer, counts)));
  }
  ahead.push(...(await findUnknown(platform)));
  if (ahead.length === 0) return [];
  return [
    finding(
      "CONSUMER_AHEAD",
      `${ahead.length} times a database has handled events that its producer has not published`,
      ahead,
    ),
  ];
}

/** Event counts of the recently changed records, a page at a time. */
async function* countsOf(platform: RestoredPlatform, { service, collection, changedAt }: Producer) {
  const records = driverDb(platform.databases[service].connection).collection<EventCount>(collection);
  const found = records.find({ [changedAt]: { $gte: platform.lookFrom } }, { projection: { eventCount: 1 } });
  let page = new Map<string, number>();
  for await (const { _id, eventCount } of found.sort({ [changedAt]: 1 })) {
    page.set(_id, Number(eventCount));
    if (page.size < pageSize) continue;
    yield page;
    page = new Map();
  }
  if (page.size > 0) yield page;
}

interface EventCount {
  _id: string;
  eventCount: number | bigint;
}

async function findAhead(
  { databases }: RestoredPlatform,
  { stream, consumers, service }: Producer,
  counts: ReadonlyMap<string, number>,
): Promise<string[]> {
  const ahead: string[] = [];
  const keys = [...counts.keys()].map((id) => `${stream}/${id}`);
  for (const consumer of consumers) {
    for (const [key, last] of await handledIn(driverDb(databases[consumer].connection), keys)) {
      const published = counts.get(key.slice(stream.length + 1)) ?? 0;
      if (last > published) ahead.push(`${consumer} has event ${last} of ${key}, ${service} has ${published}`);
    }
  }
  return ahead;
}

/** The last handled event by key, from the inbox, and for webhook from the pages of its feeds. */
async function handledIn(database: mongo.Db, keys: readonly string[]): Promise<Map<string, number>> {
  const lasts = new Map<string, number>();
  const note = (key: string, last: number): void => void lasts.set(key, Math.max(last, lasts.get(key) ?? 0));
  const inbox = database.collection<{ _id: string; lastSequence: number }>("inbox");
  for await (const { _id, lastSequence } of inbox.find({ _id: { $in: [...keys] } })) note(_id, lastSequence);
  const asked = new Set(keys);
  const pages = database.collection<{ handled: { key: string; last: number }[] }>("feed_pages");
  for await (const { handled } of pages.find({ "handled.key": { $in: [...keys] } }, { projection: { handled: 1 } }))
    for (const { key, last } of handled) if (asked.has(key)) note(key, last);
  return lasts;
}

/** Transactions of recent webhook events that payment does not know. */
async function findUnknown({ databases, lookFrom }: RestoredPlatform): Promise<string[]> {
  const pages = driverDb(databases.webhook.connection).collection<{ events: { subjectId: string; name: string }[] }>(
    "feed_pages",
  );
  const payments = driverDb(databases.payment.connection).collection<{ _id: string }>("payments");
  const unknown: string[] = [];
  const lately = pages.find(
    { createdAt: { $gte: lookFrom } },
    { projection: { "events.subjectId": 1, "events.name": 1 } },
  );
  let page = new Set<string>();
  const look = async (): Promise<void> => {
    const known = await idsIn(payments, [...page]);
    unknown.push(
      ...[...page]
        .filter((id) => !known.has(id))
        .map((id) => `webhook has events of ${id}, which payment does not know`),
    );
    page = new Set();
  };
  for await (const { events } of lately.sort({ createdAt: 1 })) {
    for (const { name, subjectId } of events) if (name.startsWith("Transaction")) page.add(subjectId);
    if (page.size >= pageSize) await look();
  }
  await look();
  return unknown;
}

/** The ids that exist. */
export async function idsIn(
  collection: mongo.Collection<{ _id: string }>,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const found = await collection.find({ _id: { $in: [...ids] } }, { projection: { _id: 1 } }).toArray();
  return new Set(found.map(({ _id }) => _id));
}
