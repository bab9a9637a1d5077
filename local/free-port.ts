import { randomInt } from "node:crypto";
import { createSocket } from "node:dgram";
import { createServer } from "node:net";

/** Below the systems' ephemeral range, so that no other process is given one of these before it is used. */
const [lowest, highest] = [15_000, 32_000];
const blockSize = 16;
const blocks = Math.floor((highest - lowest) / blockSize);
const maxTries = 10_000;

/** Ports of this process's newest block that were not handed out yet. */
const ports: number[] = [];

/**
 * Returns free ports on 127.0.0.1. No port is handed out twice, by this process or by another one that lives at the
 * same time: a port may be used much later, or be free for a moment while the process that has it starts again.
 */
export async function freePorts(count: number): Promise<number[]> {
  const taken: number[] = [];
  while (taken.length < count) {
    const port = ports.pop();
    if (port === undefined) ports.push(...(await claimBlock()));
    else if ((await whyNotFree(port)) === undefined) taken.push(port);
  }
  return taken;
}

/** Claims ports for as long as this process lives: their block's first UDP port is bound, which one process can do. */
async function claimBlock(): Promise<number[]> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const first = lowest + blockSize * randomInt(blocks);
    if (await bindsUdp(first)) return Array.from({ length: blockSize }, (_, at) => first + at);
  }
  throw new Error(`no block of ports between ${lowest} and ${highest} is free`);
}

async function bindsUdp(port: number): Promise<boolean> {
  const socket = createSocket("udp4");
  socket.unref();
  return await new Promise((resolve) => {
    socket.once("error", () => socket.close(() => resolve(false)));
    socket.bind({ port, address: "127.0.0.1", exclusive: true }, () => resolve(true));
  });
}

/** Throws one sentence that names all unavailable ports with their use; 0 means any port. */
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
