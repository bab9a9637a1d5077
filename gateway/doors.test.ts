import { createServer, get, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { makeNetworks } from "../services/shared/kernel/networks";
import { type Callers, makeCallers } from "./callers";
import { type DoorLimits, type Doors, startDoors } from "./doors";

const limits: DoorLimits = { perAddress: 8, inAll: 8, known: 4, burst: 8, isProxy: () => false };
/** Names the holder of a request by the header of the same name. */
const holderOf = ({ headers }: IncomingMessage): string => String(headers["x-holder"]);

describe("doors", () => {
  const opened: Socket[] = [];
  const servers: Server[] = [];
  let doors: Doors;
  beforeEach(() => {
    doors = startDoors(limits);
  });
  afterEach(async () => {
    for (const socket of opened.splice(0)) socket.destroy();
    for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
    await doors.stop();
  });

  /** A server behind the doors, which treats every caller that names a holder as known. */
  async function serve(host: string, port = 0, callers: Pick<Callers, "meet"> = makeCallers(makeNetworks([]))) {
    const server = createServer((request, response) => {
      if (!doors.admit(request, response)) return;
      if (request.headers["x-holder"] !== undefined) doors.known(request, holderOf(request));
      response.end("here");
    });
    doors.guard(server, callers);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(port, host, resolve));
    return (server.address() as AddressInfo).port;
  }

  async function open(host: string, port: number, from: { localAddress?: string; localPort?: number } = {}) {
    const socket = connect({ host, port, ...from });
    opened.push(socket);
    const facts = { socket, isOpen: true, received: "" };
    socket.on("data", (bytes) => (facts.received += bytes.toString()));
    socket.on("error", () => undefined);
    const closed = new Promise<void>((resolve) =>
      socket.once("close", () => {
        facts.isOpen = false;
        resolve();
      }),
    );
    await new Promise<void>((resolve) => socket.once("connect", resolve).once("close", () => resolve()));
    const ask = async (holder: string): Promise<void> => {
      const before = facts.received.length;
      socket.write(`GET / HTTP/1.1\r\nhost: a\r\n${holder === "" ? "" : `x-holder: ${holder}\r\n`}\r\n`);
      await Promise.race([
        closed,
        new Promise<void>((resolve) => {
          const look = (): void => (facts.received.length > before ? resolve() : void socket.once("data", look));
          look();
        }),
      ]);
    };
    return { facts, closed, ask };
  }

  const answerOf = (port: number): Promise<number | string> =>
    new Promise((resolve) =>
      get({ host: "127.0.0.1", port, agent: false }, (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      }).once("error", ({ message }) => resolve(message)),
    );

  it("let the oldest idle connection of who has most make room among those who are known, and none of others", async () => {
    const port = await serve("127.0.0.1");
    const small = await open("127.0.0.1", port);
    await small.ask("small");
    const large = [];
    for (let index = 0; index < limits.known; index += 1) {
      const one = await open("127.0.0.1", port);
      await one.ask("large");
      large.push(one);
    }
    await large[0]?.closed;

    expect(large.map(({ facts }) => facts.isOpen)).toEqual([false, true, true, true]);
    expect(small.facts.isOpen).toBe(true);
    expect(await answerOf(port)).toBe(200);
  });

  it("tell two connections from one port apart that came to two addresses", async () => {
    const port = await serve("127.0.0.1");
    await serve("127.0.0.2", port);
    const taken = new Promise<Socket>((resolve) => servers.at(-1)?.once("connection", resolve));
    const one = await open("127.0.0.1", port, { localAddress: "127.0.0.3" });
    const { localPort = 0 } = one.facts.socket;
    const other = await open("127.0.0.2", port, { localAddress: "127.0.0.3", localPort });

    const ended = await taken;
    expect(doors.strangers()).toBe(2);
    await other.ask("somebody");
    expect(doors.strangers()).toBe(1);
    const gone = new Promise((resolve) => ended.once("close", resolve));
    other.facts.socket.destroy();
    await gone;
    await one.ask("");
    expect(one.facts.received).toContain("here");
  });

  it("count a whole IPv6 network of 64 bits as one stranger", async () => {
    let last = 0;
    const meet: Callers["meet"] = (_socket, take) => {
      last += 1;
      take(`2001:db8:0:7::${last.toString(16)}`);
    };
    const port = await serve("127.0.0.1", 0, { meet });
    for (let index = 0; index < limits.burst; index += 1) await open("127.0.0.1", port);
    expect(doors.strangers()).toBe(limits.burst);

    expect(await answerOf(port)).toMatch(/hang up|ECONNRESET/);
  });

  it("serve a rush from one address in turn, and lose nothing that was sent meanwhile", async () => {
    const port = await serve("127.0.0.1");
    const startMs = performance.now();

    expect(await Promise.all(Array.from({ length: 4 }, () => answerOf(port)))).toEqual([200, 200, 200, 200]);
    // The first at once, and then one in a second: an eighth of the burst.
    expect(performance.now() - startMs).toBeGreaterThan(2_900);
  });

  it("serve the next of an address at once when one there proves who it is", async () => {
    const port = await serve("127.0.0.1");
    const callers = [];
    for (let index = 0; index < limits.burst; index += 1) callers.push(await open("127.0.0.1", port));
    const startMs = performance.now();
    for (const { ask } of callers) await ask("somebody");

    expect(performance.now() - startMs).toBeLessThan((limits.burst - 2) * 1_000);
    expect(callers.every(({ facts }) => facts.received.includes("here"))).toBe(true);
  });

  it("forget a connection that has ended before its turn", async () => {
    const port = await serve("127.0.0.1");
    const [first, gone, last] = [
      await open("127.0.0.1", port),
      await open("127.0.0.1", port),
      await open("127.0.0.1", port),
    ];
    gone.facts.socket.destroy();
    await gone.closed;
    await first.ask("somebody");
    await last.ask("somebody");

    expect(last.facts.received).toContain("here");
  });
});
