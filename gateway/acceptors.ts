import type { Server as HttpServer } from "node:http";
import { createServer, type ListenOptions, type Server } from "node:net";

/** Where a server listens. */
type Place = Required<Pick<ListenOptions, "host" | "port" | "backlog">>;

export interface Acceptors {
  port: number;
  /** Takes no new connection; resolves when the last one has ended. */
  close(): Promise<void>;
}

/**
 * Node takes one connection of each listening socket in one turn of its event loop, after all else that waits in that turn. With one
 * socket alone, a rush of strangers stands in line before callers for as many turns; several take that many at once. Only Linux
 * spreads connections over them.
 */
const sockets = process.platform === "linux" ? 16 : 1;

/** Lets a server listen, on several sockets of one port. Throws what listening fails with, a port that is taken included. */
export async function openAcceptors(server: HttpServer, place: Place): Promise<Acceptors> {
  // Sockets that share a port share it with another process of the same user, too: its owner is found before.
  if (sockets > 1 && place.port !== 0) await requireFree(place);
  const shared = { ...place, reusePort: sockets > 1 };
  const port = await bind(server, shared);
  // What a server of HTTP asks of its own socket.
  const others = Array.from({ length: sockets - 1 }, () =>
    createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit("connection", socket)),
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
