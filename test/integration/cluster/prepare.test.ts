import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { compiled } from "../../../local/compiled";
import { freePorts } from "../../../local/free-port";
import { openMongo } from "../../../services/shared/mongo";
import { noTracing } from "../../../services/shared/tracing";
import { startTestStore, type TestStore } from "../../support/ground";

describe("a service that is started with --prepare", () => {
  let store: TestStore;

  beforeAll(async () => {
    store = await startTestStore();
  });
  afterAll(() => store.stop());

  /** Exit code of the fx service. It asks the bus nothing, and its peer only when it is asked itself. */
  async function prepare(database: string, uri = store.mongoUri): Promise<number | null> {
    const env = {
      PROFILE: "local",
      LOG_LEVEL: "error",
      GRPC_PORT: "0",
      MONGODB_URI: uri,
      MONGODB_DATABASE: database,
      SCHEMA_TARGET: "ipv4:127.0.0.1:9",
    };
    const child = spawn(process.execPath, [compiled("services/fx/main"), "--prepare"], { env, stdio: "ignore" });
    const [code] = (await once(child, "exit")) as [number | null];
    return code;
  }

  async function indexesOf(database: string): Promise<string[]> {
    const mongo = await openMongo({ uri: store.mongoUri, database, profile: "local", tracing: noTracing });
    try {
      const indexes = await mongo.connection.collection("quotes").indexes();
      return indexes.map(({ name }) => name ?? "");
    } finally {
      await mongo.stop();
    }
  }

  it("leaves its collections and indexes behind and ends, twice and by two at once", async () => {
    const database = store.database("prepared");

    const codes = [await prepare(database), ...(await Promise.all([prepare(database), prepare(database)]))];

    expect(codes).toEqual([0, 0, 0]);
    expect((await indexesOf(database)).length).toBeGreaterThan(1);
  });

  it("ends with 1 when its store is not fit", async () => {
    const [port = 0] = await freePorts(1);
    const program = join(__dirname, "../local/fake-mongod.js");
    const old = spawn(process.execPath, [program, "--port", String(port), "--told", "4.4.0"], { stdio: "ignore" });

    const code = await prepare("unfit", `mongodb://127.0.0.1:${port}/?directConnection=true`);
    old.kill("SIGKILL");

    expect(code).toBe(1);
  });
});
