import { startConsumer } from "../../../services/shared/bus/bus-consumer";
import { type Bus, openBus } from "../../../services/shared/bus/jetstream";
import { makeParkedMessages } from "../../../services/shared/bus/parked-messages";
import { systemIds } from "../../../services/shared/kernel/ids";
import { currentCall } from "../../../services/shared/process/call-context";
import type { Running } from "../../../services/shared/process/lifecycle";
import { makeMetrics } from "../../../services/shared/process/metrics";
import { noTracing, type Tracing } from "../../../services/shared/process/tracing";
import { activeTraceparent, makeTestTracing } from "../../support/test-tracing";
import { type BusTestbed, eventually, silent, startBusTestbed } from "./bus-testbed";
import { startDeafNats } from "./deaf-nats";

interface Message {
  key: string;
  text: string;
}

describe("startConsumer", () => {
  let base: BusTestbed;
  let consumers: Running[] = [];
  let ways: { stop(): Promise<void> }[] = [];
  let seen: string[];

  beforeEach(async () => {
    base = await startBusTestbed();
    await base.bus.ensureStream(base.stream);
    seen = [];
    consumers = [];
    ways = [];
  });
  afterEach(async () => {
    await Promise.all(consumers.map((consumer) => consumer.stop()));
    for (const way of ways) await way.stop();
    await base.stop();
  });

  const publish = (payload: string, traceparent?: string) =>
    base.bus.publish({
      id: systemIds.uuid(),
      subject: base.subject,
      payload: Buffer.from(payload),
      traceparent,
      committedAt: new Date(),
    });
  const send = (key: string, text: string) => publish(JSON.stringify({ key, text }));
  const consume = (
    handle: (message: Message) => Promise<void>,
    limits: { ackWaitMs?: number; concurrency?: number; bus?: Bus; tracing?: Tracing } = {},
  ): Running => {
    const consumer = startConsumer<Message>({
      bus: base.bus,
      tracing: noTracing,
      ...limits,
      stream: base.stream.name,
      subject: base.subject,
      durable: "test",
      decode: (payload) => JSON.parse(Buffer.from(payload).toString()) as Message,
      keyOf: ({ key }) => key,
      handle,
      parked: makeParkedMessages(base.mongo.connection),
      connection: base.mongo.connection,
      logger: silent,
      metrics: makeMetrics("test"),
    });
    consumers.push(consumer);
    return consumer;
  };
  const stateOfConsumer = async () => (await base.bus.client()).manager.consumers.info(base.stream.name, "test");
  const note = async ({ text }: Message): Promise<void> => {
    seen.push(text);
  };

  it("handles a message in a span that any library finds", async () => {
    const found: [string | undefined, string | undefined][] = [];
    const tracing = makeTestTracing();
    consume(async () => void found.push([await activeTraceparent(), currentCall()?.traceparent]), { tracing });
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    await publish(JSON.stringify({ key: "k", text: "t" }), traceparent);
    await eventually(() => found.length === 1);

    const [[active, own] = []] = found;
    expect(active).toBe(own);
    expect(active?.slice(0, 35)).toBe(traceparent.slice(0, 35));
    expect(active).not.toBe(traceparent);
  });

  it("handles messages of one key in order while another key is slow", async () => {
    let free = (): void => {};
    const isFree = new Promise<void>((resolve) => {
      free = resolve;
    });
    consume(async (message) => {
      if (message.key === "slow") await isFree;
      await note(message);
    });
    await send("slow", "s1");
    for (const text of ["q1", "q2", "q3"]) await send("quick", text);
    await send("slow", "s2");

    await eventually(() => seen.length === 3);
    expect(seen).toEqual(["q1", "q2", "q3"]);
    free();
    await eventually(() => seen.length === 5);
    expect(seen.slice(3)).toEqual(["s1", "s2"]);
  });

  it("brings a failed message again", async () => {
    let failures = 0;
    consume(async (message) => {
      failures += 1;
      if (failures <= 2) throw new Error("not yet");
      await note(message);
    });
    await send("a", "kept");

    await eventually(() => seen.length === 1);
    expect(seen).toEqual(["kept"]);
  });

  it("parks what nobody can read, with its cause, and goes on", async () => {
    consume(note);
    await publish("not json");
    await send("a", "after");

    const parked = base.mongo.connection.collection<{ _id: string }>("parked_messages");
    await eventually(() => seen.length === 1);
    await eventually(async () => (await parked.countDocuments({})) === 1);
    const { manager } = await base.bus.client();
    const message = await parked.findOne({ _id: `${base.stream.name}/1` });
    expect(message).toMatchObject({ subject: base.subject, cause: expect.stringContaining("JSON") });
    await eventually(async () => (await manager.consumers.info(base.stream.name, "test")).num_ack_pending === 0);
  });

  it("is made again from where it stood when the bus answers and delivers nothing", async () => {
    const way = await startDeafNats(base.testbed.natsUrl);
    const bus = await openBus({ url: way.url, name: "test", logger: silent });
    ways = [bus, way];
    consume(note, { bus });
    await send("a", "1");
    await send("a", "2");
    await eventually(() => seen.length > 1);
    await eventually(async () => (await stateOfConsumer()).ack_floor.stream_seq === 2);
    const { created } = await stateOfConsumer();

    way.lose();
    await send("a", "3");
    await eventually(() => seen.length > 2);
    await eventually(async () => (await stateOfConsumer()).ack_floor.stream_seq === 3);

    expect(seen).toEqual(["1", "2", "3"]);
    const again = await stateOfConsumer();
    expect(again.created).not.toBe(created);
    expect(again.config).toMatchObject({ opt_start_seq: 3 });
    await Promise.all(consumers.splice(0).map((consumer) => consumer.stop()));
    // The next one takes it as it is.
    consume(note);
    await send("a", "4");
    await eventually(() => seen.length > 3);
    expect(seen).toEqual(["1", "2", "3", "4"]);
  }, 120_000);

  it("starts again when its consumer or the stream vanishes", async () => {
    consume(note);
    await send("a", "one");
    await eventually(() => seen.length === 1);
    const { manager } = await base.bus.client();

    await manager.consumers.delete(base.stream.name, "test");
    await send("a", "two");
    await eventually(() => seen.includes("two"));
    await manager.streams.delete(base.stream.name);
    await base.bus.ensureStream(base.stream);
    await send("a", "three");

    await eventually(() => seen.includes("three"));
  });

  it("stops while it is still starting", async () => {
    const consumer = consume(note);

    await consumer.stop();
    consumers = [];
    ways = [];
  });

  it("lets a running handler end when it stops", async () => {
    let isEnded = false;
    const consumer = consume(async (message) => {
      await note(message);
      await new Promise((resolve) => setTimeout(resolve, 200));
      isEnded = true;
    });
    await send("a", "one");
    await eventually(() => seen.length === 1);

    await consumer.stop();

    expect(isEnded).toBe(true);
  });

  it("keeps in work what takes longer than the bus waits, also what has not begun, so that no replica gets it too", async () => {
    const handleSlowly = async (message: Message): Promise<void> => {
      await note(message);
      await new Promise((resolve) => setTimeout(resolve, 3_500));
    };
    for (const text of ["one", "two"]) await send("a", text);
    consume(handleSlowly, { ackWaitMs: 3_000 });
    await eventually(() => seen.length === 1);
    consume(handleSlowly, { ackWaitMs: 3_000 });

    await eventually(async () => {
      const { num_pending, num_ack_pending } = await stateOfConsumer();
      return num_pending + num_ack_pending === 0;
    });

    expect(seen).toEqual(["one", "two"]);
    expect((await stateOfConsumer()).delivered.consumer_seq).toBe(2);
  });

  it("takes no more from the bus than it works on", async () => {
    let free = (): void => {};
    const isFree = new Promise<void>((resolve) => {
      free = resolve;
    });
    for (let count = 0; count < 40; count += 1) await send(`key ${count}`, `text ${count}`);
    consume(
      async (message) => {
        await note(message);
        await isFree;
      },
      { concurrency: 4 },
    );
    await eventually(() => seen.length === 4);

    expect(await stateOfConsumer()).toMatchObject({ num_ack_pending: 4, num_pending: 36 });
    free();
    await eventually(() => new Set(seen).size === 40);
    expect(seen).toHaveLength(40);
  });

  it("begins nothing that went to others while it stood still", async () => {
    const ackWaitMs = 1_000;
    for (const text of ["first", "second"]) await send("a", text);
    consume(
      async (message) => {
        await note(message);
        const endMs = performance.now() + (seen.length === 1 ? 2 * ackWaitMs : 0);
        while (performance.now() < endMs);
      },
      { ackWaitMs },
    );

    await eventually(() => seen.includes("second"));
    await eventually(async () => {
      const { num_pending, num_ack_pending } = await stateOfConsumer();
      return num_pending + num_ack_pending === 0;
    });

    expect(seen.filter((text) => text === "second")).toHaveLength(1);
  });
});
