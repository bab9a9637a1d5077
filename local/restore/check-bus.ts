import { systemClock } from "../../services/shared/kernel/clock";
import { driverDb } from "../../services/shared/storage/mongo";
import { openStatements } from "../../services/wallet/adapters/statements/places";
import { makeStatementStore } from "../../services/wallet/store/statement-store";
import { idsIn } from "./check-databases";
import { finding, type RestoreFinding } from "./finding";
import { type PublishedPayment, presentStreams, readPublishedEvents } from "./published-events";
import type { RestoredPlatform } from "./restored-platform";

/** What the bus and the stores know about each other. */
export interface BusReport {
  findings: RestoreFinding[];
  /** Payments that the bus has events of and the payment service does not know. */
  lost: PublishedPayment[];
}

const pageSize = 500;

/** Compares the streams with the stores. */
export async function checkBus(platform: RestoredPlatform): Promise<BusReport> {
  const { bus, lookFrom, databases } = platform;
  if (bus === undefined) {
    const text = "there is no bus to compare with: only callers and providers know what was accepted after the backup";
    return { findings: [finding("BUS_UNKNOWN", text)], lost: [] };
  }
  // The services fill a new bus.
  if ((await presentStreams(bus)).length === 0) return { findings: [], lost: [] };
  const published = await readPublishedEvents(bus, lookFrom);
  const stored = await eventCounts(platform, "payment", "payments", [...published.payments.keys()]);
  const documents = await eventCounts(platform, "identity", "documents", [...published.documents.keys()]);
  const lost = [...published.payments.values()].filter(({ paymentId }) => !stored.has(paymentId));
  const ahead = [...published.payments.values()]
    .filter(({ paymentId, last }) => last > (stored.get(paymentId) ?? last))
    .map(
      ({ tenant, paymentId, last }) => `${tenant}/${paymentId}: published up to ${last}, has ${stored.get(paymentId)}`,
    );
  const otherwise = [...published.documents].filter(([id, last]) => last > (documents.get(id) ?? 0));
  const about = [
    ...lost.map(({ tenant, externalId = "-", paymentId }) => `${tenant}/${paymentId} (${externalId}) is unknown`),
    ...ahead,
    ...otherwise.map(([id, last]) => `document ${id}: published up to ${last}, has ${documents.get(id) ?? 0}`),
  ];
  const behind = await countBehind(platform, published.payments);
  const findings = [
    ...(about.length === 0
      ? []
      : [
          finding(
            "BUS_AHEAD",
            `${lost.length} payments on the bus are unknown to the store, and ${about.length - lost.length} subjects have more ` +
              "events there: accepting this removes the streams, and the services fill them from their stores",
            about,
          ),
        ]),
    ...(behind === 0
      ? []
      : [finding("BUS_BEHIND", `${behind} payments have events that the bus lacks; they are published again`)]),
    ...(await checkErasures(databases, published.erasures)),
  ];
  return { findings, lost };
}

interface EventCount {
  _id: string;
  eventCount: number | bigint;
}

/** Number of events in the store for each known subject. */
async function eventCounts(
  { databases }: RestoredPlatform,
  service: "payment" | "identity",
  collection: string,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const records = driverDb(databases[service].connection).collection<EventCount>(collection);
  const counts = new Map<string, number>();
  for (let from = 0; from < ids.length; from += pageSize) {
    const page = ids.slice(from, from + pageSize);
    const found = records.find({ _id: { $in: page } }, { projection: { eventCount: 1 } });
    for await (const { _id, eventCount } of found) counts.set(_id, Number(eventCount));
  }
  return counts;
}

/** Counts payments with events that the streams lack. */
async function countBehind(
  { databases, lookFrom }: RestoredPlatform,
  published: ReadonlyMap<string, PublishedPayment>,
): Promise<number> {
  const payments = driverDb(databases.payment.connection).collection<EventCount>("payments");
  const lately = payments.find({ lastEventAt: { $gte: lookFrom } }, { projection: { eventCount: 1 } });
  let behind = 0;
  for await (const { _id, eventCount } of lately.sort({ lastEventAt: 1 })) {
    if ((published.get(_id)?.last ?? 0) < Number(eventCount)) behind += 1;
  }
  return behind;
}

/** An erasure is final: a participant erased after the backup must be erased again. */
async function checkErasures(
  databases: RestoredPlatform["databases"],
  erasures: readonly string[],
): Promise<RestoreFinding[]> {
  const known = await idsIn(
    driverDb(databases.identity.connection).collection<{ _id: string }>("erasures"),
    erasures.map((name) => name.slice(name.indexOf("/") + 1)),
  );
  const again = erasures.filter((name) => !known.has(name.slice(name.indexOf("/") + 1)));
  if (again.length === 0) return [];
  return [finding("ERASED_SINCE", "were erased after the backup: erase them again (participants erase)", again)];
}

/** Finds movements on the providers' statements, after the last position read, of payments that the platform does not know. */
export async function checkProviders({ databases, settings }: RestoredPlatform): Promise<RestoreFinding[]> {
  const { WALLET_STATEMENTS: places, WALLET_STATEMENT_TOKENS_FILE: tokensFile } = settings;
  if (places === undefined || tokensFile === undefined) return [];
  const statements = makeStatementStore(databases.wallet.connection);
  const payments = driverDb(databases.payment.connection).collection<{ _id: string }>("payments");
  const unknown: string[] = [];
  for (const source of openStatements(places, tokensFile, systemClock)) {
    const { cursor } = await statements.source(source.provider);
    for await (const { lines } of source.read(cursor)) {
      const moved = lines.filter(({ kind }) => kind !== "FEE" && kind !== "DEPOSIT");
      const known = await idsIn(payments, [...new Set(moved.map(({ reference }) => reference))]);
      const strange = moved.filter(({ reference }) => !known.has(reference));
      unknown.push(
        ...strange.map(({ kind, reference, lineId }) => `${source.provider}: ${kind} of ${reference} (${lineId})`),
      );
    }
  }
  if (unknown.length === 0) return [];
  const text =
    `${unknown.length} movements at providers belong to no known payment. A caller who repeats the request gets the same ` +
    "instruction; without a repeat it becomes a break and a case when the statements are read";
  return [finding("PROVIDER_AHEAD", text, unknown)];
}
