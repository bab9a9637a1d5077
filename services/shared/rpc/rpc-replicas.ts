import { lookup } from "node:dns/promises";
import { type ChannelCredentials, Client } from "@grpc/grpc-js";
import type { Running } from "../process/lifecycle";
import { connectionOptions, maxMessageBytes } from "./rpc";
import { type CallStream, openCallStream } from "./rpc-call-stream";

/** The replicas of a service, each on a stream of its own. */
export interface Replicas extends Running {
  /** Returns the next open stream in turn, a full one only if all are full; undefined when none is open. */
  pick(): CallStream | undefined;
}

interface Replica extends Running {
  stream(): CallStream;
}

/** How often a name is resolved, so that new replicas get their share. */
const resolveEveryMs = 5_000;

/** Pause before a stream is reopened, milliseconds. */
const reopenAfterMs = 250;

/** Opens a stream to each address of a gRPC target and keeps it open. Streams of addresses that are gone are ended. */
export function openReplicas(target: string, credentials: ChannelCredentials): Replicas {
  const { addresses, name } = parseTarget(target);
  const replicas = new Map<string, Replica>();
  let turn = 0;
  let isStopped = false;

  const settle = (found: readonly string[]): void => {
    if (isStopped) return;
    for (const [address, replica] of replicas) {
      if (found.includes(address)) continue;
      replicas.delete(address);
      void replica.stop();
    }
    for (const address of found) {
      if (!replicas.has(address)) replicas.set(address, openReplica(address, credentials, name?.host));
    }
  };
  const resolve = async ({ host, port }: TargetName): Promise<void> => {
    const found = await lookup(host, { all: true }).catch(() => undefined);
    // A failed resolution says nothing about the open streams.
    if (found !== undefined) settle(found.map(({ address, family }) => addressText(address, family, port)));
  };

  settle(addresses);
  if (name !== undefined) void resolve(name);
  const timer = name === undefined ? undefined : setInterval(() => void resolve(name), resolveEveryMs).unref();
  return {
    pick() {
      const open = [...replicas.values()].map(({ stream }) => stream()).filter(({ isOpen }) => isOpen());
      const free = open.filter(({ isFull }) => !isFull());
      const candidates = free.length > 0 ? free : open;
      turn = (turn + 1) % Math.max(candidates.length, 1);
      return candidates[turn];
    },
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await Promise.all([...replicas.values()].map((replica) => replica.stop()));
    },
  };
}

/** Keeps one stream to one address and reopens it when it ends. Certificates are checked against `host` if given. */
function openReplica(address: string, credentials: ChannelCredentials, host: string | undefined): Replica {
  const client = new Client(address, credentials, {
    ...connectionOptions,
    "grpc.max_receive_message_length": 2 * maxMessageBytes,
    ...(host === undefined ? {} : { "grpc.ssl_target_name_override": host, "grpc.default_authority": host }),
  });
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  const open = (): CallStream => {
    const opened = openCallStream(client);
    void opened.closed.then(() => {
      if (!isStopped) timer = setTimeout(reopen, reopenAfterMs).unref();
    });
    return opened;
  };
  const reopen = (): void => {
    stream = open();
  };
  let stream = open();
  return {
    stream: () => stream,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      stream.end();
      await stream.closed;
      client.close();
    },
  };
}

interface TargetName {
  host: string;
  port: string;
}

const addressText = (address: string, family: number, port: string): string =>
  family === 6 ? `ipv6:[${address}]:${port}` : `ipv4:${address}:${port}`;

/** Parses a target: addresses, or a name to resolve. Other gRPC schemes have no streams. */
function parseTarget(target: string): { addresses: string[]; name?: TargetName } {
  const [, scheme, list] = /^(ipv4|ipv6):(.+)$/.exec(target) ?? [];
  if (list !== undefined) return { addresses: list.split(",").map((address) => `${scheme}:${address}`) };
  const [, host, port] = /^(?:dns:(?:\/\/\/)?)?([\w.-]+):(\d+)$/.exec(target) ?? [];
  return host === undefined || port === undefined ? { addresses: [] } : { addresses: [], name: { host, port } };
}
