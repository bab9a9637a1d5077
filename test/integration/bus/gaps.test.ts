import { startConsumer } from "../../../services/shared/bus/bus-consumer";
import { makeBusService } from "../../../services/shared/bus/bus-service";
import { makeParkedMessages } from "../../../services/shared/bus/parked-messages";
import type { Running } from "../../../services/shared/process/lifecycle";
import { makeMetrics } from "../../../services/shared/process/metrics";
import { noTracing } from "../../../services/shared/process/tracing";
import {
  type BusTestbed,
  eventually,
  type MemoryOutbox,
  makeMemoryOutbox,
  silent,
  startBusTestbed,
} from "./bus-testbed";

const clock = { now: () => new Date() };

describe("what a consumer missed", () => {
  let base: BusTestbed;
  let outbox: MemoryOutbox;
  let seen: string[];
  let isReadable: boolean;
  let running: Running[];

  beforeEach(async () => {
    base = await startBusTestbed();
    outbox = makeMemoryOutbox(clock);
    seen = [];
    isReadable = true;
    await makeParkedMessages(base.mongo.connection).init();
    running = [base.relay(outbox, "a")];
  });
  afterEach(async () => {
    for (const part of running) await part.stop();
    await base.stop();
  });

  const consume = (metrics = makeMetrics("test")) => {
    const consumer = startConsumer<string>({
      bus: base.bus,
      stream: base.stream.name,
      subject: base.subject,
      durable: "test",
      decode(payload) {
        if (!isReadable) throw new Error("an unknown field");
        return Buffer.from(payload).toString();
      },
      keyOf: (text) => text,
      handle: async (text) => void seen.push(text),
      parked: makeParkedMessages(base.mongo.connection),
      connection: base.mongo.connection,
      gapLookMs: 100,
      logger: silent,
      tracing: noTracing,
      metrics,
    });
    running.push(consumer);
    return consumer;
  };
  const tell = (...texts: string[]) => {
    for (const text of texts) outbox.add(text, base.subject);
    return eventually(() => texts.every(isTold));
  };
  const isTold = (text: string): boolean => outbox.published.has(outbox.idOf(text));
  const positions = () => base.mongo.connection.collection<{ _id: string }>("consumer_positions");
  const hasHandledAll = async (): Promise<boolean> => {
    const { manager } = await base.bus.client();
    const { state } = await manager.streams.info(base.stream.name);
    const position = await positions().findOne({ _id: `${base.stream.name}/test` });
    return position !== null && "sequence" in position && Number(position["sequence"]) === state.last_seq;
  };

  it("because it was away for longer than the stream keeps anything, comes from the record of the producer", async () => {
    const before = consume();
    await tell("one", "two");
    await eventually(async () => seen.length === 2 && (await hasHandledAll()));
    await before.stop();
    running.pop();
    await tell("three", "four", "five");
    // As if seven days had passed: the stream has forgotten all but its last message.
    const { manager } = await base.bus.client();
    await manager.streams.purge(base.stream.name, { keep: 1 });
    const metrics = makeMetrics("test");
    consume(metrics);

    await eventually(() => ["three", "four", "five"].every((text) => seen.includes(text)));
    await eventually(
      async () => (await positions().countDocuments({ _id: `${base.stream.name}/test`, gaps: [] })) === 1,
    );
    expect(await metrics.registry.metrics()).toMatch(/corridor_consumer_gaps_total\{[^}]*\} 1/);
  });

  it("because it first came when much was forgotten, comes from the record of the producer", async () => {
    await tell("one", "two", "three");
    const { manager } = await base.bus.client();
    await manager.streams.purge(base.stream.name, { keep: 1 });

    consume();

    await eventually(() => ["one", "two", "three"].every((text) => seen.includes(text)));
  });

  it("is not asked for while nothing is missing", async () => {
    const metrics = makeMetrics("test");
    consume(metrics);
    await tell("one", "two");
    await eventually(async () => seen.length === 2 && (await hasHandledAll()));
    const { manager } = await base.bus.client();
    await manager.streams.purge(base.stream.name);
    await tell("three");

    await eventually(async () => seen.includes("three") && (await hasHandledAll()));

    expect(seen).toEqual(["one", "two", "three"]);
    expect(await metrics.registry.metrics()).not.toMatch(/corridor_consumer_gaps_total\{[^}]*\} 1/);
  });

  it("because nobody could read it is listed, stays while that is so, and is handled by command", async () => {
    isReadable = false;
    const consumer = consume();
    const { listParkedMessages, replayParkedMessage } = makeBusService({
      connection: base.mongo.connection,
      consumers: [consumer],
    });
    const list = () => listParkedMessages({ after: "", limit: 10 });
    await tell("odd");
    await eventually(async () => (await list()).messages.length === 1);
    const [parked] = (await list()).messages;
    const id = parked?.id ?? "";
    expect(parked).toMatchObject({
      stream: base.stream.name,
      subject: base.subject,
      cause: "an unknown field",
      size: 3,
    });

    await expect(replayParkedMessage({ id })).rejects.toMatchObject({ reason: "RECORD_CONFLICT" });
    expect((await list()).messages).toHaveLength(1);
    isReadable = true;
    await replayParkedMessage({ id });

    expect(seen).toEqual(["odd"]);
    expect((await list()).messages).toEqual([]);
    await expect(replayParkedMessage({ id })).rejects.toMatchObject({ reason: "RECORD_NOT_FOUND" });
    await expect(listParkedMessages({ after: "", limit: 0 })).rejects.toMatchObject({ reason: "INVALID_ARGUMENT" });
  });

  it("is published again by command, once for each id", async () => {
    consume();
    await tell("one");
    await eventually(() => seen.length === 1);
    const { replaySpan } = makeBusService({ connection: base.mongo.connection, consumers: [] });
    const since = new Date(Date.now() - 60_000);

    await replaySpan({ replayId: "r-1", since });
    await eventually(async () => (await replaySpan({ replayId: "r-1", since })).isDone);

    expect((await replaySpan({ replayId: "r-1", since })).published).toBe(1n);
    await expect(replaySpan({ replayId: "r-1", since: new Date(0) })).rejects.toMatchObject({
      reason: "RECORD_CONFLICT",
    });
    await expect(replaySpan({ replayId: "", since })).rejects.toMatchObject({ reason: "INVALID_ARGUMENT" });
    await expect(replaySpan({ replayId: "r-2", since: undefined })).rejects.toMatchObject({
      reason: "INVALID_ARGUMENT",
    });
  });
});
