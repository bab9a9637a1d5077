import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SchemaServiceService } from "../../../proto/gen/corridor/schema/v1/schema_service";
import { loadPacks } from "../../../services/schema/adapters/files/load-packs";
import { startSchema } from "../../../services/schema/app";
import { readSchemaConfig } from "../../../services/schema/config";
import { makePublishSchemas } from "../../../services/schema/operations/publish-schemas";
import { makeSchemaStore } from "../../../services/schema/store/schema-store";
import { parseJsonObject } from "../../../services/shared/kernel/json";
import type { Running } from "../../../services/shared/process/lifecycle";
import { noTracing } from "../../../services/shared/process/tracing";
import { makeRpcClient } from "../../../services/shared/rpc/rpc-client";
import { type Mongo, openMongo } from "../../../services/shared/storage/mongo";
import { startTestStore, type TestStore } from "../../support/testbed";

const tracing = noTracing;

describe("schema", () => {
  let store: TestStore;
  let running: Running[] = [];
  let mongo: Mongo;

  const start = async (overrides: { packDirectory?: string; database?: string } = {}) => {
    const { database = store.database("schema"), ...others } = overrides;
    const service = await startSchema(
      readSchemaConfig({
        PROFILE: "local",
        LOG_LEVEL: "error",
        GRPC_PORT: "0",
        MONGODB_URI: store.mongoUri,
        MONGODB_DATABASE: database,
      }),
      others,
    );
    const target = `ipv4:127.0.0.1:${service.port}`;
    const options = { target, tls: undefined, timeoutMs: 20_000, retryable: [], tracing };
    const client = makeRpcClient(SchemaServiceService, options);
    running.push(service, client);
    return client;
  };
  const stopServices = async (): Promise<void> => {
    await Promise.all(running.map((part) => part.stop()));
    running = [];
  };

  beforeAll(async () => {
    store = await startTestStore();
    mongo = await openMongo({ uri: store.mongoUri, database: store.database("schema"), profile: "local", tracing });
  });
  afterEach(stopServices);
  afterAll(async () => {
    await mongo.stop();
    await store.stop();
  });

  it.each([
    ["BRA", "1.8.0"],
    ["KEN", "1.7.0"],
    ["push", "1.6.0"],
    ["customer", "1.5.0"],
  ])("serves %s %s with a strong tag, the same from every replica", async (name, version) => {
    const [one, two] = await Promise.all([start(), start()]);
    const served = await one.getSchema({ name });
    const { value: document } = parseJsonObject(served.documentJson.toString());

    expect(served).toMatchObject({ name, version });
    expect(served.etag).toMatch(/^"[\w-]{43}"$/);
    expect(document).toMatchObject({ $schema: "http://json-schema.org/draft-07/schema#", version });
    expect(await two.getSchema({ name, version })).toEqual(served);
  });

  it.each([
    ["an unknown country", { name: "ATA" }],
    ["an alpha-2 code", { name: "BR" }],
    ["lower case", { name: "bra" }],
    ["no name", { name: "" }],
    ["a version that was never published", { name: "BRA", version: "9.9.9" }],
  ])("refuses %s", async (_case, request) => {
    const schemas = await start();

    await expect(schemas.getSchema(request)).rejects.toMatchObject({ reason: "COUNTRY_UNSUPPORTED" });
  });

  it("still serves an older version", async () => {
    const schemas = makeSchemaStore(mongo.connection);
    const older = { name: "BRA", version: "0.9.0", bytes: Buffer.from('{"version":"0.9.0"}') };
    await schemas.addMissing([older]);

    const served = await (await start()).getSchema({ name: "BRA", version: "0.9.0" });

    expect(served).toMatchObject({ name: "BRA", version: "0.9.0", documentJson: older.bytes });
  });

  it("lists every name with its versions", async () => {
    await makeSchemaStore(mongo.connection).addMissing([{ name: "KEN", version: "0.8.0", bytes: Buffer.from("{}") }]);
    const { schemas } = await (await start()).listSchemas({});
    const kenya = schemas.find(({ name }) => name === "KEN");

    expect(schemas.filter(({ name }) => /^(?:[A-Z]{3}|push|customer|pull)$/.test(name))).toHaveLength(136);
    expect(kenya).toMatchObject({ title: "Kenya (KEN)", version: "1.7.0", versions: ["0.8.0", "1.7.0"] });
  });

  describe("with a directory of packs of its own", () => {
    const directory = mkdtempSync(join(tmpdir(), "packs-"));
    const [, example = ""] = /```json\n([^`]+)```/.exec(readFileSync("services/schema/README.md", "utf8")) ?? [];
    const write = (change: object): void => {
      const pack = { ...parseJsonObject(example).value, ...change };
      writeFileSync(join(directory, "ATA.json"), JSON.stringify(pack));
    };
    const startHere = () => start({ packDirectory: directory, database: store.database("schema-own") });

    afterAll(() => rmSync(directory, { recursive: true }));

    it("adds a country by the file of the README, changes it by a new version, and still serves the old one", async () => {
      write({});
      const first = await (await startHere()).getSchema({ name: "ATA" });
      await stopServices();
      write({ currencies: ["USD", "NZD"], version: "1.1.0" });
      const schemas = await startHere();

      expect(first.version).toBe("1.0.0");
      expect(await schemas.getSchema({ name: "ATA" })).toMatchObject({ version: "1.1.0" });
      expect(await schemas.getSchema({ name: "ATA", version: "1.0.0" })).toEqual(first);
    });

    it("does not take a pack that is named after another country", async () => {
      writeFileSync(join(directory, "ATA.json"), readFileSync("services/schema/packs/KEN.json"));

      await expect(loadPacks(directory)).rejects.toThrow("corridor pack ATA.json is named after another country");
    });
  });

  it("refuses to start over a published version with other content, and keeps what is published", async () => {
    const schemas = mongo.connection.useDb(store.database("schema-changed"));
    const changed = makeSchemaStore(schemas);
    const publish = makePublishSchemas({ schemas: changed });
    const document = { name: "BRA", version: "1.0.0", bytes: Buffer.from("{}") };
    await Promise.all([publish([document]), publish([document])]);

    await expect(publish([{ ...document, bytes: Buffer.from("[]") }])).rejects.toThrow("a change needs a new version");

    expect(await changed.find("BRA", "1.0.0")).toEqual(document);
  });
});
