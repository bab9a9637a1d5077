import { randomBytes, randomUUID } from "node:crypto";
import { mongo } from "mongoose";
import { SubscriptionEvents } from "../../../proto/gen/corridor/webhook/v1/subscription_events";
import { startPayment } from "../../../services/payment/app";
import { readPaymentConfig } from "../../../services/payment/config";
import { type Bus, openBus } from "../../../services/shared/bus/jetstream";
import type { RpcServer } from "../../../services/shared/rpc/rpc-server";
import { type AccessWorld, makeTenant, operatorToken, startAccessWorld } from "../access/access-world";
import { eventually, silent } from "../bus/bus-testbed";
import { httpCall } from "../gateway/http-call";

interface Row {
  caseId: string;
  state: string;
  openedAt: string;
}

const stream = "CORRIDOR_WEBHOOK";
const subject = "corridor.webhook.subscriptions";

describe("a message that a service puts aside", () => {
  let world: AccessWorld;
  let bus: Bus;
  let client: mongo.MongoClient;
  const replicas: RpcServer[] = [];
  let operatorPort: number | undefined;
  beforeAll(async () => {
    world = await startAccessWorld({ tenants: [makeTenant("demo")] });
    bus = await openBus({ url: world.testbed.natsUrl, name: "test", logger: silent });
    await bus.ensureStream({ name: stream, subjects: ["corridor.webhook.>"], replicas: 1 });
    client = await mongo.MongoClient.connect(world.testbed.mongoUri);
  });
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.stop()));
    await client.close();
    await bus.stop();
    await world.stop();
  });

  const operate = (method: string, path: string, body?: object) =>
    httpCall(operatorPort ?? 0, path, {
      method,
      headers: { authorization: `Bearer ${operatorToken}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const away = "ipv4:127.0.0.1:9";
  const parked = () => client.db(world.testbed.database("access")).collection<{ _id: string }>("parked_messages");
  const startReplica = async (): Promise<RpcServer> => {
    const file = (name: string, text: string): string => world.file(name, text);
    const secrets = ["pix", "bank", "upi", "dimo", "wallet", "card", "msn", "acquirer", "debits"];
    const lines = secrets.map((name) => `${name}=${randomBytes(32).toString("hex")}`);
    const env = {
      PROFILE: "local",
      LOG_LEVEL: "error",
      GRPC_PORT: "0",
      MONGODB_URI: world.testbed.mongoUri,
      MONGODB_DATABASE: world.testbed.database("payment"),
      ...world.testbed.busOf("payment"),
      SCHEMA_TARGET: away,
      FX_TARGET: away,
      WALLET_TARGET: away,
      IDENTITY_TARGET: away,
      AUTH_TARGET: `ipv4:127.0.0.1:${world.authPort}`,
      PAYMENT_SEALING_KEY_FILE: file("payment-sealing", "7".repeat(64)),
      RAIL_BASE_URL: "http://127.0.0.1:9",
      RAIL_API_KEY_FILE: file("rail-key", "k".repeat(40)),
      PROVIDER_CALLBACK_SECRETS_FILE: file("callback-secrets", lines.join("\n")),
      LINKER_BASE_URL: "http://127.0.0.1:9",
      LINKER_CLIENT_ID: "corridor",
      LINKER_SECRET_FILE: file("linker-secret", "l".repeat(40)),
    };
    const replica = await startPayment(readPaymentConfig(env));
    replicas.push(replica);
    return replica;
  };
  /** Puts an unreadable message on the bus, and waits until auth has put it aside. Returns its sequence. */
  const park = async (): Promise<number> => {
    const payload = Buffer.from("this is no message at all");
    const message = { subject, payload, traceparent: undefined, committedAt: new Date() };
    const { sequence } = await bus.publish({ ...message, id: randomUUID() });
    await eventually(async () => (await parked().countDocuments({ _id: `${stream}/${sequence}` })) === 1);
    return sequence;
  };
  const list = async (state = "OPEN"): Promise<Row[]> => {
    const { json } = await operate("GET", `/cases?kind=PARKED_MESSAGE&state=${state}`);
    return (json as { cases?: Row[] }).cases ?? [];
  };
  const notesOf = async ({ caseId }: Row): Promise<{ text: string }[]> => {
    const { json } = await operate("GET", `/cases/${caseId}`);
    return (json as { notes: { text: string }[] }).notes;
  };
  const replay = (sequence: number) =>
    operate("POST", `/bus/auth/parked-messages/${stream}/${sequence}/replay`).then(({ status }) => status);
  /** Stands for a release that can read the message. */
  const mend = async (sequence: number): Promise<void> => {
    const change = { $case: "enabled" as const, value: {} };
    const event = { sequence: 1, occurredAt: new Date(), requestId: "", change };
    const told = { tenant: "demo", subscriptionId: randomUUID(), events: [event] };
    const payload = new mongo.Binary(Buffer.from(SubscriptionEvents.encode(told).finish()));
    const { matchedCount } = await parked().updateOne({ _id: `${stream}/${sequence}` }, { $set: { payload } });
    expect(matchedCount).toBe(1);
  };

  it("becomes one case although nobody looked when it was put aside, at two replicas; handling it ends the case", async () => {
    const sequence = await park();
    const both = await Promise.all([startReplica(), startReplica()]);
    const PAYMENT_TARGET = `ipv4:${both.map(({ port }) => `127.0.0.1:${port}`).join(",")}`;
    ({ operatorPort } = await world.startGateway({ PAYMENT_TARGET }));

    await eventually(async () => (await list()).length === 1);
    const [found] = await list();
    const record = await parked().findOne({ _id: `${stream}/${sequence}` });
    expect(found).toMatchObject({
      kinds: ["PARKED_MESSAGE"],
      openedAt: (Reflect.get(record ?? {}, "parkedAt") as Date).toISOString(),
    });
    expect((await notesOf(found as Row))[0]?.text).toContain(
      `auth has put message ${stream}/${sequence} of ${subject}`,
    );

    expect(await replay(sequence)).toBe(409);
    expect(await list()).toEqual([found]);
    await mend(sequence);
    expect(await replay(sequence)).toBe(204);

    await eventually(async () => (await list()).length === 0);
    expect((await notesOf(found as Row)).map(({ text }) => text)).toEqual([
      expect.stringContaining("has put message"),
      "the message was handled",
    ]);
    expect(await list("ALL")).toHaveLength(1);
  });

  it("becomes a case of its own when another replica has to look, and stays closed once a person closed it", async () => {
    await replicas.shift()?.stop();
    const [kept, closed] = [await park(), await park()];
    await eventually(async () => (await list()).length === 2);
    const rows = await list();
    const texts = await Promise.all(rows.map(async (row) => (await notesOf(row))[0]?.text ?? ""));
    const mine = rows[texts.findIndex((text) => text.includes(`${stream}/${closed} `))];

    const command = { commandId: randomUUID(), command: "close", note: "nobody needs it" };
    const astray = { ...command, owner: "bob" };
    expect((await operate("POST", `/cases/${mine?.caseId}/commands`, astray)).status).toBe(400);
    expect((await operate("POST", `/cases/${mine?.caseId}/commands`, command)).status).toBe(200);
    await mend(kept);
    expect(await replay(kept)).toBe(204);

    await eventually(async () => (await list()).length === 0);
    const next = await park();
    await eventually(async () => (await list()).length === 1);
    expect((await notesOf((await list())[0] as Row))[0]?.text).toContain(`${stream}/${next} `);
    expect(await list("ALL")).toHaveLength(4);
  });
});
