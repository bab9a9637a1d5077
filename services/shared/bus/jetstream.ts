import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import {
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from "@nats-io/jetstream";
import {
  type Authenticator,
  connect,
  headers,
  type Msg,
  type NatsConnection,
  nanos,
  usernamePasswordAuthenticator,
} from "@nats-io/transport-node";
import type { Configured } from "../process/config";
import type { Running } from "../process/lifecycle";
import { errorFields, type Logger } from "../process/logger";
import { weaknessesOfBus, weaknessOfStream } from "../process/production-checks";
import type { busSettings, RuntimeConfig } from "../process/runtime";
import { type BusUserName, inboxOf, streamNameOf, userInfoSubject } from "./bus-users";
import { firstHeader } from "./novelty";
import type { OutboxMessage } from "./outbox";

/** A connected client of the bus. It reconnects automatically for as long as the process lives. */
export interface BusClient {
  connection: NatsConnection;
  jetstream: JetStreamClient;
  manager: JetStreamManager;
}

/** The stream of one producer. */
export interface StreamSpec {
  name: string;
  subjects: string[];
  replicas: number;
}

/** Identifies an incarnation of a stream. */
export interface StreamState {
  /** When the stream was created, as the server writes it. */
  created: string;
  lastSequence: number;
}

/** The place of a message in its stream. */
export interface Published {
  sequence: number;
  /** True when the stream already had it, at this sequence. */
  isRepeat: boolean;
}

/** The bus, reachable or not. Methods that return a promise reject within two seconds while the bus is away. */
export interface Bus extends Running {
  client(): Promise<BusClient>;
  /** Creates the stream if it is missing, and returns its incarnation. Throws for one that copies, keeps less or takes other subjects. */
  ensureStream(spec: StreamSpec): Promise<StreamState>;
  /** Resolves once the stream has the message. Repeats within two minutes are dropped. */
  publish(message: OutboxMessage): Promise<Published>;
  /**
   * Signals every process that listens on the subject. A signal without text that is given while the bus is away is sent once
   * it is back, unless the process ends before; one with text may be lost.
   */
  signal(subject: string, text?: string): void;
  /**
   * Calls back with the text of each signal on the subject, and with an empty text whenever signals may have been missed: at
   * each new connection.
   */
  onSignal(subject: string, hear: (text: string) => void): void;
  /** Calls back with the id of each message that is published on the subject, and likewise with an empty one. */
  onPublished(subject: string, hear: (id: string) => void): void;
  /** True while the connection is open, so that no message is missed. */
  isUp(): boolean;
}

export interface BusOptions {
  /** nats://host:port or tls://…, with user and password where there is no password file. */
  url: string;
  /** Name of the client; with a password file, the name of the user. */
  name: string;
  /** File with the password. It is read at each connection, so a new password needs no restart. */
  passwordFile?: string | undefined;
  /** Certificate authority of the server; absent: those that the machine trusts. */
  caFile?: string | undefined;
  /** Refuses a server, an account or a stream that may lose or disclose messages. */
  isProduction?: boolean;
  logger: Logger;
}

type BusConfig = Configured<typeof busSettings> & Pick<RuntimeConfig, "PROFILE">;

const connectRetryMs = 200;
const unfitRetryMs = 2_000;
/** Longest wait for one acknowledgement or API answer. A repeat is cheap: the stream drops it. */
const answerTimeoutMs = 2_000;
const dayMs = 24 * 60 * 60 * 1_000;
/** How long messages stay in a stream, and in the outbox that can refill it. */
export const retentionMs = 7 * dayMs;
const duplicateWindowMs = 2 * 60 * 1_000;
const streamNameInUse = 10_058;

/** The stream of a producing service: named after it, for all subjects below its name. */
export const streamOf = (service: string, replicas: number): StreamSpec => ({
  name: streamNameOf(service),
  subjects: [`corridor.${service}.>`],
  replicas,
});

/** Opens the bus as the user of a service. Production requires TLS and a password file. */
export async function openServiceBus(name: BusUserName, config: BusConfig, logger: Logger): Promise<Bus> {
  const { NATS_URL: url, NATS_PASSWORD_FILE: passwordFile, NATS_CA_FILE: caFile, PROFILE: profile } = config;
  const isProduction = profile === "production";
  if (isProduction && (passwordFile === undefined || !url.startsWith("tls:"))) {
    throw new Error("the production profile needs NATS_PASSWORD_FILE, and a NATS_URL that begins with tls://");
  }
  return openBus({ url, name, passwordFile, caFile, isProduction, logger });
}

/** Opens the bus without waiting for it: a service starts, and serves calls that need no bus, while it is away. */
export async function openBus(options: BusOptions): Promise<Bus> {
  const stopping = new AbortController();
  const connected = connectForEver(options, stopping.signal);
  connected.catch(() => {});
  let open: BusClient | undefined;
  let isUp = false;
  const signals = new Map<string, Listener>();
  const listen = ({ connection }: BusClient, subject: string, { read, hear }: Listener): void => {
    connection.subscribe(subject, {
      callback(error, message) {
        if (error === null) hear(read(message));
      },
    });
  };
  const hearOn = (subject: string, listener: Listener): void => {
    signals.set(subject, listener);
    if (open !== undefined) listen(open, subject, listener);
  };
  const given = new Set<string>();
  const client = async (): Promise<BusClient> => open ?? (await withinAnswerTime(connected));
  /** Catches up on signals that were lost in either direction. */
  const catchUp = async ({ connection }: BusClient): Promise<void> => {
    for (const subject of given) connection.publish(subject);
    // Resolves once the server knows the subscriptions: from here on no signal is missed.
    await connection.flush();
    isUp = true;
    for (const { hear } of signals.values()) hear("");
  };
  const lost = (): void => {
    isUp = false;
  };
  void connected.then((opened) => {
    open = opened;
    for (const [subject, listener] of signals) listen(opened, subject, listener);
    catchUp(opened).catch(ignore);
    void eachReconnect(opened.connection, () => catchUp(opened), lost).catch(ignore);
  }, ignore);
  return {
    client,
    async ensureStream(spec) {
      const weakness = options.isProduction ? weaknessOfStream(spec.name, spec.replicas) : undefined;
      if (weakness !== undefined) throw new Error(weakness);
      return ensureStream((await client()).manager, spec, options.logger);
    },
    publish: async (message) => publish((await client()).jetstream, message),
    signal(subject, text) {
      if (text === undefined) given.add(subject);
      if (open?.connection.isClosed() === false) open.connection.publish(subject, text);
    },
    onSignal: (subject, hear) => hearOn(subject, { read: (message) => message.string(), hear }),
    onPublished: (subject, hear) =>
      hearOn(subject, { read: ({ headers: given }) => given?.get(messageIdHeader) ?? "", hear }),
    isUp: () => isUp,
    async stop() {
      stopping.abort();
      isUp = false;
      const opened = await connected.catch(ignore);
      if (opened === undefined) return;
      await withinAnswerTime(opened.connection.flush()).catch(ignore);
      await opened.connection.close();
    },
  };
}

const ignore = (): undefined => undefined;

/** A callback, and how its argument is obtained from a message. */
interface Listener {
  read(message: Msg): string;
  hear(text: string): void;
}

/** Header with the id of a published message. */
const messageIdHeader = "Nats-Msg-Id";

/** Resolves when the connection ends. */
async function eachReconnect(connection: NatsConnection, work: () => Promise<void>, lost: () => void): Promise<void> {
  for await (const { type } of connection.status()) {
    if (type === "disconnect") lost();
    if (type === "reconnect") work().catch(ignore);
  }
}

async function withinAnswerTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("the bus does not answer")), answerTimeoutMs);
  });
  return Promise.race([answer, tooLate]).finally(() => clearTimeout(timer));
}

