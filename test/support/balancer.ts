import { connect, createServer, type Socket } from "node:net";

/** A balancer that forwards bytes and begins each connection with its own header. */
export interface Balancer {
  port: number;
  stop(): Promise<void>;
}

/** Starts one in front of a port. Writes the header piece by piece, the last piece together with the caller's first bytes. */
export async function startBalancer(target: number, pieces: readonly Buffer[]): Promise<Balancer> {
  const sockets = new Set<Socket>();
  const server = createServer((caller) => {
    const onward = connect(target, "127.0.0.1");
    for (const socket of [caller, onward]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.setNoDelay(true);
    }
    caller.on("close", () => onward.destroy());
    onward.on("close", () => caller.destroy());
    onward.pipe(caller);
    void begin(caller, onward);
  });
  const begin = async (caller: Socket, onward: Socket): Promise<void> => {
    for (const piece of pieces.slice(0, -1)) {
      await new Promise<void>((resolve) => onward.write(piece, () => resolve()));
    }
    caller.once("data", (first) => {
      onward.write(Buffer.concat([pieces.at(-1) ?? Buffer.alloc(0), first]));
      caller.pipe(onward);
    });
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The header of version 2 for a caller at an IPv4 address. */
export function headerOf(address: string): Buffer {
  const length = Buffer.from([0, 12]);
  const ends = [...address.split(".").map(Number), 127, 0, 0, 1, 0xd4, 0x31, 0x01, 0xbb];
  return Buffer.concat([Buffer.from("0d0a0d0a000d0a515549540a2111", "hex"), length, Buffer.from(ends)]);
}
