import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { NatsContainer, type StartedNatsContainer } from "@testcontainers/nats";

const image = process.env["OFFICIAL_NATS_IMAGE"];

/** `make test-containers` names the official image where it can be pulled; otherwise these are skipped, and counted. */
const define = image === undefined ? describe.skip : describe;

define("the official image of the bus", () => {
  let container: StartedNatsContainer;

  beforeAll(async () => {
    container = await new NatsContainer(image ?? "").withJetStream().start();
  });
  afterAll(() => container.stop());

  it("keeps a message once that is published twice under one id, and gives it to its consumer", async () => {
    const { servers, user, pass } = container.getConnectionOptions();
    const connection = await connect({
      ...(servers === undefined ? {} : { servers }),
      ...(user === undefined ? {} : { user }),
      ...(pass === undefined ? {} : { pass }),
    });
    const manager = await jetstreamManager(connection);
    await manager.streams.add({ name: "OFFICIAL", subjects: ["official.>"], storage: "file" });
    const stream = jetstream(connection);

    await stream.publish("official.one", "first", { msgID: "1" });
    const again = await stream.publish("official.one", "first", { msgID: "1" });
    await manager.consumers.add("OFFICIAL", { durable_name: "one", ack_policy: "explicit" });
    const consumer = await stream.consumers.get("OFFICIAL", "one");
    const message = await consumer.next();
    message?.ack();

    expect(again.duplicate).toBe(true);
    expect(message?.string()).toBe("first");
    expect((await manager.streams.info("OFFICIAL")).state.messages).toBe(1);
    await connection.close();
  });
});