/** The credentials: those of the password file, else those in the URL. */
function authenticatorOf({ url, name, passwordFile }: BusOptions): Authenticator | undefined {
  const { username, password } = new URL(url);
  if (passwordFile !== undefined) {
    return usernamePasswordAuthenticator(name, () => readFileSync(passwordFile, "utf8").trimEnd());
  }
  return username === ""
    ? undefined
    : usernamePasswordAuthenticator(decodeURIComponent(username), decodeURIComponent(password));
}

async function connectForEver(options: BusOptions, stopping: AbortSignal): Promise<BusClient> {
  const { url, name, caFile, logger } = options;
  const { protocol, host } = new URL(url);
  const authenticator = authenticatorOf(options);
  for (;;) {
    if (stopping.aborted) throw new Error("the bus was closed before it answered");
    try {
      const connection = await connect({
        servers: host,
        name,
        ...(authenticator === undefined ? {} : { authenticator }),
        ...(protocol === "tls:" ? { tls: caFile === undefined ? {} : { caFile } } : {}),
        inboxPrefix: inboxOf(name),
        timeout: answerTimeoutMs,
        maxReconnectAttempts: -1,
        reconnectTimeWait: connectRetryMs,
        reconnectJitter: 50,
        ignoreAuthErrorAbort: true,
        pingInterval: 10_000,
        // Otherwise the client creates two errors with stack traces for each publication, in case it should fail.
        noAsyncTraces: true,
      });
      if (options.isProduction) await refuseWeakBus(connection);
      const manager = await jetstreamManager(connection, { checkAPI: false, timeout: answerTimeoutMs });
      return { connection, jetstream: jetstream(connection, { timeout: answerTimeoutMs }), manager };
    } catch (error) {
      const isUnfit = error instanceof UnfitBusError;
      if (isUnfit) logger.error(errorFields(error), "this process publishes no events");
      else logger.warn(errorFields(error), "the bus does not answer");
      await new Promise((resolve) => setTimeout(resolve, isUnfit ? unfitRetryMs : connectRetryMs));
    }
  }
}

