import { createHmac } from "node:crypto";
import { type BookEntry, eventually, freshDir, order, railOf, startPlatform, startWorld } from "./outside-world";

const isDelivered = (entry: BookEntry | undefined): boolean => typeof entry?.callbacks[0]?.deliveredAt === "string";

describe("callbacks of the rail", () => {
  it("tell the platform, signed, that the order is paid", async () => {
    const platform = await startPlatform();
    const world = await startWorld({ callbackUrl: platform.root, callbackSecrets: { pix: "secret-of-pix" } });
    const rail = railOf(world.url);

    await rail.prepare(order("told"));
    await rail.release("told");
    await eventually(async () => isDelivered(await rail.entry("told")));
    await world.stop();
    await platform.stop();

    const [callback] = platform.received;
    expect(JSON.parse(callback?.body ?? "")).toEqual({
      eventId: expect.any(String),
      reference: "told",
      railId: expect.stringMatching(/^PIX-/),
      status: "PAID",
      movementId: expect.stringMatching(/^MOV-/),
      amount: "543.21",
      currency: "BRL",
      endToEndId: expect.stringMatching(/^E99999004/),
      occurredAt: expect.stringMatching(/Z$/),
    });
    const signature = String(callback?.headers["x-signature"]);
    const [, seconds, id, mac] = /^t=(\d+),id=([^,]+),v1=([0-9a-f]{64})$/.exec(signature) ?? [];
    const signed = `pix.${id}.${seconds}.${callback?.body}`;
    expect(mac).toBe(createHmac("sha256", "secret-of-pix").update(signed).digest("hex"));
    expect(JSON.parse(callback?.body ?? "")).toMatchObject({ eventId: id });
  });

  it("repeat with the same body until a 2xx, and then stop", async () => {
    const platform = await startPlatform([500, 302, 404]);
    const world = await startWorld({ callbackUrl: platform.root });
    const rail = railOf(world.url);

    await rail.prepare(order("again"));
    await rail.release("again");
    await eventually(async () => isDelivered(await rail.entry("again")));
    const entry = await rail.entry("again");
    await world.stop();
    await platform.stop();

    expect(entry?.callbacks).toMatchObject([{ attempts: 4 }]);
    expect(platform.received).toHaveLength(4);
    expect(new Set(platform.received.map(({ body }) => body)).size).toBe(1);
  });

  it("go on after a restart while the platform was away", async () => {
    const dataDir = freshDir();
    const first = await startWorld({ dataDir });
    await railOf(first.url).prepare(order("later"));
    await railOf(first.url).release("later");
    await eventually(async () => ((await railOf(first.url).entry("later"))?.callbacks[0]?.attempts ?? 0) > 0);
    await first.stop();

    const platform = await startPlatform();
    const second = await startWorld({ dataDir, callbackUrl: platform.root });
    await eventually(() => platform.received.length === 1);
    await second.stop();
    await platform.stop();

    expect(JSON.parse(platform.received[0]?.body ?? "")).toMatchObject({ reference: "later", status: "PAID" });
  });
});
