import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RunningNats, startNats } from "../../../local/nats";
import { openBus, streamOf } from "../../../services/shared/bus/jetstream";
import type { Running } from "../../../services/shared/process/lifecycle";
import type { Logger } from "../../../services/shared/process/logger";
import { weaknessesOfBus } from "../../../services/shared/process/production-checks";
import { eventually, silent } from "./bus-testbed";
import { startFakeNats } from "./fake-nats";

const config = { storage: "file", retention: "limits", subjects: streamOf("payment", 3).subjects, num_replicas: 3 };
const stream = { config, created: "2126-01-01T00:00:00Z", state: { last_seq: 0 } };
const userOf = (account: string) => ({ data: { user: "payment", account } });
const answers =
  (account: string) =>
  (subject: string): object | undefined => {
    if (subject === "$SYS.REQ.USER.INFO") return userOf(account);
    return subject.startsWith("$JS.API.STREAM.") ? stream : undefined;
  };

describe("the bus of the production profile", () => {
  let running: Running[];
  let errors: string[];
  const logger: Logger = {
    ...silent,
    error: (fields) => errors.push(JSON.stringify(fields)),
  };

  beforeEach(() => {
    running = [];
    errors = [];
  });
  afterEach(async () => {
    for (const one of running.toReversed()) await one.stop();
  });

  const open = async (url: string) => {
    const bus = await openBus({ url, name: "payment", logger, isProduction: true });
    running.push(bus);
    return bus;
  };

  it("is taken when its version, its account and its streams are safe", async () => {
    const fake = await startFakeNats("2.12.3", answers("CORRIDOR"));
    running.push(fake);
    const bus = await open(fake.url);

    await expect(bus.ensureStream(streamOf("payment", 3))).resolves.toMatchObject({ lastSequence: 0 });
  });

  it.each([
    ["an old version", "2.12.2", "CORRIDOR", "older than 2.12.3"],
    ["the account of everybody", "2.12.3", "$G", "$G"],
  ])("is refused for %s, and no message reaches it", async (_what, version, account, words) => {
    const fake = await startFakeNats(version, answers(account));
    running.push(fake);

    const bus = await open(fake.url);

    await eventually(() => errors.some((text) => text.includes(words)), 30_000);
    const message = { id: "1", subject: "corridor.payment.events", payload: Buffer.from("x") };
    await expect(bus.publish({ ...message, traceparent: undefined, committedAt: new Date() })).rejects.toThrow(
      "does not answer",
    );
    expect(fake.asked.filter((subject) => subject.startsWith("corridor."))).toEqual([]);
  });

  it("is refused with fewer than three replicas of a stream, before the stream is made", async () => {
    const fake = await startFakeNats("2.12.3", answers("CORRIDOR"));
    running.push(fake);
    const bus = await open(fake.url);

    await expect(bus.ensureStream(streamOf("payment", 1))).rejects.toThrow("CORRIDOR_PAYMENT has 1 replicas, not 3");
    expect(fake.asked.filter((subject) => subject.startsWith("$JS"))).toEqual([]);
  });

  it("is told of a real server what the server says of itself", async () => {
    const dir = await mkdtemp(join(tmpdir(), "corridor-production-bus-"));
    const nats: RunningNats = await startNats({ dir });
    running.push({ stop: () => nats.stop().then(() => rm(dir, { recursive: true, force: true })) });
    const plain = await openBus({ url: nats.url, name: "payment", logger: silent });
    running.push(plain);
    const { connection } = await plain.client();
    const version = connection.info?.version ?? "";

    const bus = await open(nats.url);

    const [weakness] = weaknessesOfBus({ version, account: "CORRIDOR" });
    if (weakness === undefined) await expect(bus.client()).resolves.toBeDefined();
    else await eventually(() => errors.some((text) => text.includes(weakness)), 30_000);
  });
});
