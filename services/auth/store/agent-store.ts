import { type Connection, Schema } from "mongoose";
import { isDuplicateKey } from "../../shared/mongo";
import { type Agent, type AgentStatus, agentStatuses } from "../domain/directory";

interface AgentRecord {
  _id: string;
  tenant: string;
  status: AgentStatus;
}

export interface AgentStore {
  init(): Promise<void>;
  find(id: string): Promise<Agent | undefined>;
  addIfAbsent(agent: Agent): Promise<void>;
}

const agentSchema = new Schema<AgentRecord>(
  {
    _id: { type: String, required: true },
    tenant: { type: String, required: true },
    status: { type: String, enum: agentStatuses, required: true },
  },
  { versionKey: false, strict: "throw" },
);

/** Agents of all tenants, by id. */
export function makeAgentStore(connection: Connection): AgentStore {
  const model = connection.model("Agent", agentSchema, "agents");
  return {
    async init() {
      await model.createCollection();
      await model.createIndexes();
    },
    async find(id) {
      const record = await model.findById(id).lean<AgentRecord>();
      return record === null ? undefined : { id: record._id, tenant: record.tenant, status: record.status };
    },
    async addIfAbsent({ id, ...agent }) {
      await model.create({ _id: id, ...agent }).catch((error: unknown) => {
        if (!isDuplicateKey(error)) throw error;
      });
    },
  };
}
