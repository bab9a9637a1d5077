import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Below what systems give to those who ask for any port, so that nobody is given one of these before it is used. */
const [lowest, highest] = [15_000, 32_000];

/** What this process has given away. It may be used much later, so it is not given away again. */
const given = new Set<number>();

/** Ports on 127.0.0.1 that are free, all different, and different from those of earlier calls. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) {
    const port = randomInt(lowest, highest);
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    ports.push(port);
  }
  return ports;
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
