import { randomUUID } from "node:crypto";
import { DeliveryState } from "../../../proto/gen/corridor/webhook/v1/webhook_service";
import { until } from "../../support/platform-client";
import { startWebhookWorld, statusEvents, type WebhookWorld } from "./webhook-world";

describe("deliveries to all endpoints of a tenant", () => {
  let world: WebhookWorld;
  beforeAll(async () => {
    world = await startWebhookWorld();
  });
  afterAll(() => world.stop());

  const page = (tenant: string, after = "", changes: object = {}) =>
    world.webhook.listDeliveries({
      tenant,
      subscriptionId: undefined,
      subjectId: undefined,
      state: DeliveryState.UNSPECIFIED,
      after,
      limit: 3,
      ...changes,
    });
  const walk = async (tenant: string, between = async (): Promise<void> => {}) => {
    const shown = [];
    for (let after = ""; ; ) {
      const { deliveries, next } = await page(tenant, after);
      shown.push(...deliveries);
      if (next === "") return shown;
      after = next;
      await between();
    }
  };

  it("are shown once each, the newest first, with their endpoint, while others are made", async () => {
    const [one, two] = [await world.subscribe("/one", "list"), await world.subscribe("/two", "list")];
    await world.subscribe("/foreign", "other");
    const subject = randomUUID();
    await world.publish(statusEvents(subject, 1, 5, "list"));
    await world.publish(statusEvents(randomUUID(), 1, 2, "other"));
    // An attempt comes before its delivery is stored.
    const stored = async (tenant: string) => (await page(tenant, "", { limit: 200 })).deliveries.length;
    await until(
      () => stored("list"),
      (count) => count >= 10,
    );
    await until(
      () => stored("other"),
      (count) => count >= 2,
    );
    const arrive = async (): Promise<void> => {
      await world.publish(statusEvents(randomUUID(), 1, 1, "list"));
    };
    const shown = await walk("list", arrive);
    const own = shown.filter(({ subjectId }) => subjectId === subject);

    expect(new Set(shown.map(({ id }) => id)).size).toBe(shown.length);
    expect(own.map(({ subscriptionId, sequence }) => `${subscriptionId} ${sequence}`).toSorted()).toEqual(
      [one, two].flatMap((id) => [1, 2, 3, 4, 5].map((sequence) => `${id} ${sequence}`)).toSorted(),
    );
    const times = shown.map(({ createdAt }) => createdAt?.getTime() ?? 0);
    expect(times).toEqual(times.toSorted((earlier, later) => later - earlier));
    expect(new Set((await walk("other")).map(({ sequence }) => sequence))).toEqual(new Set([1, 2]));
    expect((await page("nobody")).deliveries).toEqual([]);
    expect((await page("list", "", { subjectId: subject, limit: 200 })).deliveries).toHaveLength(10);
    await expect(page("list", "nonsense")).rejects.toMatchObject({ violations: [{ field: "after" }] });
  });

  it("are told to operators where they wait, and no longer when they are delivered", async () => {
    world.sink.respond("/slow", (_received, response) => response.writeHead(500).end());
    const id = await world.subscribe("/slow", "backlog");
    await world.publish(statusEvents(randomUUID(), 1, 3, "backlog"));
    const backlogOf = async () =>
      (await world.webhook.listBacklog({ limit: 200 })).backlogs.find(({ subscriptionId }) => subscriptionId === id);
    const waiting = await until(backlogOf, (found) => (found?.failures ?? 0) > 0 && found?.waiting === 3);

    expect(waiting).toMatchObject({ tenant: "backlog", waiting: 3, disabledAt: undefined });
    expect(waiting?.oldestAt).toBeInstanceOf(Date);
    world.sink.respond("/slow", (_received, response) => response.writeHead(200).end());
    expect(await until(backlogOf, (found) => found === undefined)).toBeUndefined();
  });
});
