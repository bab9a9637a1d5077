import { Double, Int32, Long } from "bson";
import { demand } from "../errors";
import { sessionIdOf, sessionTimeoutMinutes } from "../sessions";
import { type Doc, isDoc } from "../values/bson";
import { mostMessageBytes, type Reply } from "../wire/frame";
import { type Context, listField } from "./context";

/** Services recognise this name and refuse the store in production. */
const moduleName = "corridor-embedded-store";
export const imitatedVersion = "8.0.4";
/** Returns the wire version, which tells drivers the commands of a version; before 8.0 it is that of 7.0. */
const wireVersionOf = (version: string): number => (version.startsWith("8.") ? 25 : 21);
const mostBsonBytes = 16 * 1024 * 1024;

/** Requires driver and system of a client that describes itself. */
function checkClient(client: unknown): void {
  if (client === undefined) return;
  demand(isDoc(client), "TypeMismatch", "the client metadata document must be an object");
  const { driver, os } = client;
  const hasDriver = isDoc(driver) && typeof driver["name"] === "string" && typeof driver["version"] === "string";
  const missing = hasDriver ? "os" : "driver";
  const isWhole = hasDriver && isDoc(os) && typeof os["type"] === "string";
  const message = `Missing required sub-document '${missing}' in the client metadata document`;
  demand(isWhole, "ClientMetadataMissingField", message);
}

/** Omits `topologyVersion`: with it, drivers expect hello to be streamed. */
export function hello({ server, now }: Context, command: Doc): Reply {
  checkClient(command["client"]);
  const host = server.host();
  return {
    body: {
      helloOk: true,
      isWritablePrimary: true,
      ismaster: true,
      secondary: false,
      setName: "rs0",
      setVersion: new Int32(1),
      hosts: [host],
      primary: host,
      me: host,
      maxBsonObjectSize: new Int32(mostBsonBytes),
      maxMessageSizeBytes: new Int32(mostMessageBytes),
      maxWriteBatchSize: new Int32(100_000),
      localTime: now,
      logicalSessionTimeoutMinutes: new Int32(sessionTimeoutMinutes),
      connectionId: new Int32(1),
      minWireVersion: new Int32(0),
      maxWireVersion: new Int32(wireVersionOf(server.version)),
      readOnly: false,
    },
  };
}

export function buildInfo({ server: { version } }: Context): Reply {
  const versionArray = [...version.split(".").map(Number), 0].map((part) => new Int32(part));
  const facts = { bits: new Int32(64), maxBsonObjectSize: new Int32(mostBsonBytes) };
  return { body: { version, versionArray, modules: [moduleName], ...facts } };
}

export const ping = (): Reply => ({ body: {} });

export function getParameter({ server }: Context): Reply {
  const enableTestCommands = server.failPoints !== undefined;
  return { body: { enableTestCommands, transactionLifetimeLimitSeconds: new Int32(60) } };
}

export function serverStatus({ server }: Context): Reply {
  return {
    body: {
      process: moduleName,
      version: server.version,
      uptime: new Double(process.uptime()),
      mem: { resident: new Int32(Math.round(process.memoryUsage.rss() / 1024 / 1024)) },
      transactions: { currentOpen: Long.fromNumber(server.transactions.openCount()) },
      metrics: server.tally.metrics(),
    },
  };
}

/** How often each collection was accessed. Times are not recorded. */
export const top = ({ server }: Context): Reply => ({ body: { totals: server.tally.totals() } });

export function configureFailPoint({ server: { failPoints } }: Context, command: Doc): Reply {
  demand(failPoints !== undefined, "CommandNotFound", "no such command: 'configureFailPoint' (failpoints are off)");
  failPoints.configure(command);
  return { body: {} };
}

const copyName = /^[a-z0-9-]{1,64}$/;

/** Not in MongoDB, whose own tools make backups. The copy appears under its name once it is complete. */
export function corridorCopy(context: Context, { corridorCopy: name }: Doc): Reply {
  demand(typeof name === "string" && copyName.test(name), "BadValue", "corridorCopy takes a name of a-z, 0-9 and -");
  const { database } = context.server;
  database.copy(name);
  context.position = database.position();
  return { body: {} };
}

export function endSessions({ server }: Context, command: Doc): Reply {
  for (const lsid of listField(command, "endSessions" in command ? "endSessions" : "killSessions")) {
    const id = sessionIdOf(lsid);
    if (id !== undefined) server.sessions.end(id);
  }
  return { body: {} };
}

export function killAllSessions({ server }: Context): Reply {
  server.sessions.endAll();
  return { body: {} };
}
