import type { Sandbox } from "../../../sandbox/app";
import { call, freshDir, startWorld } from "./outside-world";

describe("the world's clock", () => {
  let world: Sandbox;
  const clock = (after?: number) => call("GET", `${world.url}/clock${after === undefined ? "" : `?after=${after}`}`);
  const advance = (seconds: unknown) => call("POST", `${world.url}/clock`, { advance: seconds });

  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.stop());

  it("answers at once who knows another version", async () => {
    expect((await clock()).body).toEqual({ version: 1, offsetMs: 0 });
    expect((await clock(7)).body).toEqual({ version: 1, offsetMs: 0 });
  });

  it("wakes its followers, and answers the advance when they are back", async () => {
    const { version } = (await clock()).body;
    const first = clock(Number(version));
    const follower = first.then(async ({ body }) => {
      const back = clock(Number(body["version"]));
      return { body, back };
    });
    await new Promise((resolve) => setTimeout(resolve, 100));

    const started = performance.now();
    const moved = await advance(3_600);
    const tookMs = performance.now() - started;
    const { body, back } = await follower;

    expect(moved.body).toMatchObject({ version: Number(version) + 1, offsetMs: 3_600_000 });
    expect(body).toEqual({ version: Number(version) + 1, offsetMs: 3_600_000 });
    expect(tookMs).toBeLessThan(4_900);
    await advance(0);
    expect((await back).body).toMatchObject({ version: Number(version) + 2 });
  });

  it("waits some seconds at most for a follower that does not come back", async () => {
    const { version } = (await clock()).body;
    const lost = clock(Number(version));
    await new Promise((resolve) => setTimeout(resolve, 100));

    const moved = await advance(1);

    expect(moved.status).toBe(200);
    expect((await lost).body["version"]).toBe(Number(version) + 1);
  });

  it("answers two advances at once, each when the followers are back", async () => {
    const { version } = (await clock()).body;
    const follow = async (from: number, until: number): Promise<void> => {
      let known = from;
      while (known < until) known = Number((await clock(known)).body["version"]);
    };
    const follower = follow(Number(version), Number(version) + 3);
    await new Promise((resolve) => setTimeout(resolve, 100));

    const moved = await Promise.all([advance(1.001), advance(0.5)]);
    await advance(0);
    await follower;

    expect(moved.map(({ status }) => status)).toEqual([200, 200]);
    expect((await clock()).body["version"]).toBe(Number(version) + 3);
  });

  it.each([-1, "5", null, 1e12, 0.0001])("refuses to move by %p", async (seconds) => {
    expect(await advance(seconds)).toMatchObject({ status: 400, body: { fields: [{ field: "advance" }] } });
  });

  it("keeps its time over a restart", async () => {
    const dataDir = freshDir();
    const first = await startWorld({ dataDir });
    await call("POST", `${first.url}/clock`, { advance: 60 });
    await first.stop();

    const second = await startWorld({ dataDir });
    const { body } = await call("GET", `${second.url}/clock`);
    await second.stop();

    expect(body).toEqual({ version: 2, offsetMs: 60_000 });
  });
});
