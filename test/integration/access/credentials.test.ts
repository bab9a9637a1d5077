import { makeCredentialHasher } from "../../../services/auth/domain/credential-hash";
import { openBus } from "../../../services/shared/bus/jetstream";
import { makeCredential } from "../../../services/shared/crypto/credential";
import { systemIds } from "../../../services/shared/kernel/ids";
import { makeLogger } from "../../../services/shared/process/logger";
import { until } from "../../support/platform-client";
import { type AccessWorld, makeTenant, startAccessWorld } from "./access-world";

const demo = makeTenant("demo");
const other = makeTenant("other");
const [approved] = demo.agents;

describe("a credential that nobody knows", () => {
  const work = { hashes: 0, compares: 0, decoys: 0 };
  const real = makeCredentialHasher([Buffer.from("1".repeat(64), "hex")]);
  const counted = {
    hash(credential: string) {
      work.hashes += 1;
      return real.hash(credential);
    },
    matches(credential: string, stored: string | undefined) {
      work.compares += 1;
      if (stored === undefined) work.decoys += 1;
      return real.matches(credential, stored);
    },
    ageOf: real.ageOf,
  };
  let world: AccessWorld;

  beforeAll(async () => {
    world = await startAccessWorld({ tenants: [demo, other], overrides: { hasher: counted } });
    await untilOnBus();
  });
  /** A gateway that comes to the bus forgets what it knows of keys; afterwards those that it asked about cost nothing. */
  const untilOnBus = async (): Promise<void> => {
    const [agent] = other.agents;
    const headers = { "x-api-key": other.apiKey, "x-agent-id": agent.agentId, "x-agent-api-key": agent.apiKey };
    const ask = () => world.call("/reference/destinations", { headers });
    await ask();
    await world.operate("PUT", `/tenants/other/agents/${agent.agentId}/status`, { status: "SUSPENDED" });
    await until(ask, ({ status }) => status === 403);
  };
  afterAll(() => world.stop());

  /** What one request costs. */
  async function costOf(call: () => Promise<unknown>): Promise<object> {
    Object.assign(work, { hashes: 0, compares: 0, decoys: 0 });
    await call();
    const { hashes, compares } = work;
    return { hashes, compares };
  }
  /** The same id with another secret, its checksum right. */
  const withOtherSecret = (credential: string): string => {
    const other = makeCredential("key", "local", systemIds);
    return other.replace(other.split("_")[2] ?? "", credential.split("_")[2] ?? "");
  };
  const withKey = (apiKey: string) => () =>
    world.call("/organizations/x/webhooks", { headers: { "x-api-key": apiKey } });

  it("costs the same hash and the same comparison as a known one", async () => {
    const unknown = makeCredential("key", "local", systemIds);

    const [known, other] = [await costOf(withKey(demo.apiKey)), await costOf(withKey(unknown))];
    expect(known).toEqual({ hashes: 0, compares: 1 });
    expect(other).toEqual(known);
    expect(work.decoys).toBe(1);
  });

  it("costs nothing when it cannot be one", async () => {
    for (const text of ["x", withOtherSecret(demo.apiKey), demo.apiKey.toUpperCase(), `${demo.apiKey}0`]) {
      expect(await costOf(withKey(text))).toEqual({ hashes: 0, compares: 0 });
    }
  });

  it("costs the same at the token endpoint, and for agents", async () => {
    const secret = (clientSecret: string) => () => world.requestToken({ ...demo, clientSecret });
    const agent = (apiKey: string) => () =>
      world.call("/organizations/x/webhooks/w/secret", {
        method: "POST",
        headers: { "x-api-key": demo.apiKey, "x-agent-id": approved.agentId, "x-agent-api-key": apiKey },
      });
    const fresh = (kind: "secret" | "agent") => makeCredential(kind, "local", systemIds);

    expect(await costOf(secret(fresh("secret")))).toEqual(await costOf(secret(demo.clientSecret)));
    const unknownAgent = await costOf(agent(fresh("agent")));
    expect(unknownAgent).toEqual(await costOf(agent(approved.apiKey)));
  });
});

/** Every message of the service's stream; agents' events name their e-mail address by contract. */
async function readBus(url: string): Promise<string> {
  const bus = await openBus({ url, name: "reader", logger: makeLogger("reader", "error") });
  const { manager } = await bus.client();
  const { state } = await manager.streams.info("CORRIDOR_AUTH");
  const texts: string[] = [];
  for (let seq = state.first_seq; seq <= state.last_seq; seq += 1) {
    texts.push((await manager.streams.getMessage("CORRIDOR_AUTH", { seq }))?.string() ?? "");
  }
  await bus.stop();
  return texts.join("\n");
}

describe("planted secrets", () => {
  it("are found nowhere in the store, the bus and the logs, whoever sent or got them", async () => {
    const written: string[] = [];
    const spies = (["stdout", "stderr"] as const).map((name) =>
      jest.spyOn(process[name], "write").mockImplementation((chunk) => {
        written.push(String(chunk));
        return true;
      }),
    );
    const verbose = { LOG_LEVEL: "debug" };
    const world = await startAccessWorld({ tenants: [demo], auth: verbose, gateway: verbose });
    const planted = [demo.apiKey, demo.clientSecret, ...demo.agents.map(({ apiKey }) => apiKey)];
    for (let count = 0; count < 12; count += 1) {
      const owner = `client-${count}`;
      await world.operate("POST", "/tenants/demo/clients", { clientId: owner, scopes: ["fx"] });
      const made = await world.operate("POST", "/tenants/demo/credentials", { kind: "secret", owner });
      planted.push(/"credential":"([^"]+)"/.exec(made.text)?.[1] ?? "");
      const body = JSON.stringify({ email: `mail-${count}@planted.example`, businessName: `Planted ${count}` });
      const headers = { "x-api-key": demo.apiKey, "content-type": "application/json" };
      const agent = await world.call("/organizations/demo/agents", { method: "POST", headers, body });
      planted.push(/"apiKey":"([^"]+)"/.exec(agent.text)?.[1] ?? "", `mail-${count}@planted.example`);
    }
    const token = await world.tokenOf(demo);
    await world.call("/bank", { headers: { authorization: `Bearer ${token}` } });
    for (const secret of planted) {
      await world.call("/organizations/demo/webhooks/w/secret", {
        method: "POST",
        headers: { "x-api-key": secret, "x-agent-id": approved.agentId, "x-agent-api-key": secret },
      });
      await world.call(`/bank?country=${secret}`, { headers: { authorization: `Bearer ${secret}` } });
      await world.requestToken({ ...demo, clientSecret: secret });
    }
    await world.operate("GET", "/tenants");
    await world.stopAuth();
    const dump = written.join("") + (await world.storeDump());
    for (const spy of spies) spy.mockRestore();
    const needles = planted.map((secret) =>
      secret.includes("@") ? secret : (secret.split("_")[3] ?? "").slice(0, 32),
    );

    expect(planted.length).toBeGreaterThanOrEqual(40);
    expect(needles.every((needle) => needle.length > 15)).toBe(true);
    expect(dump).toContain("client-11");
    expect(needles.filter((needle) => dump.includes(needle))).toEqual([]);
    expect(dump).not.toContain(token.split(".")[2]);
    expect(dump).not.toContain("PRIVATE KEY");
    const messages = await readBus(world.testbed.natsUrl);
    expect(messages).toContain("mail-11@planted.example");
    expect(needles.filter((needle) => !needle.includes("@") && messages.includes(needle))).toEqual([]);
    await world.stop();
  });
});
