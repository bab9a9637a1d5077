import { createHash, randomUUID } from "node:crypto";
import { startWebhookWorld, type WebhookWorld } from "./webhook-world";

const notFound = { reason: "WEBHOOK_NOT_FOUND" };

describe("subscriptions", () => {
  let world: WebhookWorld;

  beforeAll(async () => {
    world = await startWebhookWorld();
  });
  afterAll(async () => {
    await world.stop();
  });

  const create = (request: { tenant?: string; url?: string; events?: string[]; isBatchMalformed?: boolean } = {}) =>
    world.webhook.createSubscription({
      tenant: "demo",
      url: "https://example.com/hook",
      events: ["TransactionStatusChanged"],
      isBatch: false,
      ...request,
    });
  const violations = async (request: Parameters<typeof create>[0]): Promise<string[]> => {
    const refusal: unknown = await create(request).catch((error: unknown) => error);
    if (!(refusal instanceof Error && "violations" in refusal)) throw new Error("was not refused");
    return (refusal.violations as { field: string }[]).map(({ field }) => field);
  };

  it("registers an endpoint and lists it, oldest first, with the spelling of its events", async () => {
    const tenant = "lister";
    const events = ["transactionSTATUSchanged", "documentUpdatedEvents", "agentUpdatedEvents"];
    const first = await create({ tenant, events });
    const second = await create({ tenant, url: "https://example.com:8443/other" });

    const { subscriptions } = await world.webhook.listSubscriptions({ tenant });

    expect(subscriptions).toEqual([first.subscription, second.subscription]);
    expect(subscriptions[0]).toMatchObject({ url: "https://example.com/hook", events, isBatch: false });
    expect(subscriptions[0]?.signatureVersion).toBeUndefined();
    expect(subscriptions[0]?.secretFingerprint).toBeUndefined();
    expect(subscriptions[0]?.secretRotatedAt).toBeUndefined();
  });

  it("refuses every broken rule at once, each by its field", async () => {
    expect(await violations({ url: "http://example.com", events: ["Nope"] })).toEqual(["url", "events.0"]);
    expect(await violations({ url: "", events: [], isBatchMalformed: true })).toEqual(["url", "events", "isBatch"]);
    expect(await violations({ url: "https://10.0.0.1/", events: ["Nope"] })).toEqual(["url", "events.0"]);
    expect(await violations({ events: [] })).toEqual(["events"]);
    expect(await violations({ tenant: "" })).toEqual(["tenant"]);
  });

  it("makes a secret, shows it once and only its fingerprint later", async () => {
    const tenant = "secretive";
    const { subscription } = await create({ tenant });
    const target = { tenant, subscriptionId: subscription?.id ?? "" };

    const made = await world.webhook.rotateSecret(target);

    expect(Buffer.from(made.signingSecret, "base64")).toHaveLength(32);
    expect(made.signingSecret).toHaveLength(44);
    expect(made.secretFingerprint).toBe(createHash("sha256").update(made.signingSecret).digest("hex").slice(0, 8));
    expect(made.signatureVersion).toBe("v1");
    const { subscriptions } = await world.webhook.listSubscriptions({ tenant });
    expect(subscriptions[0]).toMatchObject({
      signatureVersion: "v1",
      secretFingerprint: made.secretFingerprint,
      secretRotatedAt: made.secretRotatedAt,
    });
    expect(JSON.stringify(subscriptions)).not.toContain(made.signingSecret);
    const stored = await world.mongo.connection.collection("subscriptions").find({}).toArray();
    expect(JSON.stringify(stored)).not.toContain(made.signingSecret);

    const rotated = await world.webhook.rotateSecret(target);
    expect(rotated.signingSecret).not.toBe(made.signingSecret);
    await world.webhook.deleteSecret(target);
    await world.webhook.deleteSecret(target);
    const after = await world.webhook.listSubscriptions({ tenant });
    expect(after.subscriptions[0]?.secretFingerprint).toBeUndefined();
  });

  it("gives a tenant sixteen places, however many ask at once", async () => {
    const tenant = "crowded";

    const answers = await Promise.allSettled(Array.from({ length: 24 }, () => create({ tenant })));

    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(16);
    const { subscriptions } = await world.webhook.listSubscriptions({ tenant });
    expect(subscriptions).toHaveLength(16);
    expect(await violations({ tenant })).toEqual(["url"]);
    await world.webhook.deleteSubscription({ tenant, subscriptionId: subscriptions[3]?.id ?? "" });
    await create({ tenant });
  });

  it("deletes once", async () => {
    const { subscription } = await create({ tenant: "deleter" });
    const target = { tenant: "deleter", subscriptionId: subscription?.id ?? "" };

    await world.webhook.deleteSubscription(target);

    await expect(world.webhook.deleteSubscription(target)).rejects.toMatchObject(notFound);
    expect((await world.webhook.listSubscriptions({ tenant: "deleter" })).subscriptions).toEqual([]);
  });

  it("answers another tenant as if there were nothing", async () => {
    const { subscription } = await create({ tenant: "owner" });
    const foreign = { tenant: "stranger", subscriptionId: subscription?.id ?? "" };
    const unknown = { tenant: "owner", subscriptionId: randomUUID() };

    for (const target of [foreign, unknown]) {
      await expect(world.webhook.deleteSubscription(target)).rejects.toMatchObject(notFound);
      await expect(world.webhook.rotateSecret(target)).rejects.toMatchObject(notFound);
      await expect(world.webhook.deleteSecret(target)).rejects.toMatchObject(notFound);
    }
    expect((await world.webhook.listSubscriptions({ tenant: "stranger" })).subscriptions).toEqual([]);
    expect((await world.webhook.listSubscriptions({ tenant: "owner" })).subscriptions).toHaveLength(1);
  });
});
