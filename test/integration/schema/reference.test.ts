import { SchemaServiceService } from "../../../proto/gen/corridor/schema/v1/schema_service";
import { startSchema } from "../../../services/schema/app";
import { readSchemaConfig } from "../../../services/schema/config";
import { makeSchemaStore } from "../../../services/schema/store/schema-store";
import { type Running, stopAll } from "../../../services/shared/process/lifecycle";
import { noTracing } from "../../../services/shared/process/tracing";
import type { Rpc } from "../../../services/shared/rpc/rpc";
import { makeRpcClient } from "../../../services/shared/rpc/rpc-client";
import { openMongo } from "../../../services/shared/storage/mongo";
import { startTestStore } from "../../support/testbed";

let parts: Running;
let schema: Rpc<typeof SchemaServiceService>;

const older = { name: "person/BRA", version: "0.9.0", bytes: Buffer.from('{"version":"0.9.0"}') };

beforeAll(async () => {
  const store = await startTestStore();
  const database = store.database("reference");
  const mongo = await openMongo({ uri: store.mongoUri, database, profile: "local", tracing: noTracing });
  const service = await startSchema(
    readSchemaConfig({
      PROFILE: "local",
      LOG_LEVEL: "error",
      GRPC_PORT: "0",
      MONGODB_URI: store.mongoUri,
      MONGODB_DATABASE: database,
    }),
  );
  const target = `ipv4:127.0.0.1:${service.port}`;
  const client = makeRpcClient(SchemaServiceService, {
    target,
    tls: undefined,
    timeoutMs: 20_000,
    retryable: [],
    tracing: noTracing,
  });
  await makeSchemaStore(mongo.connection).addMissing([older]);
  schema = client;
  parts = stopAll([store, mongo, service, client]);
});
afterAll(() => parts.stop());

describe("GetPersonSchema", () => {
  it("serves the same document for both codes of a country, with its version and a strong tag", async () => {
    const served = await schema.getPersonSchema({ countryCode: "BRA" });
    const document: unknown = JSON.parse(Buffer.from(served.documentJson).toString());

    expect(await schema.getPersonSchema({ countryCode: "BR", version: served.version })).toEqual(served);
    expect(served.etag).toMatch(/^"[\w-]{43}"$/);
    expect(document).toMatchObject({
      version: served.version,
      properties: { address: { properties: { countryCode: { enum: ["BR"] } } } },
    });
  });

  it("still serves an older version", async () => {
    expect(await schema.getPersonSchema({ countryCode: "BR", version: "0.9.0" })).toMatchObject({
      version: "0.9.0",
      documentJson: older.bytes,
    });
  });

  it.each([
    ["an unknown country", { countryCode: "AQ" }],
    ["lower case", { countryCode: "br" }],
    ["another document's name", { countryCode: "push" }],
    ["no country", { countryCode: "" }],
    ["a version that was never published", { countryCode: "BR", version: "9.9.9" }],
  ])("refuses %s", async (_case, request) => {
    await expect(schema.getPersonSchema(request)).rejects.toMatchObject({ reason: "COUNTRY_UNSUPPORTED" });
  });
});

describe("ListDestinations", () => {
  it("lists every country once, by its alpha-3 code", async () => {
    const { destinations } = await schema.listDestinations({});
    const codes = destinations.map(({ countryCodeAlpha3 }) => countryCodeAlpha3);

    expect(codes).toHaveLength(133);
    expect(codes).toEqual([...new Set(codes)].toSorted());
    expect(destinations.find(({ countryCode }) => countryCode === "GN")).toMatchObject({
      countryCodeAlpha3: "GIN",
      name: "Guinea",
      currencies: ["GNF", "XOF"],
    });
  });

  it("offers the methods of the country's schema", async () => {
    const { destinations } = await schema.listDestinations({});
    const { documentJson } = await schema.getSchema({ name: "BRA" });
    const types = /"type":\{"title":"Type","type":"string","enum":(\["BANK_DEPOSIT"[^\]]*\])/.exec(
      Buffer.from(documentJson).toString(),
    )?.[1];
    const brazil = destinations.find(({ countryCodeAlpha3 }) => countryCodeAlpha3 === "BRA");

    expect(brazil?.methods.map(({ type }) => type)).toEqual(JSON.parse(types ?? "[]"));
  });
});
