import { createRequire } from "node:module";
import type { Socket } from "node:net";

/** The parts of the driver's own connections that are used here. */
interface DriverConnection {
  socket: Pick<Socket, "emit">;
  /** Runs when the connection is closed, for any reason. Reads from it fail from then on. */
  cleanup(error: Error): void;
}

let isMended = false;

/**
 * Makes a command fail with its connection. The driver waits for room on the socket that it writes to, even after the socket was
 * destroyed, if its connection does not know that yet. A destroyed socket never has room, so the command would hang indefinitely. A
 * server's monitor could hang in the same way, and this process would not find the server again until it is restarted.
 */
export function failWithConnections(): void {
  if (isMended) return;
  const driver = createRequire(require.resolve("mongoose"));
  const { Connection } = driver("mongodb/lib/cmap/connection") as { Connection: { prototype: DriverConnection } };
  const { cleanup } = Connection.prototype;
  if (typeof cleanup !== "function") throw new Error("the store's driver closes its connections in another way");
  Connection.prototype.cleanup = function cleanUp(error) {
    cleanup.call(this, error);
    // By then, any code that found the connection still open is waiting. It resumes, and finds the connection closed.
    setImmediate(() => this.socket.emit("drain"));
  };
  isMended = true;
}
