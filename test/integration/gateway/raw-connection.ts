import { connect, type Socket } from "node:net";
import { until } from "../../support/platform-client";

/** A connection on which a test writes what it likes. */
export interface RawConnection {
  socket: Socket;
  /** What has come so far. */
  received(): string;
  closed: Promise<void>;
  isOpen(): boolean;
}

/** Connects, and writes `text` at once. Reads nothing when asked not to. */
export function openRaw(port: number, text: string | Buffer = "", { isReading = true } = {}): Promise<RawConnection> {
  return new Promise((resolve, reject) => {
    let received = "";
    let isOpen = true;
    const socket = connect({ port, host: "127.0.0.1" });
    const closed = new Promise<void>((settle) => {
      socket.once("close", () => {
        isOpen = false;
        settle();
      });
    });
    socket.once("error", reject);
    socket.once("connect", () => {
      socket.on("error", () => undefined);
      if (text.length > 0) socket.write(text);
      if (isReading) socket.on("data", (bytes) => (received += bytes.toString("latin1")));
      else socket.pause();
      resolve({ socket, received: () => received, closed, isOpen: () => isOpen });
    });
  });
}

/** Sends `text`, and returns what is answered until the connection ends or an answer is whole. */
export async function sendRaw(port: number, text: string | Buffer): Promise<string> {
  const connection = await openRaw(port, text);
  await until(
    () => Promise.resolve(!connection.isOpen() || isWhole(connection.received())),
    (isDone) => isDone,
  );
  connection.socket.destroy();
  return connection.received();
}

function isWhole(text: string): boolean {
  const at = text.indexOf("\r\n\r\n");
  const length = /content-length: (\d+)/i.exec(text)?.[1];
  return at > 0 && length !== undefined && text.length >= at + 4 + Number.parseInt(length, 10);
}
