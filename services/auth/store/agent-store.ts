import { type Connection, Schema } from "mongoose";
import type { Sealer } from "../../shared/crypto/sealing";
import { beginningOfTime } from "../../shared/kernel/clock";
import { DomainError } from "../../shared/kernel/errors";
import { type KeyUse, sealedField } from "../../shared/storage/key-use";
import { isDuplicateKey, type Tx } from "../../shared/storage/mongo";
import { behindPlace, type ListPage, type ListRows, readPage } from "../../shared/storage/read-list";
import { date, number, oneOf, strictDocument, text } from "../../shared/storage/stored-fields";
import { type Agent, type AgentStatus, agentStatuses } from "../domain/directory";

interface AgentRecord {
  _id: string;
  tenant: string;
  status: AgentStatus;
  sealedContact: string;
  externalId?: string;
  createdAt: Date;
  version: number;
  /** Time at which the tenant created the agent, which is an event; absent for agents of a bootstrap file. */
  eventAt?: Date;
  /** The same time, while the event is not published. */
  relayDue?: Date;
  /** W3C traceparent of the request that created it. */
  traceparent?: string;
}

/** An agent with an event for its creation. */
export interface EventfulAgent {
  agent: Agent;
  eventAt: Date;
  traceparent: string | undefined;
}

export interface AgentStore {
  init(): Promise<void>;
  find(tenant: string, id: string): Promise<Agent | undefined>;
  /** Agents of one tenant, newest first, after a given place. */
  list(tenant: string, status: AgentStatus | undefined, page: ListPage): Promise<ListRows<Agent>>;
  /** Adds it with the event of its creation. Throws AGENT_EXISTS when the tenant's external id is taken. */
  add(tx: Tx, agent: Agent, traceparent: string | undefined): Promise<void>;
  addIfAbsent(agent: Agent): Promise<void>;
  /** Saves the agent's next version; returns false when another writer was first. */
  save(agent: Agent): Promise<boolean>;
  /** Agents with an unpublished event, oldest first, after `after` if it is given. */
  unpublished(limit: number, after?: EventfulAgent): Promise<EventfulAgent[]>;
  markPublished(ids: readonly string[]): Promise<void>;
  /** Agents created at `from` or later, oldest first. */
  createdSince(from: Date): AsyncIterable<EventfulAgent>;
}

const agentSchema = new Schema<AgentRecord>(
  {
    _id: text,
    tenant: text,
    status: oneOf(agentStatuses),
    sealedContact: text,
    externalId: String,
    createdAt: date,
    version: number,
    eventAt: Date,
    relayDue: Date,
    traceparent: String,
  },
  strictDocument,
);
agentSchema.index(
  { tenant: 1, externalId: 1 },
  { unique: true, partialFilterExpression: { externalId: { $exists: true } } },
);
agentSchema.index({ tenant: 1, createdAt: -1, _id: -1 });
agentSchema.index({ tenant: 1, status: 1, createdAt: -1, _id: -1 });
agentSchema.index({ eventAt: 1 }, { sparse: true });
agentSchema.index({ relayDue: 1, _id: 1 }, { partialFilterExpression: { relayDue: { $exists: true } } });

const placeOf = (tenant: string, id: string): string => `${tenant}|agents|${id}|contact`;

export const sealedContacts = (ring: string, sealer: Sealer): KeyUse => ({
  ring,
  collection: "agents",
  fields: [sealedField("sealedContact", sealer, ({ _id, tenant = "" }) => placeOf(tenant, String(_id)))],
});

const modelOf = (connection: Connection) => connection.model("Agent", agentSchema, "agents");

/** Agents, by id; their contact data is sealed. */
export function makeAgentStore(connection: Connection, sealer: Sealer): AgentStore {
  const model = modelOf(connection);
  const toAgent = ({ _id, tenant, sealedContact, externalId, status, createdAt, version }: AgentRecord): Agent => {
    const contact: unknown = JSON.parse(sealer.open(sealedContact, placeOf(tenant, _id)).toString());
    const [email = "", businessName = ""] = Array.isArray(contact) ? contact.map(String) : [];
    return { id: _id, tenant, email, businessName, externalId, status, createdAt, version };
  };
  const toEventful = (record: AgentRecord): EventfulAgent => ({
    agent: toAgent(record),
    eventAt: record.eventAt ?? record.createdAt,
    traceparent: record.traceparent,
  });
  const toRecord = ({ id, email, businessName, externalId, ...rest }: Agent): AgentRecord => ({
    _id: id,
    sealedContact: sealer.seal(JSON.stringify([email, businessName]), placeOf(rest.tenant, id)),
    ...(externalId === undefined ? {} : { externalId }),
    ...rest,
  });
  return {
    async init() {
      await model.createCollection();
      await model.createIndexes();
    },
    async find(tenant, id) {
      const record = await model.findOne({ _id: id, tenant }).lean<AgentRecord>();
      return record === null ? undefined : toAgent(record);
    },
    async list(tenant, status, page) {
      const asked = status === undefined ? {} : { status };
      const found = model
        .find({ tenant, ...asked, ...behindPlace("createdAt", page) })
        .sort({ createdAt: -1, _id: -1 })
        .limit(page.limit + 1);
      const { rows, next } = await readPage(found.lean<AgentRecord[]>().cursor(), page, ({ createdAt, _id: id }) => ({
        createdAt,
        id,
      }));
      return { rows: rows.map(toAgent), next };
    },
    async add({ session }, agent, traceparent) {
      const event = { eventAt: agent.createdAt, relayDue: agent.createdAt };
      const trace = traceparent === undefined ? {} : { traceparent };
      try {
        await model.create([{ ...toRecord(agent), ...event, ...trace }], { session });
      } catch (error) {
        if (isDuplicateKey(error)) throw new DomainError("AGENT_EXISTS", "externalId is that of another agent");
        throw error;
      }
    },
    async addIfAbsent(agent) {
      await model.create(toRecord(agent)).catch((error: unknown) => {
        if (!isDuplicateKey(error)) throw error;
      });
    },
    async save(agent) {
      const before = { _id: agent.id, tenant: agent.tenant, version: agent.version - 1 };
      const { status, version } = agent;
      const { modifiedCount } = await model.updateOne(before, { $set: { status, version } });
      return modifiedCount === 1;
    },
    ...eventsOf(model, toEventful),
  };
}

/** Agents by the events of their creation. */
function eventsOf(
  model: ReturnType<typeof modelOf>,
  toEventful: (record: AgentRecord) => EventfulAgent,
): Pick<AgentStore, "unpublished" | "markPublished" | "createdSince"> {
  return {
    async unpublished(limit, after) {
      const filter = after === undefined ? { relayDue: { $gt: beginningOfTime } } : behind(after);
      const records = await model.find(filter).sort({ relayDue: 1, _id: 1 }).limit(limit).lean<AgentRecord[]>();
      return records.map(toEventful);
    },
    async markPublished(ids) {
      await model.updateMany({ _id: { $in: [...ids] } }, { $unset: { relayDue: 1 } });
    },
    async *createdSince(from) {
      const records = model
        .find({ eventAt: { $gte: from } })
        .sort({ eventAt: 1 })
        .lean<AgentRecord[]>()
        .cursor();
      for await (const record of records) yield toEventful(record);
    },
  };
}

const behind = ({ eventAt, agent }: EventfulAgent): object => ({
  $or: [{ relayDue: { $gt: eventAt } }, { relayDue: eventAt, _id: { $gt: agent.id } }],
});
