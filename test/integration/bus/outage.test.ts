import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startNats } from "../../../local/nats";
import { openBus } from "../../../services/shared/bus/jetstream";
import { startRelay } from "../../../services/shared/bus/outbox-relay";
import { makeMetrics } from "../../../services/shared/process/metrics";
import { noTracing } from "../../../services/shared/process/tracing";
import { makeLease } from "../../../services/shared/storage/lease";
import { openMongo } from "../../../services/shared/storage/mongo";
import { startTestStore } from "../../support/testbed";
import { eventually, makeMemoryOutbox, silent } from "./bus-testbed";

const clock = { now: () => new Date() };
const stream = { name: "TEST_OUTAGE", subjects: ["test.outage.>"], replicas: 1 };
const subject = "test.outage.events";

describe("a bus that is away", () => {
  it("gets everything once it is back, also when its disk is empty", async () => {
    const dir = await mkdtemp(join(tmpdir(), "corridor-outage-"));
    const store = await startTestStore();
    const database = store.database("outage");
    const mongo = await openMongo({ uri: store.mongoUri, database, profile: "local", tracing: noTracing });
    const { connection } = mongo;
    const first = await startNats({ dir });
    const bus = await openBus({ url: first.url, name: "test", logger: silent });
    const outbox = makeMemoryOutbox(clock);
    const lease = makeLease({ connection, name: "outage", holder: "test" });
    const testbed = { logger: silent, tracing: noTracing, metrics: makeMetrics("test") };
    const relay = startRelay({ ...testbed, source: outbox, bus, stream, connection, lease, clock });
    outbox.add("before", subject);
    await eventually(() => outbox.published.size === 1);

    await first.stop();
    await rm(join(dir, "streams"), { recursive: true });
    outbox.add("meanwhile", subject);
    relay.nudge();
    const second = await startNats({ dir, port: first.port });

    await eventually(() => outbox.published.size === 2);
    const { manager } = await bus.client();
    await eventually(async () => (await manager.streams.info(stream.name)).state.messages === 2);
    for (const part of [relay, bus, mongo, store, second]) await part.stop();
    await rm(dir, { recursive: true });
  });
});
