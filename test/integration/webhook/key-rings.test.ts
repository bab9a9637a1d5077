import { randomUUID } from "node:crypto";
import { keyIdOf } from "../../../services/shared/crypto/sealing";
import type { Keys } from "../../../services/shared/kernel/keys";
import { startWebhook } from "../../../services/webhook/app";
import { eventually } from "../bus/bus-testbed";
import { verifiedTime } from "./sink";
import { makeWebhookClient, startWebhookWorld, statusEvents, type WebhookWorld } from "./webhook-world";

const [first, second] = [Buffer.alloc(32, 5), Buffer.alloc(32, 6)] as const;

interface StoredSubscription {
  _id: string;
  secret: { sealed: string; sealedSeed: string } | null;
}

describe("the ring that seals the secrets of endpoints", () => {
  let world: WebhookWorld;
  const tenant = "demo";
  beforeAll(async () => {
    world = await startWebhookWorld();
  });
  afterAll(() => world.stop());

  const stored = () => world.mongo.connection.collection<StoredSubscription>("subscriptions").find({}).toArray();
  const keysOf = async (): Promise<Set<string | undefined>> =>
    new Set(
      (await stored()).flatMap(({ secret }) => [secret?.sealed, secret?.sealedSeed].map((text) => text?.split(".")[1])),
    );
  const start = async (...keys: Keys) => {
    const service = await startWebhook({ ...world.config, WEBHOOK_SEALING_KEY_FILE: keys });
    const client = makeWebhookClient(service.port);
    return {
      client,
      async stop() {
        await client.stop();
        await service.stop();
      },
    };
  };
  /** Publishes an event, and says whether the receiver finds the signature right under the secret that it was shown once. */
  const isSignedRight = async (path: string, secret: string): Promise<boolean> => {
    const before = world.sink.received(path).length;
    await world.publish(statusEvents(randomUUID(), 1, 1, tenant));
    await eventually(async () => world.sink.received(path).length > before);
    const received = world.sink.received(path).at(-1);
    return received !== undefined && verifiedTime(received, secret) !== undefined;
  };

  it("is replaced while two replicas deliver; secrets stay as receivers know them", async () => {
    const path = `/${randomUUID()}`;
    const subscriptionId = await world.subscribe(path, tenant);
    const { signingSecret: secret } = await world.webhook.rotateSecret({ tenant, subscriptionId });
    expect(await isSignedRight(path, secret)).toBe(true);

    await world.stopService();
    const both = await start(first, second);
    const next = await start(second, first);
    await expect(next.client.renewKeys({ renewalId: "r-1" })).rejects.toMatchObject({ reason: "RECORD_CONFLICT" });
    expect(await isSignedRight(path, secret)).toBe(true);
    expect(await keysOf()).toEqual(new Set([keyIdOf(first)]));

    await both.stop();
    await eventually(async () => [...(await keysOf())].every((id) => id === keyIdOf(second)));
    await eventually(async () => (await next.client.getKeyRings({})).renewal?.doneAt !== undefined);
    expect((await next.client.getKeyRings({})).renewal?.uses).toMatchObject([
      { collection: "subscriptions", seen: 1n, renewed: 1n, left: 0n, unopened: 0n },
    ]);
    expect(await isSignedRight(path, secret)).toBe(true);
    await next.stop();

    const last = await start(second);
    expect(await isSignedRight(path, secret)).toBe(true);
    await last.stop();
  });
});
