import { once } from "node:events";
import { Agent } from "node:http";
import { connect } from "node:net";
import { makeCallers } from "../../../gateway/callers";
import { startDoors } from "../../../gateway/doors";
import { type HttpListener, listen } from "../../../gateway/http-server";
import { makeRequestTime } from "../../../gateway/request-time";
import { makeNetworks } from "../../../services/shared/kernel/networks";
import { type Balancer, headerOf, startBalancer } from "../../support/balancer";
import { httpCall } from "./http-call";

const most = 3;

describe("a listener behind a balancer that sends PROXY headers", () => {
  const callers = makeCallers(makeNetworks(["127.0.0.0/8"]));
  const doors = startDoors({ perAddress: most, inAll: 100, known: 100, burst: 1_000, isProxy: () => false });
  const isDraining = () => false;
  const time = makeRequestTime({ requestMs: 15_000, uploadMs: 15_000, uploadBytesPerSecond: 1, isDraining });
  const balancers: Balancer[] = [];
  let listener: HttpListener;
  beforeAll(async () => {
    listener = await listen(
      (request, response) => {
        const chunks: Buffer[] = [];
        request.on("data", (chunk: Buffer) => chunks.push(chunk));
        request.on("end", () => response.end(`${callers.addressOf(request.socket)} ${Buffer.concat(chunks).length}`));
      },
      { host: "127.0.0.1", port: 0, time, doors, callers },
    );
  });
  afterAll(async () => {
    for (const balancer of balancers) await balancer.stop();
    await doors.stop();
    await listener.stop();
  });

  const portOf = async (...pieces: Buffer[]): Promise<number> => {
    const balancer = await startBalancer(listener.port, pieces);
    balancers.push(balancer);
    return balancer.port;
  };

  it("takes one header a connection, and all requests behind it, whole", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const port = await portOf(headerOf("203.0.113.7"));
    const send = (bytes: number) => httpCall(port, "/", { method: "POST", body: Buffer.alloc(bytes, 97), agent });

    expect((await send(10)).text).toBe("203.0.113.7 10");
    expect((await send(200_000)).text).toBe("203.0.113.7 200000");
    agent.destroy();
  });

  it("tells callers apart who come at the same time through one balancer", async () => {
    const addresses = Array.from({ length: 40 }, (_, index) => `198.51.100.${index}`);
    const ports = await Promise.all(addresses.map((address) => portOf(headerOf(address))));

    const answers = await Promise.all(ports.map((port) => httpCall(port, "/", { method: "POST", body: "abc" })));

    expect(answers.map(({ text }) => text)).toEqual(addresses.map((address) => `${address} 3`));
  });

  it("counts connections against the address that the header names", async () => {
    const [greedy, other] = [await portOf(headerOf("192.0.2.1")), await portOf(headerOf("192.0.2.2"))];
    const agent = new Agent({ keepAlive: true });
    const open = async (port: number): Promise<string> => (await httpCall(port, "/", { agent })).text;
    await open(other);
    expect(doors.strangers()).toBeGreaterThan(0);

    // Its own oldest connections make room, and no other caller's.
    for (let count = 0; count < 3 * most; count += 1) {
      const own = new Agent({ keepAlive: true });
      expect((await httpCall(greedy, "/", { agent: own })).text).toBe("192.0.2.1 0");
    }
    expect(doors.strangers()).toBeLessThanOrEqual(2 * most);
    expect(await open(other)).toBe("192.0.2.2 0");
    agent.destroy();
  });

  it("ends a connection that says something else, or not all of its header within seconds", async () => {
    await expect(httpCall(listener.port, "/")).rejects.toThrow();
    await expect(httpCall(await portOf(Buffer.from("PROXY TCP9 1 2 3 4\r\n")), "/")).rejects.toThrow();

    const half = connect(listener.port, "127.0.0.1");
    half.write(headerOf("203.0.113.7").subarray(0, 20));
    await once(half, "close");
    expect(half.bytesRead).toBe(0);
  });
});
