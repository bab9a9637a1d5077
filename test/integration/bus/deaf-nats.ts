import { connect, createServer, type Socket } from "node:net";

/** A way to a NATS server on which deliveries to pull consumers can get lost, as a server may lose them. */
export interface DeafNats {
  url: string;
  /** From now on no delivery arrives, until the client has deleted a consumer. */
  lose(): void;
  stop(): Promise<void>;
}

/** What a pull consumer gets: messages to acknowledge, and states of its requests. Answers of the API have no headers. */
const delivery = /^H?MSG \S+ \d+ \$JS\.ACK\.|^HMSG _INBOX\./;

export async function startDeafNats(target: string): Promise<DeafNats> {
  const { hostname, port, username, password } = new URL(target);
  const sockets = new Set<Socket>();
  let isLosing = false;
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
    }
    client.on("close", () => upstream.destroy());
    upstream.on("close", () => client.destroy());
    client.on("data", (chunk: Buffer) => {
      if (chunk.includes("$JS.API.CONSUMER.DELETE.")) isLosing = false;
      upstream.write(chunk);
    });
    let rest = Buffer.alloc(0);
    upstream.on("data", (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk]);
      for (let end = rest.indexOf("\r\n"); end >= 0; end = rest.indexOf("\r\n")) {
        const head = rest.toString("latin1", 0, end);
        const size = /^H?MSG /.test(head) ? Number(head.split(" ").at(-1)) + 2 : 0;
        const whole = end + 2 + size;
        if (rest.length < whole) return;
        if (!(isLosing && delivery.test(head))) client.write(rest.subarray(0, whole));
        rest = rest.subarray(whole);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const own = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `nats://${username === "" ? "" : `${username}:${password}@`}127.0.0.1:${own}`,
    lose() {
      isLosing = true;
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
