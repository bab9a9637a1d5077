import type { Collection, Connection } from "mongoose";
import { isInScope, type TenantScope } from "../../shared/kernel/tenant-scope";
import type { Tx } from "../../shared/storage/mongo";
import { insertAll } from "../../shared/storage/one-command";
import { type Delivery, type DeliveryFilter, type DeliveryPlace, isBehind, newestFirst } from "../domain/delivery";
import { type DeliveryLogRecord, toLogged, toLogRecords } from "./delivery-log-record";
import { readInRounds } from "./read-in-rounds";

/** Deliveries that were delivered at once. */
export interface DeliveryLog {
  add(tx: Tx, deliveries: readonly Delivery[]): Promise<void>;
  find(tenant: string, subscriptionId: string, id: string): Promise<Delivery | undefined>;
  findAny(scope: TenantScope, id: string): Promise<Delivery | undefined>;
  findIn(tx: Tx, ids: readonly string[]): Promise<Delivery[]>;
  /** Newest first, after a place, without bodies. */
  list(filter: DeliveryFilter, behind: DeliveryPlace | undefined, limit: number): Promise<Delivery[]>;
  /** Removes deliveries that get documents of their own. */
  takeOut(tx: Tx, ids: readonly string[]): Promise<void>;
}

const withoutBodies = { projection: { "items.body": 0 } } as const;

export function makeDeliveryLog(connection: Connection): DeliveryLog {
  const logs = connection.collection<DeliveryLogRecord>("delivery_logs");
  const holding = (ids: readonly string[]) => ({ "items.id": { $in: [...ids] } });
  return {
    async add(tx, deliveries) {
      if (deliveries.length > 0) await insertAll(tx, logs, toLogRecords(deliveries));
    },
    async find(tenant, subscriptionId, id) {
      const record = await logs.findOne({ "items.id": id, tenant, subscriptionId });
      return record === null ? undefined : toLogged(record).find((one) => one.id === id);
    },
    async findAny(scope, id) {
      const record = await logs.findOne({ "items.id": id }, withoutBodies);
      if (record === null || !isInScope(scope, record.tenant)) return undefined;
      return toLogged(record).find((one) => one.id === id);
    },
    async findIn({ session }, ids) {
      const asked = new Set(ids);
      const records = await logs.find(holding(ids), { session }).toArray();
      return records.flatMap(toLogged).filter(({ id }) => asked.has(id));
    },
    async list(filter, behind, limit) {
      const isWanted = (one: Delivery): boolean =>
        (filter.subjectId === undefined || one.subjectId === filter.subjectId) &&
        (behind === undefined || isBehind(one, behind));
      const read = filter.subjectId === undefined ? readNewest : readAllOfSubject;
      const found = await read(logs, filter, { behind, limit, isWanted });
      return found.toSorted(newestFirst).slice(0, limit);
    },
    async takeOut({ session }, ids) {
      await logs.updateMany(holding(ids), { $pull: { items: { id: { $in: [...ids] } } } }, { session });
    },
  };
}

interface Wanted {
  behind: DeliveryPlace | undefined;
  limit: number;
  isWanted(delivery: Delivery): boolean;
}

type Logs = Collection<DeliveryLogRecord>;

/** A subject has few deliveries. */
async function readAllOfSubject(
  logs: Logs,
  { tenant, subscriptionId, subjectId = "" }: DeliveryFilter,
  { isWanted }: Wanted,
): Promise<Delivery[]> {
  const whose = { tenant, ...(subscriptionId === undefined ? {} : { subscriptionId }) };
  const records = await logs.find({ "items.subjectId": subjectId, ...whose }, withoutBodies).toArray();
  return records.flatMap(toLogged).filter(isWanted);
}

/** Reads the newest logs of a subscription until no older one can hold a delivery of the page. */
async function readNewest(
  logs: Logs,
  { tenant, subscriptionId = "" }: DeliveryFilter,
  { behind, limit, isWanted }: Wanted,
): Promise<Delivery[]> {
  const wanted: Delivery[] = [];
  let rest: object = behind === undefined ? {} : { createdAt: { $lte: behind.createdAt } };
  await readInRounds(async (count) => {
    const found = await logs
      .find({ subscriptionId, tenant, ...rest }, withoutBodies)
      .sort({ createdAt: -1, _id: -1 })
      .limit(count)
      .toArray();
    wanted.push(...found.flatMap(toLogged).filter(isWanted));
    const end = found.at(-1);
    if (end === undefined || found.length < count) return false;
    const { createdAt, _id } = end;
    rest = { createdAt: { $lte: createdAt }, $or: [{ createdAt: { $lt: createdAt } }, { _id: { $lt: _id } }] };
    const lastOfPage = wanted.toSorted(newestFirst)[limit - 1];
    return lastOfPage === undefined || lastOfPage.createdAt <= createdAt;
  });
  return wanted;
}
