import { parseBootstrap } from "../../../services/auth/domain/bootstrap";
import { makeCredentialHasher } from "../../../services/auth/domain/credential-hash";
import { makeImportBootstrap } from "../../../services/auth/operations/import-bootstrap";
import { makeAgentStore } from "../../../services/auth/store/agent-store";
import { makeClientStore } from "../../../services/auth/store/client-store";
import { makeCredentialStore } from "../../../services/auth/store/credential-store";
import { makeTenantStore } from "../../../services/auth/store/tenant-store";
import { makeCredential } from "../../../services/shared/crypto/credential";
import { makeSealer } from "../../../services/shared/crypto/sealing";
import { systemClock } from "../../../services/shared/kernel/clock";
import { systemIds } from "../../../services/shared/kernel/ids";
import { noTracing } from "../../../services/shared/process/tracing";
import { type Mongo, openMongo } from "../../../services/shared/storage/mongo";
import { startTestStore, type TestStore } from "../../support/testbed";

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
    const tenants = makeTenantStore(mongo.connection);
    const sealer = makeSealer(Buffer.alloc(32, 3), systemIds);
    const agents = makeAgentStore(mongo.connection, sealer);
    const credentials = makeCredentialStore(mongo.connection);
    const hasher = makeCredentialHasher([Buffer.alloc(32, pepper)]);
    return { tenants, clients, agents, credentials, hasher, clock: systemClock };
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
    const whole = { hint: { $natural: 1 } };
    await mongo.connection.collection("agents").updateOne({ tenant: "demo" }, { $set: { status: "ACTIVE" } }, whole);
    await importBootstrap(wanted);

    expect(await parts.agents.find("demo", agentId)).toMatchObject({ id: agentId, status: "ACTIVE" });
    expect(await parts.agents.find("other", agentId)).toBeUndefined();
    expect(await mongo.connection.collection("credentials").countDocuments()).toBe(3);
    expect(await mongo.connection.collection("clients").countDocuments()).toBe(1);
  });

  it("refuses to go on with the pepper of another store", async () => {
    const wanted = tenants();
    await makeImportBootstrap(importer(1))(wanted);

    await expect(makeImportBootstrap(importer(2))(wanted)).rejects.toThrow("AUTH_PEPPER_FILE");
  });
});
