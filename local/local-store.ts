import { mkdir } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { types } from "node:util";
import { mongo } from "mongoose";
import { refusalOfStore } from "../services/shared/process/production-checks";
import { compiled } from "./compiled";
import { startEmbeddedStore } from "./embedded-store/start";
import { findProgram } from "./find-program";
import { freePorts } from "./free-port";
import { type ManagedProcess, manageProcess } from "./managed-process";

export interface StoreChoice {
  /** Folder of the store's files. */
  dir: string;
  /** Port on 127.0.0.1; by default a free one. */
  port?: number;
  /** Receives one line with the chosen store and the reason. */
  log: (line: string) => void;
  /** Runs the embedded store as a separate process, from the compiled program, so that it can be killed alone. */
  spawned?: boolean;
  /** For tests: the embedded store refuses queries without an index, so that a missing index fails a test. */
  refusesScans?: boolean;
  /** For tests: a store started here accepts `configureFailPoint`, which MongoDB has for its own tests. */
  failpoints?: boolean;
  env?: NodeJS.ProcessEnv;
}

export interface ChosenStore {
  uri: string;
  kind: "configured" | "mongod" | "embedded";
  why: string;
  /** The store's process, when it was started here. It can be killed and restarted at the same address. */
  process: ManagedProcess | undefined;
  stop(): Promise<void>;
}

const replicaSet = "corridor";
/** Limits the heap: one that grows with the machine would keep a hundred idle megabytes after every long scan. */
const heapLimits = ["--max-semi-space-size=4", "--max-old-space-size=512"];
const answerTimeoutMs = 3_000;
/**
 * A killed service leaves its transaction open, and no other can write the same documents until this limit. Our transactions
 * take milliseconds; MongoDB's own limit of 60 seconds would be a long wait after a crash.
 */
const transactionSeconds = 5;

/** Uses MONGODB_URI if set, else starts a mongod on PATH as a one-node replica set, else the embedded store. */
export async function chooseStore(choice: StoreChoice): Promise<ChosenStore> {
  const store = await startChosen(choice, choice.env ?? process.env);
  choice.log(`store: ${store.kind} (${store.why})`);
  return store;
}

async function startChosen(choice: StoreChoice, env: NodeJS.ProcessEnv): Promise<ChosenStore> {
  const configured = env["MONGODB_URI"];
  if (configured) return await useConfigured(configured);
  const { dir } = choice;
  const port = choice.port ?? (await freePorts(1))[0] ?? 0;
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const mongod = findProgram("mongod", env["PATH"] ?? "");
  if (mongod !== undefined) {
    const args = ["--replSet", replicaSet, "--dbpath", dir, "--bind_ip", "127.0.0.1", "--port", String(port)];
    args.push("--setParameter", `transactionLifetimeLimitSeconds=${transactionSeconds}`);
    if (choice.failpoints) args.push("--setParameter", "enableTestCommands=1");
    return await run({ kind: "mongod", why: `${mongod} is on this machine`, command: mongod, args, dir, port });
  }
  const why = "there is no MONGODB_URI and no mongod on PATH";
  if (choice.spawned) {
    const args = [...heapLimits, compiled("local/embedded-store/main"), "--data", dir, "--port", String(port)];
    args.push("--transaction-seconds", String(transactionSeconds));
    if (choice.refusesScans) args.push("--refuse-scans");
    if (choice.failpoints) args.push("--failpoints");
    return await run({ kind: "embedded", why, command: process.execPath, args, dir, port });
  }
  const { uri, stop } = await startEmbeddedStore({
    dir,
    port,
    transactionSeconds,
    failOnScan: choice.refusesScans ?? false,
    failpoints: choice.failpoints ?? false,
  });
  return { uri, kind: "embedded", why, process: undefined, stop };
}

async function useConfigured(uri: string): Promise<ChosenStore> {
  const hello = await ask(uri, { hello: 1 }).catch((error: unknown) => {
    throw new Error(`MONGODB_URI names a store that does not answer: ${codesOf(error)}`);
  });
  if (hello["setName"] === undefined) throw new Error("MONGODB_URI must name a replica set; transactions need one");
  const refusal = refusalOfStore(await ask(uri, { buildInfo: 1 }));
  if (refusal !== undefined) throw new Error(refusal);
  return { uri, kind: "configured", why: "MONGODB_URI is set", process: undefined, stop: async () => undefined };
}

/**
 * Names a failure by the codes of the server and the system. The address may contain a password, so neither it nor the
 * driver's messages about it are repeated.
 */
export function codesOf(error: unknown): string {
  const words: string[] = [];
  const add = (one: unknown): void => {
    if (!types.isNativeError(one) || words.length > 8) return;
    const codes = ["code", "codeName"].flatMap((name) => {
      const code: unknown = Reflect.get(one, name);
      return typeof code === "string" || typeof code === "number" ? [String(code)] : [];
    });
    words.push([one.name, ...codes].join(" "));
    const servers: unknown = Reflect.get(Object(Reflect.get(one, "reason")), "servers");
    if (servers instanceof Map) for (const server of servers.values()) add(Reflect.get(Object(server), "error"));
    add(one.cause);
  };
  add(error);
  return [...new Set(words)].join(", ");
}

interface StoreProgram {
  kind: "mongod" | "embedded";
  why: string;
  command: string;
  args: string[];
  dir: string;
  port: number;
}

async function run({ kind, why, command, args, dir, port }: StoreProgram): Promise<ChosenStore> {
  const direct = `mongodb://127.0.0.1:${port}/?directConnection=true`;
  const started = manageProcess({
    name: "store",
    command,
    args,
    env: {},
    logFile: join(dir, "store.log"),
    ...(kind === "embedded" ? { saysReady: /"ready":true/ } : {}),
    isReady: async () => (await isListening(port)) && (await isPrimary(direct, port).catch(() => false)),
  });
  await started.start();
  const setName = String((await ask(direct, { hello: 1 }))["setName"]);
  return {
    uri: `mongodb://127.0.0.1:${port}/?replicaSet=${setName}`,
    kind,
    why,
    process: started,
    async stop() {
      await started.end("SIGTERM");
    },
  };
}

/** True once the store accepts writes. Makes a new mongod a replica set first. */
async function isPrimary(uri: string, port: number): Promise<boolean> {
  const hello = await ask(uri, { hello: 1 });
  if (hello["isWritablePrimary"] === true) return true;
  if (hello["setName"] === undefined) {
    const members = [{ _id: 0, host: `127.0.0.1:${port}` }];
    await ask(uri, { replSetInitiate: { _id: replicaSet, members } });
  }
  return false;
}

async function ask(uri: string, command: mongo.Document): Promise<Readonly<Record<string, unknown>>> {
  const client = new mongo.MongoClient(uri, { serverSelectionTimeoutMS: answerTimeoutMs });
  try {
    return await client.db("admin").command(command);
  } finally {
    await client.close();
  }
}

async function isListening(port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
