import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Below the systems' ephemeral range, so that no other process is given one of these before it is used. */
const [lowest, highest] = [15_000, 32_000];

/** Ports already handed out. They may be used much later, so none is handed out twice. */
const given = new Set<number>();

/** Returns free ports on 127.0.0.1, distinct from each other and from those of earlier calls. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) {
    const port = randomInt(lowest, highest);
    if (given.has(port) || (await whyNotFree(port)) !== undefined) continue;
    given.add(port);
    ports.push(port);
  }
  return ports;
}

/** Throws one sentence that names all unavailable ports with their use; 0 stands for any port. */
export async function refuseTakenPorts(ports: Readonly<Record<string, number>>): Promise<void> {
  const wanted = Object.entries(ports).filter(([, port]) => port !== 0);
  const found = await Promise.all(
    wanted.map(async ([name, port], at) => {
      const isTwice = wanted.slice(0, at).some(([, other]) => other === port);
      const why = isTwice ? "wanted twice" : await whyNotFree(port);
      return why === undefined ? [] : [`${port} (${name}, ${why})`];
    }),
  );
  const taken = found.flat();
  if (taken.length > 0) {
    throw new Error(`ports are unavailable: ${taken.join(", ")}. End what uses them, or choose others.`);
  }
}

/** Why a port of 127.0.0.1 cannot be listened on; undefined when it can. */
async function whyNotFree(port: number): Promise<string | undefined> {
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return "no port";
  const server = createServer();
  return await new Promise((resolve) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      resolve(error.code === "EADDRINUSE" ? "taken" : (error.code ?? "refused"));
    });
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}
