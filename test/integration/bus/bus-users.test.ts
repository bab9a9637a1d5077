import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect, type NatsConnection, PermissionViolationError } from "@nats-io/transport-node";
import { freePorts } from "../../../local/free-port";
import { ensureLocalCa } from "../../../local/local-ca";
import { manageProcess } from "../../../local/managed-process";
import { ensureNatsServer, type RunningNats, startNats } from "../../../local/nats";
import { startConsumer } from "../../../services/shared/bus/bus-consumer";
import { type BusUserName, busAccounts, busUserNames } from "../../../services/shared/bus/bus-users";
import { type Bus, openBus, openServiceBus, streamOf } from "../../../services/shared/bus/jetstream";
import { makeParkedMessages } from "../../../services/shared/bus/parked-messages";
import type { Running } from "../../../services/shared/process/lifecycle";
import { makeMetrics } from "../../../services/shared/process/metrics";
import { noTracing } from "../../../services/shared/process/tracing";
import { type Mongo, openMongo } from "../../../services/shared/storage/mongo";
import { startTestStore, type TestStore } from "../../support/testbed";
import { eventually, silent } from "./bus-testbed";

const tellers = {
  auth: "corridor.auth.agents",
  identity: "corridor.identity.documents",
  payment: "corridor.payment.events",
  wallet: "corridor.wallet.events",
  webhook: "corridor.webhook.subscriptions",
} as const;
type Teller = keyof typeof tellers;
const hearers: Readonly<Record<"auth" | "wallet" | "webhook", readonly Teller[]>> = {
  auth: ["webhook"],
  wallet: ["payment"],
  webhook: ["payment", "identity", "auth"],
};

