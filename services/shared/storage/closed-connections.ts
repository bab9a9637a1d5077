import { createRequire } from "node:module";
import type { Socket } from "node:net";

/** What is used here of the driver's own connections. */
interface DriverConnection {
  socket: Pick<Socket, "emit">;
  /** Runs when the connection is closed, for whatever reason. What reads from it fails then. */
  cleanup(error: Error): void;
}

let isMended = false;

/**
 * Has a command fail with its connection. The driver waits for room on the socket that it writes to, also when the socket
 * is destroyed and its connection not yet told so; there is never room on that, and the command would hang without any
 * limit. A server's monitor would hang so as well, and this process would not find the server again until it is restarted.
 */
export function failWithConnections(): void {
  if (isMended) return;
  const driver = createRequire(require.resolve("mongoose"));
  const { Connection } = driver("mongodb/lib/cmap/connection") as { Connection: { prototype: DriverConnection } };
  const { cleanup } = Connection.prototype;
  if (typeof cleanup !== "function") throw new Error("the store's driver closes its connections in another way");
  Connection.prototype.cleanup = function cleanUp(error) {
    cleanup.call(this, error);
    // By then, whoever found the connection still open waits. It is told to go on, and finds it closed.
    setImmediate(() => this.socket.emit("drain"));
  };
  isMended = true;
}
