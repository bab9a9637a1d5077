import type { Server as HttpServer } from "node:http";
import { createServer, type ListenOptions, type Server } from "node:net";

/** Port and host that a server listens on. */
type Place = Required<Pick<ListenOptions, "host" | "port" | "backlog">>;

export interface Acceptors {
  port: number;
  /** Takes no new connection; resolves when the last one has ended. */
  close(): Promise<void>;
}

/**
 * Node takes one connection of each listening socket in one turn of its event loop, after everything else that waits in that turn. With a
 * single socket, a rush of strangers queues ahead of callers for as many turns; several sockets take that many connections per turn. Only
 * Linux spreads connections over them.
 */
const sockets = process.platform === "linux" ? 16 : 1;

/** Nothing is read from a connection before it is served: one that waits for its turn would otherwise fill a buffer. */
const unread = { pauseOnConnect: true };

/**
 * Lets a server listen, on several sockets of one port. Its connections come paused, and whoever serves them resumes them. Throws the error
 * that listening failed with, also for a port that is taken.
 */
export async function openAcceptors(server: HttpServer, place: Place): Promise<Acceptors> {
  // Sockets that share a port would also share it with another process of the same user, so a port that is in use is detected first.
  if (sockets > 1 && place.port !== 0) await requireFree(place);
  // An HTTP server has no such option of its own, but its socket has.
  Object.assign(server, unread);
  const shared = { ...place, reusePort: sockets > 1 };
  const port = await bind(server, shared);
  // The options that an HTTP server sets on its own socket.
  const others = Array.from({ length: sockets - 1 }, () =>
    createServer({ ...unread, allowHalfOpen: true, noDelay: true }, (socket) => server.emit("connection", socket)),
  );
  await Promise.all(others.map((one) => bind(one, { ...shared, port })));
  return {
    port,
    async close() {
      await Promise.all([server, ...others].map(closeOf));
    },
  };
}

async function requireFree(place: Place): Promise<void> {
  const probe = createServer();
  await bind(probe, place);
  await closeOf(probe);
}

function bind(server: Server, options: ListenOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(options, () => {
      server.off("error", reject);
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
}

const closeOf = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()));