/** What each user may publish on and subscribe to; `…` stands for one word that is free. */
const declared: Readonly<Record<BusUserName, { publish: string[]; subscribe: string[] }>> = {
  auth: {
    publish: [
      "$SYS.REQ.USER.INFO",
      "corridor.auth.agents",
      "corridor.auth.anchors",
      "corridor-nudge.CORRIDOR_AUTH",
      "corridor-due.auth",
      "$JS.API.STREAM.CREATE.CORRIDOR_AUTH",
      "$JS.API.STREAM.INFO.CORRIDOR_AUTH",
      "$JS.API.STREAM.MSG.GET.CORRIDOR_AUTH",
      "$JS.API.STREAM.INFO.CORRIDOR_WEBHOOK",
      "corridor-replay.CORRIDOR_WEBHOOK",
      "$JS.API.CONSUMER.CREATE.CORRIDOR_WEBHOOK.auth.corridor.webhook.subscriptions",
      "$JS.API.CONSUMER.INFO.CORRIDOR_WEBHOOK.auth",
      "$JS.API.CONSUMER.DELETE.CORRIDOR_WEBHOOK.auth",
      "$JS.API.CONSUMER.MSG.NEXT.CORRIDOR_WEBHOOK.auth",
      "$JS.ACK.CORRIDOR_WEBHOOK.auth.…",
      "corridor-access",
      "corridor-parked",
    ],
    subscribe: [
      "_INBOX.auth.…",
      "corridor-nudge.CORRIDOR_AUTH",
      "corridor-due.auth",
      "corridor-replay.CORRIDOR_AUTH",
      "corridor-access",
    ],
  },
  gateway: { publish: ["$SYS.REQ.USER.INFO"], subscribe: ["_INBOX.gateway.…", "corridor-access", "corridor-feeds"] },
  identity: {
    publish: [
      "$SYS.REQ.USER.INFO",
      "corridor.identity.documents",
      "corridor.identity.decisions",
      "corridor.identity.erasures",
      "corridor-nudge.CORRIDOR_IDENTITY",
      "corridor-due.identity",
      "$JS.API.STREAM.CREATE.CORRIDOR_IDENTITY",
      "$JS.API.STREAM.INFO.CORRIDOR_IDENTITY",
    ],
    subscribe: [
      "_INBOX.identity.…",
      "corridor-nudge.CORRIDOR_IDENTITY",
      "corridor-due.identity",
      "corridor-replay.CORRIDOR_IDENTITY",
    ],
  },
  payment: {
    publish: [
      "$SYS.REQ.USER.INFO",
      "corridor.payment.events",
      "corridor-nudge.CORRIDOR_PAYMENT",
      "corridor-due.payment",
      "$JS.API.STREAM.CREATE.CORRIDOR_PAYMENT",
      "$JS.API.STREAM.INFO.CORRIDOR_PAYMENT",
      "$JS.API.STREAM.INFO.CORRIDOR_IDENTITY",
      "corridor-replay.CORRIDOR_IDENTITY",
      "$JS.API.CONSUMER.CREATE.CORRIDOR_IDENTITY.payment.corridor.identity.decisions",
      "$JS.API.CONSUMER.INFO.CORRIDOR_IDENTITY.payment",
      "$JS.API.CONSUMER.DELETE.CORRIDOR_IDENTITY.payment",
      "$JS.API.CONSUMER.MSG.NEXT.CORRIDOR_IDENTITY.payment",
      "$JS.ACK.CORRIDOR_IDENTITY.payment.…",
      "$JS.API.CONSUMER.CREATE.CORRIDOR_IDENTITY.payment-erasures.corridor.identity.erasures",
      "$JS.API.CONSUMER.INFO.CORRIDOR_IDENTITY.payment-erasures",
      "$JS.API.CONSUMER.DELETE.CORRIDOR_IDENTITY.payment-erasures",
      "$JS.API.CONSUMER.MSG.NEXT.CORRIDOR_IDENTITY.payment-erasures",
      "$JS.ACK.CORRIDOR_IDENTITY.payment-erasures.…",
      "corridor-parked",
      "corridor-payments-touched",
    ],
    subscribe: [
      "_INBOX.payment.…",
      "corridor-nudge.CORRIDOR_PAYMENT",
      "corridor-due.payment",
      "corridor-replay.CORRIDOR_PAYMENT",
      "corridor-parked",
      "corridor-payments-touched",
      "corridor.payment.events",
    ],
  },
  wallet: {
    publish: [
      "$SYS.REQ.USER.INFO",
      "corridor.wallet.events",
      "corridor.wallet.anchors",
      "corridor-nudge.CORRIDOR_WALLET",
      "corridor-due.wallet",
      "$JS.API.STREAM.CREATE.CORRIDOR_WALLET",
      "$JS.API.STREAM.INFO.CORRIDOR_WALLET",
      "$JS.API.STREAM.MSG.GET.CORRIDOR_WALLET",
      "$JS.API.STREAM.INFO.CORRIDOR_PAYMENT",
      "corridor-replay.CORRIDOR_PAYMENT",
      "$JS.API.CONSUMER.CREATE.CORRIDOR_PAYMENT.wallet.corridor.payment.events",
      "$JS.API.CONSUMER.INFO.CORRIDOR_PAYMENT.wallet",
      "$JS.API.CONSUMER.DELETE.CORRIDOR_PAYMENT.wallet",
      "$JS.API.CONSUMER.MSG.NEXT.CORRIDOR_PAYMENT.wallet",
      "$JS.ACK.CORRIDOR_PAYMENT.wallet.…",
      "corridor-parked",
    ],
    subscribe: [
      "_INBOX.wallet.…",
      "corridor-nudge.CORRIDOR_WALLET",
      "corridor-due.wallet",
      "corridor-replay.CORRIDOR_WALLET",
    ],
  },
  webhook: {
    publish: [
      "$SYS.REQ.USER.INFO",
      "corridor.webhook.subscriptions",
      "corridor-nudge.CORRIDOR_WEBHOOK",
      "corridor-due.webhook",
      "$JS.API.STREAM.CREATE.CORRIDOR_WEBHOOK",
      "$JS.API.STREAM.INFO.CORRIDOR_WEBHOOK",
      "$JS.API.STREAM.INFO.CORRIDOR_PAYMENT",
      "corridor-replay.CORRIDOR_PAYMENT",
      "$JS.API.CONSUMER.CREATE.CORRIDOR_PAYMENT.webhook.corridor.payment.events",
      "$JS.API.CONSUMER.INFO.CORRIDOR_PAYMENT.webhook",
      "$JS.API.CONSUMER.DELETE.CORRIDOR_PAYMENT.webhook",
      "$JS.API.CONSUMER.MSG.NEXT.CORRIDOR_PAYMENT.webhook",
      "$JS.ACK.CORRIDOR_PAYMENT.webhook.…",
      "$JS.API.STREAM.INFO.CORRIDOR_IDENTITY",
      "corridor-replay.CORRIDOR_IDENTITY",
      "$JS.API.CONSUMER.CREATE.CORRIDOR_IDENTITY.webhook.corridor.identity.documents",
      "$JS.API.CONSUMER.INFO.CORRIDOR_IDENTITY.webhook",
      "$JS.API.CONSUMER.DELETE.CORRIDOR_IDENTITY.webhook",
      "$JS.API.CONSUMER.MSG.NEXT.CORRIDOR_IDENTITY.webhook",
      "$JS.ACK.CORRIDOR_IDENTITY.webhook.…",
      "$JS.API.STREAM.INFO.CORRIDOR_AUTH",
      "corridor-replay.CORRIDOR_AUTH",
      "$JS.API.CONSUMER.CREATE.CORRIDOR_AUTH.webhook.corridor.auth.agents",
      "$JS.API.CONSUMER.INFO.CORRIDOR_AUTH.webhook",
      "$JS.API.CONSUMER.DELETE.CORRIDOR_AUTH.webhook",
      "$JS.API.CONSUMER.MSG.NEXT.CORRIDOR_AUTH.webhook",
      "$JS.ACK.CORRIDOR_AUTH.webhook.…",
      "corridor-parked",
      "corridor-subscriptions",
      "corridor-feeds",
    ],
    subscribe: [
      "_INBOX.webhook.…",
      "corridor-nudge.CORRIDOR_WEBHOOK",
      "corridor-due.webhook",
      "corridor-replay.CORRIDOR_WEBHOOK",
      "corridor-subscriptions",
    ],
  },
};

