import { randomBytes, randomUUID } from "node:crypto";
import { PaymentEvents } from "../../../proto/gen/corridor/payment/v1/payment_events";
import { eventually } from "../bus/bus-testbed";
import { makeWebhookProcess, type WebhookProcess } from "./webhook-process";
import { encode, startWebhookWorld, statusEvents, subject, type WebhookWorld } from "./webhook-world";

const messagesPerSecond = 50;
const seconds = 8;
const megabyte = 1_000_000;
const path = "/beside";

/** A message of one payment whose only event has a change that is not in the contract. */
function unknownEvent(): Uint8Array {
  const known = statusEvents(randomUUID(), 1, 1);
  const unknown = PaymentEvents.encode({
    ...known,
    events: known.events.map((event) => ({ ...event, change: undefined })),
  });
  return unknown.finish();
}

/** Unreadable messages, by what is wrong with them. */
const poison: Readonly<Record<string, Uint8Array>> = {
  "no protobuf": Buffer.from("this is no message at all"),
  "an event of an unknown kind": unknownEvent(),
  "a megabyte of anything": randomBytes(megabyte),
  "a megabyte of one field": encode({ ...statusEvents("", 1, 1), tenant: "x".repeat(megabyte) }),
};

describe("messages that nobody can read", () => {
  let world: WebhookWorld;
  let service: WebhookProcess;

  beforeAll(async () => {
    world = await startWebhookWorld();
    service = await makeWebhookProcess(world);
  });
  afterAll(async () => {
    await service.stop();
    await world.stop();
  });

  it("are parked after five tries with the cause, crash nothing, and keep nothing else waiting", async () => {
    await world.subscribe(path);
    await world.stopService();
    await service.start();
    const lags = new Map<string, number>();
    world.sink.respond(path, ({ body, at, headers }, response) => {
      const { newStatusMessages } = JSON.parse(body) as { newStatusMessages: [string] };
      lags.set(String(headers["x-service-event-id"]), at - Number(newStatusMessages[0]));
      response.writeHead(200).end();
    });
    const publishOne = async (): Promise<void> => {
      const { events, ...message } = statusEvents(randomUUID(), 1, 1);
      await world.publish({
        ...message,
        events: events.map((event) => ({ ...event, messages: [String(Date.now())] })),
      });
    };
    const publishFor = async (count: number): Promise<number> => {
      const before = lags.size;
      for (let index = 0; index < count; index += 1) {
        await publishOne();
        await new Promise((resolve) => setTimeout(resolve, 1_000 / messagesPerSecond));
      }
      await eventually(() => lags.size === before + count, 60_000);
      return Math.max(...[...lags.values()].slice(before));
    };
    const calmMs = await publishFor(messagesPerSecond);

    for (const payload of Object.values(poison)) await world.publishBytes(subject, payload);
    const mostMs = await publishFor(messagesPerSecond * seconds);

    // Far less than the tries of one message take; on a machine that does much else, so many times what it needs without them.
    expect(mostMs).toBeLessThanOrEqual(Math.max(5_000, 5 * calmMs));
    const parked = world.mongo.connection.collection<{ _id: string; cause: string; payload: { buffer: Buffer } }>(
      "parked_messages",
    );
    await eventually(async () => (await parked.countDocuments({})) === Object.keys(poison).length, 60_000);
    const found = await parked.find({}).toArray();
    expect(found.every(({ cause }) => cause.length > 0 && cause.length < 500)).toBe(true);
    const payloads = found.map(({ payload }) => Buffer.from(payload.buffer).toString("base64"));
    expect(payloads.toSorted()).toEqual(
      Object.values(poison)
        .map((payload) => Buffer.from(payload).toString("base64"))
        .toSorted(),
    );
    expect(service.isRunning()).toBe(true);
  });

  it("of a megabyte is taken when it can be read, and told in a body that keeps to its limit", async () => {
    const id = randomUUID();
    const { events, ...message } = statusEvents(id, 1, 1);
    const messages = Array.from({ length: 900 }, () => "w".repeat(1_000));

    await world.publish({ ...message, events: events.map((event) => ({ ...event, messages })) });

    const received = () => world.sink.received(path).find(({ body }) => body.includes(id));
    await eventually(() => received() !== undefined, 60_000);
    expect(Buffer.byteLength(received()?.body ?? "")).toBeLessThanOrEqual(20_000);
  });
});
