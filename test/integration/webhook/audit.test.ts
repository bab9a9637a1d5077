import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AuditEntry, AuditServiceService } from "../../../proto/gen/corridor/auth/v1/audit_service";
import { DeliveryState } from "../../../proto/gen/corridor/webhook/v1/webhook_service";
import { startAuth } from "../../../services/auth/app";
import { readAuthConfig } from "../../../services/auth/config";
import { runInCall } from "../../../services/shared/process/call-context";
import type { Running } from "../../../services/shared/process/lifecycle";
import { noTracing } from "../../../services/shared/process/tracing";
import type { Rpc } from "../../../services/shared/rpc/rpc";
import { makeRpcClient } from "../../../services/shared/rpc/rpc-client";
import { makeSwitchSubscription } from "../../../services/webhook/operations/switch-subscription";
import { makeChangeStore } from "../../../services/webhook/store/change-store";
import { makeSubscriptionStore } from "../../../services/webhook/store/subscription-store";
import { eventually } from "../bus/bus-testbed";
import { makeStandingClock, startWebhookWorld, statusEvents, type WebhookWorld } from "./webhook-world";

const day = 24 * 60 * 60_000;

describe("the audit log of endpoints that are disabled and enabled", () => {
  const clock = makeStandingClock();
  let folder: string;
  let world: WebhookWorld;
  let authEnv: NodeJS.ProcessEnv;
  let auth: (Running & Rpc<typeof AuditServiceService>) | undefined;
  let tenant: string;
  let path: string;

  beforeAll(async () => {
    world = await startWebhookWorld({ clock });
    folder = await mkdtemp(join(tmpdir(), "corridor-audit-"));
    const key = join(folder, "key");
    await writeFile(key, "cd".repeat(32));
    authEnv = {
      PROFILE: "local",
      LOG_LEVEL: "error",
      GRPC_PORT: "0",
      MONGODB_URI: world.testbed.mongoUri,
      MONGODB_DATABASE: world.testbed.database("auth"),
      ...world.testbed.busOf("auth"),
      AUTH_ISSUER: "http://127.0.0.1:8080",
      AUTH_AUDIENCE: "corridor",
      AUTH_PEPPER_FILE: key,
      AUTH_SEALING_KEY_FILE: key,
    };
    await startRecording();
  });
  afterAll(async () => {
    await auth?.stop();
    await world.stop();
    await rm(folder, { recursive: true });
  });
  beforeEach(() => {
    path = `/${randomUUID()}`;
    tenant = `t-${randomUUID().slice(0, 8)}`;
  });

  const startRecording = async (): Promise<void> => {
    const service = await startAuth(readAuthConfig(authEnv));
    const target = `ipv4:127.0.0.1:${service.port}`;
    const options = { target, tls: undefined, timeoutMs: 20_000, retryable: [], tracing: noTracing };
    const client = makeRpcClient(AuditServiceService, options);
    const stop = async (): Promise<void> => {
      await client.stop();
      await service.stop();
    };
    auth = { ...client, stop };
  };
  const stopRecording = async (): Promise<void> => {
    await auth?.stop();
    auth = undefined;
  };
  const records = async (): Promise<AuditEntry[]> => {
    const everything = { after: 0n, limit: 500, newestFirst: false, from: undefined, until: undefined };
    const page = await auth?.listAuditRecords(everything);
    return (page?.records ?? []).flatMap(({ entry }) => entry ?? []).filter((entry) => entry.tenant === tenant);
  };
  const recorded = (count: number): Promise<void> => eventually(async () => (await records()).length >= count, 60_000);
  const actions = async (): Promise<string[]> => (await records()).map(({ action }) => action);
  const isDisabled = async (subscriptionId: string): Promise<boolean> => {
    const { subscriptions } = await world.webhook.listSubscriptions({ tenant });
    return subscriptions.some(({ id, disabledAt }) => id === subscriptionId && disabledAt !== undefined);
  };
  /** A subscription whose endpoint is gone, which was noticed. */
  const subscribeGone = async (): Promise<string> => {
    const subscriptionId = await world.subscribe(path, tenant);
    world.sink.respond(path, (_received, response) => response.writeHead(410).end());
    await world.publish(statusEvents(randomUUID(), 1, 3, tenant));
    await eventually(() => isDisabled(subscriptionId), 60_000);
    return subscriptionId;
  };
  const recover = (subscriptionId: string) =>
    runInCall({ requestId: "request-of-recover" }, () =>
      world.webhook.recover({ tenant, subscriptionId, since: clock.now(), until: undefined }),
    );

  it("says who did it, why, and by which request", async () => {
    const subscriptionId = await subscribeGone();
    await recover(subscriptionId);
    await recorded(2);

    const facts = {
      at: clock.now(),
      tenant,
      object: `webhookId=${subscriptionId}`,
      outcome: "done",
      address: "",
      count: 1,
      session: "",
    };
    expect(await records()).toEqual([
      { ...facts, actor: "service:webhook", action: "disable webhook: gone", requestId: expect.any(String) },
      { ...facts, actor: `tenant:${tenant}`, action: "enable webhook", requestId: "request-of-recover" },
    ]);
    expect((await auth?.verifyAudit({ sequence: undefined, hash: "" }))?.brokenAt).toBeUndefined();
  });

  it("shows an endpoint that failed for five days, and that a delivery was asked for again", async () => {
    const subscriptionId = await world.subscribe(path, tenant);
    world.sink.respond(path, (_received, response) => response.writeHead(500).end());
    await world.publish(statusEvents(randomUUID(), 1, 1, tenant));
    await eventually(() => world.sink.received(path).length === 1);
    const request = {
      tenant,
      subscriptionId,
      subjectId: undefined,
      state: DeliveryState.UNSPECIFIED,
      after: "",
      limit: 1,
    };
    const delivery = async () => (await world.webhook.listDeliveries(request)).deliveries[0];
    await eventually(async () => (await delivery())?.attempts === 1);
    clock.advance(5 * day);
    await eventually(() => isDisabled(subscriptionId), 60_000);

    await world.webhook.redeliver({ tenant, subscriptionId, deliveryId: (await delivery())?.id ?? "" });
    await recorded(2);

    expect((await actions()).slice(0, 2)).toEqual(["disable webhook: failing", "enable webhook"]);
  });

  it("has one record for each change, whoever asks how often", async () => {
    const subscriptionId = await subscribeGone();
    world.sink.respond(path, (_received, response) => response.writeHead(200).end());

    await Promise.all(Array.from({ length: 6 }, () => recover(subscriptionId)));
    await recover(subscriptionId);
    world.sink.respond(path, (_received, response) => response.writeHead(410).end());
    await world.publish(statusEvents(randomUUID(), 1, 1, tenant));
    await recorded(3);

    expect(await actions()).toEqual(["disable webhook: gone", "enable webhook", "disable webhook: gone"]);
  });

  it("gets what happened while nobody could write it, also of endpoints that are deleted since", async () => {
    await stopRecording();
    const subscriptionId = await subscribeGone();
    await recover(subscriptionId);
    await world.webhook.deleteSubscription({ tenant, subscriptionId });

    await startRecording();
    await recorded(2);

    expect((await actions()).slice(0, 2)).toEqual(["disable webhook: gone", "enable webhook"]);
  });

  it("gets what was stored and not yet published when the process died", async () => {
    const changes = world.mongo.connection.collection<{ _id: string }>("subscription_changes");
    const subscriptionId = randomUUID();
    const facts = { subscriptionId, tenant, sequence: 1, at: clock.now(), reason: "gone" };
    const unpublished = { requestId: null, traceparent: null, publishedAt: null };

    await changes.insertOne({ _id: `${subscriptionId}:1`, ...facts, ...unpublished });
    await recorded(1);

    expect(await actions()).toEqual(["disable webhook: gone"]);
  });

  it("gets each change once when the bus has lost its disk", async () => {
    const subscriptionId = await subscribeGone();
    await recorded(1);
    const { manager } = await world.bus.client();
    await manager.streams.delete("CORRIDOR_WEBHOOK");

    await recover(subscriptionId);
    await recorded(2);

    const before = (await auth?.verifyAudit({ sequence: undefined, hash: "" }))?.count;
    const handled = async () => (await manager.consumers.info("CORRIDOR_WEBHOOK", "auth")).num_pending;
    await eventually(async () => (await handled().catch(() => 1)) === 0, 60_000);
    expect(await actions()).toEqual(["disable webhook: gone", "enable webhook"]);
    expect((await auth?.verifyAudit({ sequence: undefined, hash: "" }))?.count).toBe(before);
  });

  it("never misses a change, and hears of none that was not made", async () => {
    const crash = new Error("crash");
    const { connection, transact } = world.mongo;
    const [subscriptions, changes] = [makeSubscriptionStore(connection), makeChangeStore(connection, clock)];
    const deps = { transact, subscriptions, changes, clock, noteChange: () => {}, nudgeRelay: () => {} };
    const subscriptionId = await world.subscribe(path, tenant);
    const gone = { at: clock.now(), reason: "gone" } as const;
    const told = () =>
      connection.collection("subscription_changes").countDocuments({ subscriptionId }, { hint: "_id_" });
    const failing = async (): Promise<never> => {
      throw crash;
    };
    const untold = makeSwitchSubscription({ ...deps, changes: { add: failing } });
    const undone = makeSwitchSubscription({
      ...deps,
      transact: (work) => transact(async (tx) => work(tx).then(failing)),
    });

    for (const { disable } of [untold, undone]) {
      await expect(disable(subscriptionId, gone)).rejects.toBe(crash);
      expect([await isDisabled(subscriptionId), await told()]).toEqual([false, 0]);
    }

    expect(await makeSwitchSubscription(deps).disable(subscriptionId, gone)).toBe(true);
    expect([await isDisabled(subscriptionId), await told()]).toEqual([true, 1]);
  });
});
