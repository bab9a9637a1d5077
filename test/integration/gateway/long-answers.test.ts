import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { makeCallers } from "../../../gateway/callers";
import { type Doors, startDoors } from "../../../gateway/doors";
import { makeNetworks } from "../../../services/shared/kernel/networks";

/** Longer than a stranger may take for one piece of an answer. */
const pieces = 16;
const everyMs = 500;

describe("an answer that is made while it is sent", () => {
  let server: Server;
  let doors: Doors;

  beforeAll(async () => {
    doors = startDoors({ perAddress: 100, inAll: 100, known: 100, burst: 100, isProxy: () => false });
    server = createServer((request, response) => {
      if (!doors.admit(request, response)) return;
      void (async () => {
        response.writeHead(200);
        for (let at = 0; at < pieces && !response.destroyed; at += 1) {
          response.write(`${at}\n`);
          await sleep(everyMs);
        }
        response.end();
      })();
    });
    doors.guard(server, makeCallers(makeNetworks([])));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterAll(async () => {
    await doors.stop();
    await new Promise((resolve) => server.close(resolve));
  });

  it("is sent to its end, however long it takes, to who reads each piece at once", async () => {
    const { port } = server.address() as AddressInfo;
    const text = await (await fetch(`http://127.0.0.1:${port}/`)).text();
    expect(text.split("\n").filter((line) => line !== "")).toHaveLength(pieces);
  });
});
