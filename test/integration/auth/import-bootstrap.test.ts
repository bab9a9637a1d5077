import { parseBootstrap } from "../../../services/auth/domain/bootstrap";
import { makeCredentialHasher } from "../../../services/auth/domain/credential-hash";
import { makeImportBootstrap } from "../../../services/auth/operations/import-bootstrap";
import { makeAgentStore } from "../../../services/auth/store/agent-store";
import { makeClientStore } from "../../../services/auth/store/client-store";
import { makeCredentialStore } from "../../../services/auth/store/credential-store";
import { makeCredential } from "../../../services/shared/credential";
import { systemIds } from "../../../services/shared/ids";
import { type Mongo, openMongo } from "../../../services/shared/mongo";
import { noTracing } from "../../../services/shared/tracing";
import { startTestStore, type TestStore } from "../../support/ground";

describe("importBootstrap", () => {
  let store: TestStore;
  let mongo: Mongo;

  beforeAll(async () => {
    store = await startTestStore();
    const database = store.database("import");
    mongo = await openMongo({ uri: store.mongoUri, database, profile: "local", tracing: noTracing });
  });
  afterAll(async () => {
    await mongo.stop();
    await store.stop();
  });

  const importer = (pepper: number) => {
    const clients = makeClientStore(mongo.connection);
    const agents = makeAgentStore(mongo.connection);
    const credentials = makeCredentialStore(mongo.connection);
    return { clients, agents, credentials, hasher: makeCredentialHasher(Buffer.alloc(32, pepper)) };
  };
  const tenants = () =>
    parseBootstrap(
      JSON.stringify({
        tenants: [
          {
            tenant: "demo",
            apiKey: makeCredential("key", "local", systemIds),
            clientId: `client-${systemIds.uuid()}`,
            clientSecret: makeCredential("secret", "local", systemIds),
            agents: [
              {
                agentId: systemIds.uuid(),
                apiKey: makeCredential("agent", "local", systemIds),
                status: "PENDING_APPROVAL",
              },
            ],
          },
        ],
      }),
      "local",
    );

  it("adds everything once, whoever runs it and how often, and leaves later changes alone", async () => {
    const parts = importer(1);
    const importBootstrap = makeImportBootstrap(parts);
    const wanted = tenants();
    const agentId = wanted[0]?.agents[0]?.agentId ?? "";

    await Promise.all([importBootstrap(wanted), importBootstrap(wanted), importBootstrap(wanted)]);
    await mongo.connection.collection("agents").updateOne({ tenant: "demo" }, { $set: { status: "ACTIVE" } });
    await importBootstrap(wanted);

    expect(await parts.agents.find(agentId)).toEqual({ id: agentId, tenant: "demo", status: "ACTIVE" });
    expect(await mongo.connection.collection("credentials").countDocuments()).toBe(3);
    expect(await mongo.connection.collection("clients").countDocuments()).toBe(1);
  });

  it("refuses to go on with the pepper of another store", async () => {
    const wanted = tenants();
    await makeImportBootstrap(importer(1))(wanted);

    await expect(makeImportBootstrap(importer(2))(wanted)).rejects.toThrow("AUTH_PEPPER_FILE");
  });
});