class UnfitBusError extends Error {}

/** Closes the connection to a server that is unfit for production. Events wait in their outboxes until it is fit. */
async function refuseWeakBus(connection: NatsConnection): Promise<void> {
  const weaknesses = weaknessesOfBus({
    version: connection.info?.version ?? "",
    account: await accountOf(connection).catch(ignore),
  });
  if (weaknesses.length === 0) return;
  await connection.close();
  throw new UnfitBusError(`the bus is not fit for the production profile: ${weaknesses.join("; ")}`);
}

/** The account that the server assigned to us. */
async function accountOf(connection: NatsConnection): Promise<string | undefined> {
  const answer: unknown = (await connection.request(userInfoSubject, undefined, { timeout: answerTimeoutMs })).json();
  if (typeof answer !== "object" || answer === null || !("data" in answer)) return undefined;
  const { data } = answer;
  const account = typeof data === "object" && data !== null && "account" in data ? data.account : undefined;
  return typeof account === "string" ? account : undefined;
}

async function ensureStream(manager: JetStreamManager, spec: StreamSpec, logger: Logger): Promise<StreamState> {
  const wanted = {
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    subjects: spec.subjects,
    num_replicas: spec.replicas,
    max_age: nanos(retentionMs),
    duplicate_window: nanos(duplicateWindowMs),
  };
  const { created, state, config } = await manager.streams
    .add({ name: spec.name, ...wanted })
    .catch((error: unknown) => {
      if (error instanceof JetStreamApiError && error.code === streamNameInUse) return manager.streams.info(spec.name);
      throw error;
    });
  const strange = strangeMembers(config, wanted);
  if (strange.length > 0) {
    const what = `stream ${spec.name} has another configuration than this release makes, in ${strange.join(", ")}`;
    throw new Error(`${what}: whoever administers the bus changes it (docs/runbook.md)`);
  }
  if (config.num_replicas < spec.replicas) {
    const replicas = { there: config.num_replicas, wanted: spec.replicas };
    logger.warn({ stream: spec.name, replicas }, "the stream has fewer replicas than configured");
  }
  return { created, lastSequence: state.last_seq };
}

/** Members by which a server copies messages from or to somewhere else. */
const copying = ["mirror", "sources", "republish", "subject_transform"] as const;

const same = ["storage", "retention", "subjects"] as const;
/** Members that may be larger. */
const atLeast = ["max_age", "duplicate_window"] as const;

/** Names the members of a stream's configuration by which it keeps less than is wanted or something else, or copies messages. */
function strangeMembers(
  config: StreamConfig,
  wanted: Pick<StreamConfig, (typeof same | typeof atLeast)[number]>,
): string[] {
  return [
    ...same.filter((name) => !isDeepStrictEqual(config[name], wanted[name])),
    // No age is no limit.
    ...atLeast.filter((name) => config[name] !== 0 && config[name] < wanted[name]),
    ...copying.filter((name) => (config[name] ?? null) !== null),
  ];
}

async function publish(
  client: JetStreamClient,
  { id, subject, payload, traceparent, isFirst = false }: OutboxMessage,
): Promise<Published> {
  const given = headers();
  if (traceparent !== undefined) given.set("traceparent", traceparent);
  if (isFirst) given.set(firstHeader, "1");
  const { seq, duplicate } = await client.publish(subject, payload, { msgID: id, headers: given });
  return { sequence: seq, isRepeat: duplicate };
}
