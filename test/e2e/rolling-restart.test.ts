import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { compiled } from "../../local/compiled";
import { freePorts } from "../../local/free-port";
import { type ManagedProcess, manageProcess } from "../../local/managed-process";
import { byService, type Platform, type ServiceName } from "../../local/platform";
import { environmentOf } from "../bench/process-figures";
import {
  connectClient,
  freshId,
  type PlatformClient,
  pushBody,
  pushStates,
  type Reply,
  statesOf,
  until,
} from "../support/platform-client";
import { startTestPlatform } from "../support/test-platform";

/** In the order in which a release replaces them: a service before its callers. */
const restarted: readonly ServiceName[] = ["schema", "auth", "fx", "wallet", "identity", "webhook", "payment"];
/** Pause of a caller between its rounds, milliseconds: the load is a fraction of what two cores carry. */
const paceMs = 60;

describe("a rolling restart of two replicas of everything, under load", () => {
  let platform: Platform;
  let others: Map<string, ManagedProcess>;
  let clients: PlatformClient[];

  beforeAll(async () => {
    const ports = await freePorts(9);
    const otherReplicas = byService(() => ports.pop() ?? 0);
    platform = await startTestPlatform({ otherReplicas });
    const another = (name: string, settings: Record<string, string>, saysReady: RegExp): [string, ManagedProcess] => [
      name,
      manageProcess({
        name: `other-${name}`,
        command: process.execPath,
        args: [compiled(name === "gateway" ? "gateway/main" : `services/${name}/main`)],
        env: { ...environmentOf(platform.process(name).pid() ?? 0), METRICS_PORT: "0", ...settings },
        logFile: join(platform.dir, "logs", `other-${name}.log`),
        saysReady,
        isReady: () => Promise.resolve(true),
      }),
    ];
    const gateway = String(ports.pop());
    others = new Map([
      ...restarted.map((name) => another(name, { GRPC_PORT: String(otherReplicas[name]) }, /serving gRPC/)),
      another("gateway", { GATEWAY_PORT: gateway, GATEWAY_TLS_PORT: "0", GATEWAY_DOORS: "public" }, /serving HTTP/),
    ]);
    for (const one of others.values()) await one.start();
    const credentials = { ...platform.credentials, baseUrl: `http://127.0.0.1:${gateway}` };
    clients = [connectClient(platform), connectClient({ credentials })];
  });
  afterAll(async () => {
    await Promise.all((clients ?? []).map((client) => client.close()));
    await Promise.all([...(others?.values() ?? [])].map((one) => one.end("SIGTERM")));
    await platform?.stop();
  });

  it("answers every request, and ends every payment once", async () => {
    const sink = freshId();
    await clients[0]?.subscribe(sink);
    const ready = new Set(clients);
    let turn = 0;
    const bad: string[] = [];
    const paid: string[] = [];
    let isOver = false;

    /** As a balancer does: the gateways that are ready take turns. */
    const call = async (what: string, send: (client: PlatformClient) => Promise<Reply>): Promise<Reply> => {
      const list = [...ready];
      turn += 1;
      const client = list[turn % list.length];
      if (client === undefined) throw new Error("no gateway is ready");
      const reply = await send(client);
      if (reply.status !== 200) bad.push(`${what}: ${reply.status} ${reply.text}`);
      return reply;
    };
    const order = { sourceCurrencyCode: "USD", destinationCurrencyCode: "BRL", paymentMethod: "BANK_ACCOUNT" };
    const ask = async (client: PlatformClient, method: "GET" | "POST", path: string, body?: object) => {
      const headers = { authorization: `Bearer ${await client.token()}`, "content-type": "application/json" };
      return client.send(method, path, headers, body && JSON.stringify(body));
    };
    const worker = async (): Promise<void> => {
      while (!isOver) {
        const id = freshId();
        const { body } = await call("quote", (client) => ask(client, "POST", "/v2/foreign-exchange", order));
        const fx = { fxId: String(body["fxId"]), conversionRate: Number(body["conversionRate"]) };
        const { status } = await call("payment", (client) => ask(client, "POST", "/v2/payment", pushBody(id, fx)));
        if (status === 200) paid.push(id);
        await call("look-up", (client) => ask(client, "GET", `/v2/payment/${id}`));
        await call("schema", (client) => ask(client, "GET", "/schema/BRA"));
        await call("list", (client) => ask(client, "GET", "/v2/payments?limit=5"));
        await sleep(paceMs);
      }
    };
    const load = Promise.all([worker(), worker()]);
    const restart = async (one: ManagedProcess): Promise<void> => {
      expect([one.name, await one.end("SIGTERM")]).toEqual([one.name, 0]);
      await one.start();
    };
    for (const name of restarted) {
      await restart(platform.process(name));
      const other = others.get(name);
      if (other !== undefined) await restart(other);
    }
    const gateways = [platform.process("gateway"), others.get("gateway")];
    for (const [at, client] of clients.entries()) {
      const gateway = gateways[at];
      if (gateway === undefined) continue;
      ready.delete(client);
      await restart(gateway);
      ready.add(client);
    }
    isOver = true;
    await load;

    expect(bad).toEqual([]);
    expect(paid.length).toBeGreaterThan(restarted.length);
    const client = clients[0] as PlatformClient;
    const told = await until(
      async () => {
        const items = await client.sink(sink);
        return paid.map((id) => statesOf(items, id));
      },
      (states) => states.every((one) => one.at(-1) === "Completed"),
      120_000,
    );
    expect(new Set(told.map((states) => states.join()))).toEqual(new Set([pushStates.join()]));
    const releases = (await client.book()).map((one) => one.releases);
    expect(releases.filter((count) => count !== 1)).toEqual([]);
    // Each process ends and starts once, one after the other.
  }, 420_000);
});
