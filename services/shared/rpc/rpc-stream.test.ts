import { once } from "node:events";
import { DomainError } from "../kernel/errors";
import type { Running } from "../process/lifecycle";
import { makeMetrics } from "../process/metrics";
import { noTracing } from "../process/tracing";
import type { Rpc } from "./rpc";
import { makeRpcClient } from "./rpc-client";
import { serveRpc } from "./rpc-server";

const encode = (value: string): Buffer => Buffer.from(value);
const decode = (bytes: Buffer): string => bytes.toString();
const collect = {
  path: "/test.Streams/Collect" as const,
  requestStream: true as const,
  requestSerialize: encode,
  requestDeserialize: decode,
  responseSerialize: encode,
  responseDeserialize: decode,
};
async function all(words: AsyncIterable<string>): Promise<string[]> {
  const list: string[] = [];
  for await (const word of words) list.push(word);
  return list;
}
type Streams = { collect: typeof collect };

describe("a stream of requests", () => {
  const running: Running[] = [];
  const logged: string[] = [];
  const logger = {
    debug: () => undefined,
    info: (fields: object) => "code" in fields && void logged.push(String(fields.code)),
    warn: () => undefined,
    error: () => void logged.push("error"),
  };
  const connect = async (handler: Rpc<Streams>["collect"], timeoutMs = 20_000): Promise<Rpc<Streams>> => {
    const metrics = makeMetrics("test");
    const options = { address: "127.0.0.1:0", tls: undefined, logger, tracing: noTracing, metrics };
    const server = await serveRpc<Streams>({ collect }, { collect: handler }, options);
    const target = `ipv4:127.0.0.1:${server.port}`;
    const client = makeRpcClient<Streams>(
      { collect },
      { target, tls: undefined, timeoutMs, retryable: [], tracing: noTracing },
    );
    running.push(server, client);
    return client;
  };
  afterEach(async () => {
    logged.length = 0;
    for (const part of running.splice(0).toReversed()) await part.stop();
  });

  it("comes in order, and its answer after its end", async () => {
    const client = await connect(async (words) => (await all(words)).join("-"));

    async function* words() {
      yield* ["a", "b", "c"];
    }

    expect(await client.collect(words())).toBe("a-b-c");
    expect(logged).toEqual(["OK"]);
  });

  it("is taken from its maker no faster than the handler reads", async () => {
    let made = 0;
    const waiting = new EventTarget();
    const client = await connect(async (words) => {
      await once(waiting, "read");
      return String((await all(words)).length);
    });
    async function* large() {
      for (; made < 400; made += 1) yield "x".repeat(64 * 1024);
    }

    const answer = client.collect(large());
    let before = -1;
    while (before !== made || made === 0) {
      before = made;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }

    expect(made).toBeLessThan(100);
    waiting.dispatchEvent(new Event("read"));
    expect(await answer).toBe("400");
  });

  it("ends when the peer refuses early", async () => {
    const client = await connect(() => Promise.reject(new DomainError("BODY_TOO_LARGE", "too much")));
    let isOver = false;
    async function* endless() {
      try {
        for (;;) yield "x".repeat(1024);
      } finally {
        isOver = true;
      }
    }

    await expect(client.collect(endless())).rejects.toMatchObject({ reason: "BODY_TOO_LARGE", message: "too much" });
    while (!isOver) await new Promise((resolve) => setImmediate(resolve));
  });

  it("fails with its maker, and is over for the handler", async () => {
    const seen: unknown[] = [];
    const client = await connect(async (words) => {
      try {
        for await (const word of words) seen.push(word);
      } finally {
        seen.push("over");
      }
      return "";
    });
    async function* failing() {
      yield "a";
      while (seen.length === 0) await new Promise((resolve) => setImmediate(resolve));
      throw new DomainError("INVALID_ARGUMENT", "cut off");
    }

    await expect(client.collect(failing())).rejects.toMatchObject({ reason: "INVALID_ARGUMENT", message: "cut off" });
    while (logged.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(seen).toEqual(["a", "over"]);
  });

  it("ends when the time is over", async () => {
    const client = await connect(async (words) => (await all(words)).join(""), 300);
    async function* slow() {
      yield "a";
      await new Promise((resolve) => setTimeout(resolve, 2_000));
    }

    await expect(client.collect(slow())).rejects.toMatchObject({ reason: "UNAVAILABLE" });
  });
});