const streams = Object.keys(tellers).map((name) => `CORRIDOR_${name.toUpperCase()}`);

/** Every subject of the platform, and those that only an overseer has business with. */
const subjects = [
  ...new Set([
    ...Object.values(declared).flatMap(({ publish, subscribe }) => [...publish, ...subscribe]),
    ...streams.flatMap((stream) => [
      `$JS.API.STREAM.DELETE.${stream}`,
      `$JS.API.STREAM.UPDATE.${stream}`,
      `$JS.API.STREAM.PURGE.${stream}`,
      `$JS.API.STREAM.MSG.DELETE.${stream}`,
      `$JS.API.STREAM.MSG.GET.${stream}`,
      `$JS.API.STREAM.SNAPSHOT.${stream}`,
      `$JS.API.STREAM.RESTORE.${stream}`,
      `$JS.API.DIRECT.GET.${stream}`,
      `$JS.API.CONSUMER.CREATE.${stream}`,
      ...busUserNames.flatMap((user) => [
        `$JS.API.CONSUMER.DELETE.${stream}.${user}`,
        `$JS.API.CONSUMER.DURABLE.CREATE.${stream}.${user}`,
        `$JS.API.CONSUMER.CREATE.${stream}.${user}`,
      ]),
    ]),
    "$JS.API.STREAM.CREATE.OTHER",
    "$JS.API.STREAM.LIST",
    "$SYS.REQ.SERVER.PING",
    "corridor.payment.other",
    "corridor.other",
    "other",
    "_INBOX.…",
  ]),
].map((subject) => subject.replace("…", "word"));
const broad = [">", "corridor.>", "corridor.payment.>", "_INBOX.>", "_INBOX.*.word", "$JS.>", "$JS.API.>", "$SYS.>"];
const spoken = (allowed: readonly string[]): string[] => allowed.map((one) => one.replace("…", "word")).toSorted();

