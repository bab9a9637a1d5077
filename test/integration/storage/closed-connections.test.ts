import diagnostics from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { noTracing } from "../../../services/shared/process/tracing";
import { type Mongo, openMongo } from "../../../services/shared/storage/mongo";
import { startTestStore, type TestStore } from "../../support/testbed";

describe("a connection that closes while a command begins", () => {
  const sockets = new Set<Socket>();
  const note = (message: unknown): void => void sockets.add((message as { socket: Socket }).socket);
  let store: TestStore;
  let one: Mongo;
  beforeAll(async () => {
    store = await startTestStore();
    diagnostics.subscribe("net.client.socket", note);
    one = await openMongo({
      uri: store.mongoUri,
      database: store.database("closed"),
      profile: "local",
      tracing: noTracing,
    });
  });
  afterAll(async () => {
    diagnostics.unsubscribe("net.client.socket", note);
    await one.stop();
    await store.stop();
  });

  const rows = () => one.connection.collection<{ _id: string; n: number }>("rows");
  /** The connections are notified at the end of this turn of the event loop. */
  const closeAll = (): void => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };

  it("fails the command, which is then made on another connection", async () => {
    await rows().insertOne({ _id: "row", n: 1 });
    closeAll();
    const [found, changed] = await Promise.all([
      rows().findOne({ _id: "row" }),
      rows().findOneAndUpdate({ _id: "row" }, { $set: { n: 2 } }, { returnDocument: "after" }),
    ]);

    expect([found?._id, changed?.n]).toEqual(["row", 2]);
  }, 10_000);

  it("does not end the watch over the server", async () => {
    const client = one.connection.getClient();
    const closed = new Promise<void>((resolve) => {
      client.on("serverHeartbeatSucceeded", function onHeartbeat({ awaited }) {
        if (awaited) return;
        client.off("serverHeartbeatSucceeded", onHeartbeat);
        // Before the monitor's first command on its new connection, which it makes at its next timer.
        setTimeout(() => {
          closeAll();
          resolve();
        }, 0);
      });
    });
    closeAll();
    // Has the server looked for at once.
    const looking = rows()
      .findOne({ _id: "row" })
      .catch(() => undefined);
    await closed;
    await looking;

    await expect(rows().findOne({ _id: "row" })).resolves.toMatchObject({ _id: "row" });
  }, 10_000);
});
