import { createServer, type Server } from "node:http";
import { connect, type Socket } from "node:net";
import { type Acceptors, openAcceptors } from "./acceptors";

const place = { host: "127.0.0.1", port: 0, backlog: 4_096 };
const waiting = 200;

describe("a server on several sockets of one port", () => {
  const clients: Socket[] = [];
  let server: Server;
  let acceptors: Acceptors;
  let taken: number;
  beforeEach(async () => {
    taken = 0;
    server = createServer((_request, response) => response.end("here"));
    server.on("connection", (socket: Socket) => {
      taken += 1;
      socket.resume();
    });
    acceptors = await openAcceptors(server, place);
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) client.destroy();
    server.closeAllConnections();
    await acceptors.close();
  });

  it("answers whoever comes, whichever socket it came to", async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, async () => (await fetch(`http://127.0.0.1:${acceptors.port}/`)).text()),
    );

    expect(answers).toEqual(answers.map(() => "here"));
  });

  it("takes several connections in one turn of the event loop, so that a line of them is short", async () => {
    for (let index = 0; index < waiting; index += 1) {
      clients.push(connect({ host: place.host, port: acceptors.port }).on("error", () => undefined));
    }
    let mostInOneTurn = 0;
    while (taken < waiting) {
      const before = taken;
      await new Promise((resolve) => setImmediate(resolve));
      mostInOneTurn = Math.max(mostInOneTurn, taken - before);
    }

    // Other systems do not spread connections over several sockets.
    expect(mostInOneTurn).toBeGreaterThanOrEqual(process.platform === "linux" ? 8 : 1);
  });

  it("does not share its port with another one", async () => {
    const other = openAcceptors(createServer(), { ...place, port: acceptors.port });

    await expect(other).rejects.toMatchObject({ code: "EADDRINUSE" });
  });

  it("takes nobody any more once it is closed, on no socket", async () => {
    const { port } = acceptors;
    await acceptors.close();
    acceptors = await openAcceptors(server, place);

    const tries = await Promise.allSettled(Array.from({ length: 20 }, () => fetch(`http://127.0.0.1:${port}/`)));

    expect(tries.filter(({ status }) => status === "fulfilled")).toEqual([]);
  });
});
