import { type ChildProcess, spawn } from "node:child_process";
import { compiled } from "../../../local/compiled";
import type { Logger } from "../../../services/shared/process/logger";
import { noTracing } from "../../../services/shared/process/tracing";
import { type Mongo, openMongo } from "../../../services/shared/storage/mongo";
import { openServiceStore } from "../../../services/shared/storage/service-store";
import type { FormatOptions } from "../../../services/shared/storage/storage-format";
import { until } from "../../support/platform-client";
import { type PersonRecord, splitNames } from "../../support/split-names";
import { startTestStore, type TestStore } from "../../support/testbed";

const people = 100;
const idOf = (at: number): string => `person-${String(at).padStart(3, "0")}`;

describe("the format of a database", () => {
  let store: TestStore;
  let database: string;
  let watch: Mongo;
  let count = 0;
  const opened: (Mongo | ChildProcess)[] = [];

  beforeAll(async () => {
    store = await startTestStore();
  });
  beforeEach(async () => {
    count += 1;
    database = store.database(`format-${count}`);
    watch = await openMongo({ uri: store.mongoUri, database, profile: "local", tracing: noTracing });
  });
  afterEach(async () => {
    for (const one of opened.splice(0)) {
      if ("stop" in one) await one.stop();
      else one.kill("SIGKILL");
    }
    await watch.stop();
  });
  afterAll(() => store.stop());

  /** A replica of a release; without migrations it is one of the release before. */
  const open = async (options: FormatOptions = {}): Promise<Mongo> => {
    const place = { uri: store.mongoUri, database, profile: "local", tracing: noTracing } as const;
    const mongo = await openServiceStore({ ...place, everyMs: 20, goneAfterMs: 0, leaseMs: 2_000, ...options });
    opened.push(mongo);
    return mongo;
  };
  const stop = async (mongo: Mongo): Promise<void> => {
    opened.splice(opened.indexOf(mongo), 1);
    await mongo.stop();
  };
  const fill = async (): Promise<void> => {
    const names = Array.from({ length: people }, (_, at) => ({ _id: idOf(at), name: `Ada Lovelace-${at}` }));
    await watch.connection.collection<PersonRecord>("people").insertMany(names);
  };
  const stored = (): Promise<PersonRecord[]> =>
    watch.connection.collection<PersonRecord>("people").find({}, { hint: "_id_" }).sort({ _id: 1 }).toArray();
  const format = () =>
    watch.connection.collection<{ _id: string; number: number; isDone: boolean; after: string }>("formats").findOne({
      _id: "storage",
    });
  const untilDone = (number: number) => until(format, (found) => found?.number === number && found.isDone);
  const changed = Array.from({ length: people }, (_, at) => ({
    _id: idOf(at),
    first: "Ada",
    last: `Lovelace-${at}`,
    changes: 1,
  }));

  it("is that of the release that made it, and nothing is changed in it", async () => {
    const steps: number[] = [];
    await fill();
    await open({ migrations: [splitNames(async () => void steps.push(1))] });
    await open({ migrations: [splitNames()] });

    expect(await format()).toMatchObject({ number: 2, isDone: true });
    expect(steps).toEqual([]);
  });

  it("becomes the next one once, however many replicas there are, and again when a migration is done twice", async () => {
    await stop(await open());
    await fill();
    const replicas = [1, 2, 3].map(() => open({ migrations: [splitNames()] }));
    await Promise.all(replicas);

    expect(await untilDone(2)).toMatchObject({ number: 2, isDone: true });
    expect(await stored()).toEqual(changed);
    await splitNames().changeSome(watch.connection, "");
    expect(await stored()).toEqual(changed);
  });

  it("waits while a replica of the release before runs, which may come back until then", async () => {
    const earlier = await open();
    await fill();
    const goneAfterMs = 4_000;
    await open({ migrations: [splitNames()], goneAfterMs });
    const seen = async () =>
      watch.connection.collection<{ _id: string; at: Date }>("format_readers").findOne({ _id: "2" });
    const first = await seen();
    // It has looked a good number of times.
    await until(seen, (found) => (found?.at.getTime() ?? 0) - (first?.at.getTime() ?? 0) > 1_000);

    expect(await format()).toMatchObject({ number: 1, isDone: true });
    await stop(await open());
    await stop(earlier);
    expect(await untilDone(2)).toMatchObject({ number: 2, isDone: true });
    expect(await stored()).toEqual(changed);
  });

  it("goes on where a process was killed, and changes each record once", async () => {
    await stop(await open());
    await fill();
    const program = compiled("test/support/migrating-process");
    const child = spawn(process.execPath, [program, store.mongoUri, database, idOf(39)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    opened.push(child);
    const said: string[] = [];
    child.stdout.on("data", (chunk: Buffer) => void said.push(chunk.toString("utf8")));
    await until(
      async () => said.join(""),
      (text) => text.includes("half way"),
    );
    child.kill("SIGKILL");
    const half = await stored();

    expect(half.filter(({ changes }) => changes === 1)).toHaveLength(45);
    expect(await format()).toMatchObject({ number: 2, isDone: false, after: idOf(39) });
    const begunAt: string[] = [];
    await open({ migrations: [splitNames(async (after) => void begunAt.push(after))] });
    expect(await untilDone(2)).toMatchObject({ isDone: true });
    expect(begunAt[0]).toBe(idOf(39));
    expect(await stored()).toEqual(changed);
  });

  it("refuses the release before it once a migration has begun, in one sentence, and a service does not start", async () => {
    await stop(await open());
    await fill();
    await open({ migrations: [splitNames()] });
    await untilDone(2);
    const sentence =
      `database ${database} has storage format 2 and this release knows formats up to 1: ` +
      "start the newer release again, or restore a copy of before its migration";

    await expect(open()).rejects.toThrow(sentence);
    const env = { PROFILE: "local", GRPC_PORT: "0", MONGODB_URI: store.mongoUri, MONGODB_DATABASE: database };
    const service = spawn(process.execPath, [compiled("services/schema/main")], { env });
    opened.push(service);
    const [lines, code] = await Promise.all([
      service.stdout.setEncoding("utf8").toArray(),
      new Promise((resolve) => service.once("exit", resolve)),
    ]);
    expect(code).toBe(1);
    expect(lines.join("")).toContain(sentence);
  });

  it("tells when a migration begins and ends, and a failure does not end the service", async () => {
    await stop(await open());
    await fill();
    const said: string[] = [];
    const say = (_fields: unknown, text: string): void => void said.push(text);
    const logger = { debug: say, info: say, warn: say, error: say } as unknown as Logger;
    let isBroken = true;
    const breaks = async (): Promise<void> => {
      if (isBroken) throw new Error("broken");
    };
    await open({ migrations: [splitNames(breaks)], logger });
    await until(
      async () => said,
      (texts) => texts.includes("a migration could not go on"),
    );
    isBroken = false;

    expect(await untilDone(2)).toMatchObject({ isDone: true });
    expect(await stored()).toEqual(changed);
    expect(said[0]).toBe("a migration begins");
    expect(said.at(-1)).toBe("a migration is done");
  });
});
