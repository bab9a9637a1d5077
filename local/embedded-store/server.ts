import net from "node:net";
import type { Dispatch, Peer } from "./dispatch";
import { CommandError } from "./errors";
import { ConnectionFault } from "./failpoints";
import { errorBody } from "./replies";
import { messageOf } from "./values/bson";
import { encodeReply, type Message, makeFramer, parseMessage, type Reply } from "./wire/frame";

export interface Listener {
  port: number;
  stop(): Promise<void>;
}

/** Loopback only: there is no authentication and no encryption. */
export const loopback = "127.0.0.1";

export async function listen(port: number, dispatch: Dispatch, log: (message: string) => void): Promise<Listener> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    serve(socket, dispatch, log);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, loopback, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Commands of one connection run one after the other; what arrives meanwhile waits. */
function serve(socket: net.Socket, dispatch: Dispatch, log: (message: string) => void): void {
  const framer = makeFramer();
  const peer: Peer = { appName: undefined };
  const waiting: Buffer[] = [];
  let isBusy = false;

  async function work(): Promise<void> {
    isBusy = true;
    for (let frame = waiting.shift(); frame !== undefined; frame = waiting.shift()) {
      const message = parse(frame);
      const reply = message.refusal ?? (await dispatch(message.command, peer));
      if (message.expectsReply) socket.write(encodeReply(message.requestId, message.isLegacy, reply));
    }
    isBusy = false;
  }

  const drop = (error: unknown) => {
    if (!(error instanceof ConnectionFault)) log(`connection dropped: ${messageOf(error)}`);
    socket.destroy();
  };

  socket.on("data", (chunk) => {
    try {
      waiting.push(...framer.take(chunk));
    } catch (error) {
      return drop(error);
    }
    if (!isBusy) work().catch(drop);
  });
  socket.on("error", () => socket.destroy());
}

/** Refuses a command with broken BSON; an invalid frame ends the connection. */
function parse(frame: Buffer): Message & { refusal?: Reply } {
  try {
    return parseMessage(frame);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const refusal = { body: errorBody("", {}, error) };
    return { requestId: frame.readInt32LE(4), isLegacy: false, expectsReply: true, command: {}, refusal };
  }
}
