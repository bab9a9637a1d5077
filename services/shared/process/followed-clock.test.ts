import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { followClock } from "./followed-clock";

/** Starts a sandbox whose clock is moved by hand; it holds a request until there is news. */
async function startWorld(answer = (setting: object): string => JSON.stringify(setting)) {
  let setting = { version: 0, offsetMs: 0 };
  let waiting: ServerResponse | undefined;
  const questions: string[] = [];
  const server: Server = createServer((request, response) => {
    questions.push(request.url ?? "");
    if (request.url === `/clock?after=${setting.version}`) waiting = response;
    else response.end(answer(setting));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/clock`,
    questions,
    isAsked: () => waiting !== undefined,
    advance(offsetMs: number) {
      setting = { version: setting.version + 1, offsetMs };
      waiting?.end(answer(setting));
      waiting = undefined;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const soon = async (isTrue: () => boolean): Promise<void> => {
  for (let tries = 0; tries < 3_000 && !isTrue(); tries += 1) await sleep(10);
  expect(isTrue()).toBe(true);
};

const aheadMs = (now: Date): number => now.getTime() - Date.now();
const hour = 3_600_000;

describe("a followed clock", () => {
  it("is the machine's until the world says otherwise, and moves with the world", async () => {
    const world = await startWorld();
    const followed = followClock(world.url);
    try {
      expect(Math.abs(aheadMs(followed.clock.now()))).toBeLessThan(1_000);
      await soon(world.isAsked);
      world.advance(hour);
      await soon(() => aheadMs(followed.clock.now()) > hour - 1_000);
      await soon(world.isAsked);
      world.advance(2 * hour);
      await soon(() => aheadMs(followed.clock.now()) > 2 * hour - 1_000);
      await soon(world.isAsked);
      expect(world.questions).toEqual(["/clock?after=-1", "/clock?after=0", "/clock?after=1", "/clock?after=2"]);
    } finally {
      await followed.stop();
      await world.stop();
    }
  });

  it("keeps the last offset when the sandbox is gone, and stops while it waits", async () => {
    const world = await startWorld();
    const followed = followClock(world.url);
    await soon(world.isAsked);
    world.advance(hour);
    await soon(() => aheadMs(followed.clock.now()) > hour - 1_000);
    await world.stop();
    await sleep(50);

    expect(aheadMs(followed.clock.now())).toBeGreaterThan(hour - 1_000);
    await followed.stop();
  });

  it.each(["", "{}", '{"version":1,"offsetMs":"9"}', '{"version":1,"offsetMs":1.5}', "x".repeat(2_000)])(
    "ignores %j",
    async (text) => {
      const world = await startWorld(() => text);
      const followed = followClock(world.url);
      await soon(() => world.questions.length > 0);
      await sleep(50);

      expect(Math.abs(aheadMs(followed.clock.now()))).toBeLessThan(1_000);
      await followed.stop();
      await world.stop();
    },
  );
});