describe("the users of the bus", () => {
  let dir: string;
  let nats: RunningNats;
  let store: TestStore;
  let mongo: Mongo;
  const opened: Running[] = [];
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), "corridor-users-"));
    nats = await startNats({ dir });
    store = await startTestStore();
    const database = store.database("bus-users");
    mongo = await openMongo({ uri: store.mongoUri, database, profile: "local", tracing: noTracing });
  });
  afterEach(async () => {
    for (const part of opened.splice(0).toReversed()) await part.stop();
  });
  afterAll(async () => {
    await mongo.stop();
    await store.stop();
    await nats.stop();
    await rm(dir, { recursive: true, force: true });
  });

  const connectAs = async (user: string, passwordFile: string): Promise<NatsConnection> =>
    connect({ servers: nats.address, reconnect: false, user, pass: await readFile(passwordFile, "utf8") });
  const configOf = (user: BusUserName) => ({
    PROFILE: "local" as const,
    NATS_URL: nats.address,
    NATS_PASSWORD_FILE: nats.passwordFile(user),
    NATS_CA_FILE: undefined,
  });
  const open = async (user: BusUserName): Promise<Bus> => {
    const bus = await openServiceBus(user, configOf(user), silent);
    opened.push(bus);
    return bus;
  };

  /** The administrator of the bus, whom no service is. */
  const overseer = async () => {
    const { username, password } = new URL(nats.url);
    const connection = await connect({ servers: nats.address, user: username, pass: password });
    opened.push({ stop: () => connection.close() });
    return jetstreamManager(connection);
  };

  it.each(busUserNames)("publish on what is theirs and on nothing else: %s", async (user) => {
    const connection = await connectAs(user, nats.passwordFile(user));
    const refused = new Set<string>();
    const watch = async (): Promise<void> => {
      for await (const status of connection.status()) {
        if (status.type === "error" && status.error instanceof PermissionViolationError) {
          refused.add(status.error.subject);
        }
      }
    };
    const watching = watch();
    for (const subject of subjects) connection.publish(subject, "{}");
    await connection.flush();
    await connection.close();
    await watching;

    expect(subjects.filter((subject) => !refused.has(subject)).toSorted()).toEqual(spoken(declared[user].publish));
  });

  it.each(busUserNames)("subscribe to what is theirs and to nothing else: %s", async (user) => {
    const connection = await connectAs(user, nats.passwordFile(user));
    const refused = new Set<string>();
    const callback = (error: Error | null): void => {
      if (error instanceof PermissionViolationError) refused.add(error.subject);
    };
    for (const subject of [...subjects, ...broad]) connection.subscribe(subject, { callback });
    await connection.flush();
    await connection.close();

    const allowed = [...subjects, ...broad].filter((subject) => !refused.has(subject));
    expect(allowed.toSorted()).toEqual(spoken(declared[user].subscribe));
  });

  it("are the only ones: nobody enters without a password, nor with that of another", async () => {
    await expect(connect({ servers: nats.address, reconnect: false })).rejects.toThrow(/authorization/i);
    await expect(connectAs("wallet", nats.passwordFile("payment"))).rejects.toThrow(/authorization/i);
    await expect(connectAs("schema", nats.passwordFile("payment"))).rejects.toThrow(/authorization/i);
  });

  it("can do their work: those who tell fill their streams, those who hear take from them", async () => {
    for (const teller of Object.keys(tellers) as Teller[]) {
      const bus = await open(teller);
      await bus.ensureStream(streamOf(teller, 1));
      await bus.ensureStream(streamOf(teller, 1));
      const facts = { traceparent: undefined, committedAt: new Date() };
      await bus.publish({ id: `${teller}-1`, subject: tellers[teller], payload: Buffer.from(teller), ...facts });
    }
    const heard: string[] = [];
    for (const hearer of ["auth", "wallet", "webhook"] as const) {
      const bus = await open(hearer);
      const consumers = hearers[hearer].map((teller) =>
        startConsumer({
          bus,
          stream: streamOf(teller, 1).name,
          subject: tellers[teller],
          durable: hearer,
          decode: (payload) => Buffer.from(payload).toString(),
          keyOf: (text) => text,
          handle: async (text: string) => void heard.push(`${hearer} ${text}`),
          parked: makeParkedMessages(mongo.connection),
          connection: mongo.connection,
          logger: silent,
          tracing: noTracing,
          metrics: makeMetrics("test"),
        }),
      );
      opened.push(...consumers);
    }
    await eventually(() => heard.length === 5, 60_000);

    expect(heard.toSorted()).toEqual([
      "auth webhook",
      "wallet payment",
      "webhook auth",
      "webhook identity",
      "webhook payment",
    ]);
  });

  /** Consumes decisions of identity as the payment service does. */
  const hearDecisions = async (heard: string[], errors: unknown[]): Promise<void> => {
    const consumer = startConsumer({
      bus: await open("payment"),
      stream: streamOf("identity", 1).name,
      subject: "corridor.identity.decisions",
      durable: "payment",
      decode: (payload) => Buffer.from(payload).toString(),
      keyOf: (text) => text,
      handle: async (text: string) => void heard.push(text),
      parked: makeParkedMessages(mongo.connection),
      connection: mongo.connection,
      logger: { ...silent, error: (fields) => errors.push(fields) },
      tracing: noTracing,
      metrics: makeMetrics("test"),
    });
    opened.push(consumer);
  };
  const facts = () => ({ traceparent: undefined, committedAt: new Date() });

  it("are not heard on a subject of another, to which their own stream has the server copy", async () => {
    const { streams } = await overseer();
    await streams.delete("CORRIDOR_WEBHOOK").catch(() => undefined);
    const [identity, webhook] = [await open("identity"), await open("webhook")];
    await identity.ensureStream(streamOf("identity", 1));
    const decisions = "corridor.identity.decisions";
    const { manager } = await webhook.client();
    await manager.streams.add({
      name: "CORRIDOR_WEBHOOK",
      subjects: ["corridor.webhook.>"],
      republish: { src: tellers.webhook, dest: decisions },
    });
    await webhook.publish({ id: "w-1", subject: tellers.webhook, payload: Buffer.from("forged"), ...facts() });
    const last = () => streams.getMessage("CORRIDOR_IDENTITY", { last_by_subj: decisions }).catch(() => null);
    await eventually(async () => (await last())?.string() === "forged", 60_000);
    await identity.publish({ id: "i-1", subject: decisions, payload: Buffer.from("of identity"), ...facts() });

    const [heard, errors]: [string[], unknown[]] = [[], []];
    await hearDecisions(heard, errors);
    await eventually(() => heard.includes("of identity") && heard.length + errors.length === 2, 60_000);

    expect(heard).toEqual(["of identity"]);
    expect(errors).toEqual([expect.objectContaining({ cause: "the message was copied from stream CORRIDOR_WEBHOOK" })]);
    await expect(webhook.ensureStream(streamOf("webhook", 1))).rejects.toThrow(/another configuration.* republish/);
    await streams.delete("CORRIDOR_WEBHOOK");
  });

  it("fill no stream that copies from another, keeps too little or takes subjects of others", async () => {
    const webhook = await open("webhook");
    await webhook.ensureStream(streamOf("webhook", 1));
    const { manager } = await webhook.client();
    const wider = { subjects: ["corridor.webhook.>"], sources: [{ name: "CORRIDOR_IDENTITY" }] };
    await expect(manager.streams.update("CORRIDOR_WEBHOOK", wider)).rejects.toThrow(/[Pp]ermission/);

    const changed: [Parameters<Awaited<ReturnType<typeof overseer>>["streams"]["update"]>[1], string][] = [
      [{ sources: [{ name: "CORRIDOR_IDENTITY" }] }, "sources"],
      [{ sources: [], subjects: ["corridor.webhook.>", "_INBOX.wallet.>"] }, "subjects"],
      [{ subjects: ["corridor.webhook.>"], max_age: 1_000_000_000, duplicate_window: 1_000_000_000 }, "max_age"],
    ];
    const { streams } = await overseer();
    for (const [change, member] of changed) {
      await streams.update("CORRIDOR_WEBHOOK", change);
      await expect(webhook.ensureStream(streamOf("webhook", 1))).rejects.toThrow(
        new RegExp(`CORRIDOR_WEBHOOK has another configuration than this release makes, in .*${member}`),
      );
    }
    await streams.update("CORRIDOR_WEBHOOK", { max_age: 0, duplicate_window: 3_600_000_000_000 });
    await expect(webhook.ensureStream(streamOf("webhook", 1))).resolves.toHaveProperty("created");
    await streams.delete("CORRIDOR_WEBHOOK");
    await expect(webhook.ensureStream(streamOf("webhook", 1))).resolves.toMatchObject({ lastSequence: 0 });
  });

  it("take up a new password without a restart", async () => {
    const passwordFile = join(dir, "renewed");
    await writeFile(passwordFile, "old");
    const bus = await openBus({ url: nats.address, name: "auth", passwordFile, logger: silent });
    opened.push(bus);
    await expect(bus.client()).rejects.toThrow("does not answer");

    await copyFile(nats.passwordFile("auth"), passwordFile);

    await eventually(async () => (await bus.client().catch(() => undefined)) !== undefined, 60_000);
  });

  it("come over TLS to a server with the printed accounts and passwords of its environment", async () => {
    const { caFile, certFile, keyFile } = await ensureLocalCa(join(dir, "tls"));
    const configFile = join(dir, "tls.conf");
    const passwordFile = join(dir, "tls-password");
    const [port = 0] = await freePorts(1);
    const config = [
      `listen: "127.0.0.1:${port}"`,
      `jetstream { store_dir: "${join(dir, "tls-streams")}" }`,
      `tls { cert_file: "${certFile}", key_file: "${keyFile}" }`,
      busAccounts((user) => `$CORRIDOR_BUS_${user.toUpperCase()}`),
    ];
    await writeFile(configFile, config.join("\n"));
    await writeFile(passwordFile, "p-payment\n");
    const passwords = busUserNames.map((user) => [`CORRIDOR_BUS_${user.toUpperCase()}`, `p-${user}`]);
    const { command } = await ensureNatsServer();
    const server = manageProcess({
      name: "nats",
      command,
      args: ["--config", configFile],
      env: Object.fromEntries(passwords),
      logFile: join(dir, "tls.log"),
      isReady: async () => true,
    });
    await server.start();
    opened.push({ stop: async () => void (await server.end("SIGTERM")) });
    const facts = { NATS_URL: `tls://localhost:${port}`, NATS_PASSWORD_FILE: passwordFile, NATS_CA_FILE: caFile };
    // The server of this machine is older than production asks for.
    const bus = await openServiceBus("payment", { PROFILE: "sandbox", ...facts }, silent);
    opened.push(bus);

    await eventually(async () => (await bus.client().catch(() => undefined)) !== undefined, 60_000);

    expect(await bus.ensureStream(streamOf("payment", 1))).toMatchObject({ lastSequence: 0 });
  });

  it("enter in production with a password file and over TLS only", async () => {
    const config = { ...configOf("auth"), PROFILE: "production" as const };
    const withoutFile = { ...config, NATS_URL: "tls://127.0.0.1:4222", NATS_PASSWORD_FILE: undefined };

    await expect(openServiceBus("auth", config, silent)).rejects.toThrow("tls://");
    await expect(openServiceBus("auth", withoutFile, silent)).rejects.toThrow("NATS_PASSWORD_FILE");
  });
});
