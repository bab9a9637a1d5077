import { randomUUID } from "node:crypto";
import { createServer } from "node:net";
import { DeliveryState } from "../../../proto/gen/corridor/webhook/v1/webhook_service";
import { systemClock } from "../../../services/shared/kernel/clock";
import { makeHttpSender } from "../../../services/webhook/adapters/http/http-sender";
import { makeResolve } from "../../../services/webhook/adapters/http/resolver";
import { startWebhook } from "../../../services/webhook/app";
import { eventually } from "../bus/bus-testbed";
import { type NameServer, startNameServer } from "./name-server";
import { makeWebhookClient, startWebhookWorld, statusEvents, type Webhook, type WebhookWorld } from "./webhook-world";

const publicAddress = "93.184.215.14";

/** What names lead to. A name that is not here leads nowhere. */
const names: Record<string, readonly string[]> = {
  "public.test": [publicAddress],
  "both.test": [publicAddress, "2606:4700:4700::1111"],
  "internal.test": ["10.0.0.5"],
  "mixed.test": [publicAddress, "10.0.0.5"],
  "mixed6.test": [publicAddress, "fd00::5"],
  "metadata.test": ["169.254.169.254"],
  "v6.test": ["fd00:ec2::254"],
  "mapped.test": ["::ffff:10.0.0.1"],
  "nat64.test": ["64:ff9b::a00:1"],
  "sixtofour.test": ["2002:a00:1::"],
  "127.0.0.1.wildcard.test": ["127.0.0.1"],
  "xn--bcher-kva.test": ["192.168.1.1"],
};

const refused = [
  ..."127.0.0.1 127.1 127.0.1 2130706433 0x7f000001 0x7f.0.0.1 0x7F.1 017700000001 0177.0.0.1 0177.1".split(" "),
  ..."127.0.0.1. 127.000.000.001 0 00 0x0 0.0.0.0 127.127.127.127 127.255.255.254".split(" "),
  ..."localhost LOCALHOST lOcAlHoSt localhost. a.localhost a.LOCALHOST.".split(" "),
  ..."127。0。0。1 127．0．0．1 １２７.０.０.１ ①②⑦.⓪.⓪.① ⑩.0.0.1 0x7f。1".split(" "),
  ..."[::1] [0:0:0:0:0:0:0:1] [0000::0001] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1]".split(" "),
  ..."[::ffff:0:127.0.0.1] [64:ff9b::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b:1::7f00:1] [2002:7f00:1::]".split(" "),
  ..."[2001::1] [fe80::1] [fc00::1] [fd00:ec2::254] [fec0::1] [ff02::1] [2001:db8::1] [100::1] [3fff::1]".split(" "),
  ..."[5f00::1] [4000::1] [2001:20::1] 10.0.0.1 10.1 0xa000001 012.0.0.1 172.16.0.1 172.31.255.255".split(" "),
  ..."192.168.0.1 192.168.1 3232235777 0xC0A80101 169.254.169.254 2852039166 0xA9FEA9FE 169.254.43518".split(" "),
  ..."0251.0376.0251.0376 100.64.0.1 100.127.255.255 198.18.0.1 192.0.0.1 192.0.2.1 203.0.113.1".split(" "),
  ..."198.51.100.7 192.88.99.1 224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255".split(" "),
  ..."internal.test INTERNAL.test internal。test mixed.test mixed6.test metadata.test v6.test mapped.test".split(" "),
  ..."nat64.test sixtofour.test 127.0.0.1.wildcard.test bücher.test xn--bcher-kva.test".split(" "),
];

describe("addresses of endpoints", () => {
  const zone = new Map(Object.entries(names));
  let nameServer: NameServer;
  let world: WebhookWorld;
  /** The service as it is outside the local profile. */
  let guarded: Webhook;
  let stop: () => Promise<void>;

  beforeAll(async () => {
    nameServer = await startNameServer((name) => (name === "silent.test" ? undefined : (zone.get(name) ?? [])));
    const nameServers = [nameServer.address];
    world = await startWebhookWorld({ nameServers });
    const service = await startWebhook({ ...world.config, PROFILE: "sandbox" }, { nameServers, clock: systemClock });
    const client = makeWebhookClient(service.port);
    guarded = client;
    stop = async () => {
      await client.stop();
      await service.stop();
    };
  });
  afterAll(async () => {
    await stop();
    await world.stop();
    await nameServer.stop();
  });

  const register = (webhook: Webhook, url: string, tenant = `t-${randomUUID()}`) =>
    webhook.createSubscription({ tenant, url, events: ["TransactionStatusChanged"], isBatch: false });

  it("are more than sixty spellings that lead inside", () => {
    expect(new Set(refused).size).toBeGreaterThanOrEqual(60);
  });

  it.each(refused)("are refused at registration: %s", async (host) => {
    await expect(register(guarded, `https://${host}/hook`)).rejects.toMatchObject({
      reason: "INVALID_ARGUMENT",
      violations: [{ field: "url" }],
    });
  });

  it.each([
    "http://public.test/",
    "ftp://public.test/",
    "https://user@public.test/",
    "https://:secret@public.test/",
    "https://public.test/#part",
    "https://public.test/#",
    "https://public.test:22/",
    "https://public.test:80/",
    "https://public.test:8080/",
    "https://public.test:65536/",
    `https://public.test/${"x".repeat(2_029)}`,
    "https://nowhere.test/",
    "https://[::1%25eth0]/",
    "https:///",
    "",
  ])("are refused for what they are: %s", async (url) => {
    await expect(register(guarded, url)).rejects.toMatchObject({ violations: [{ field: "url" }] });
  });

  it.each(["public.test", "both.test", "public.test:8443", publicAddress, "[2606:4700:4700::1111]", "1.1.1.1"])(
    "are taken when they are public: %s",
    async (host) => {
      await expect(register(guarded, `https://${host}/hook`)).resolves.toMatchObject({ subscription: {} });
    },
  );

  it("may be on loopback, and nowhere else inside, in the local profile", async () => {
    await expect(register(world.webhook, "https://localhost:9000/")).resolves.toBeDefined();
    for (const host of ["10.0.0.1", "[fd00::1]", "internal.test", "169.254.169.254", "[::ffff:127.0.0.1]"]) {
      await expect(register(world.webhook, `https://${host}/`)).rejects.toMatchObject({ reason: "INVALID_ARGUMENT" });
    }
    // The machine may be offline; each attempt looks again.
    await expect(register(world.webhook, "https://nowhere.test/")).resolves.toBeDefined();
  });

  it("are refused at each attempt as well, however they are spelled", async () => {
    const resolve = makeResolve([nameServer.address]);
    const sender = makeHttpSender({ resolve, reach: "public", extraCa: world.config.WEBHOOK_CA_FILE });
    const port = new URL(world.sink.url("/")).port;
    const before = { eventId: "e", sequence: 1, attempt: 1, body: "{}", keys: undefined, traceparent: undefined };

    const failures = await Promise.all(
      refused.map(async (host) => {
        const { failure } = await sender.send({ ...before, url: `https://${host}:${port}/inside` });
        return `${host} ${failure}`;
      }),
    );

    expect(failures).toEqual(refused.map((host) => `${host} address refused`));
    expect(world.sink.received("/inside")).toHaveLength(0);
    await sender.stop();
  });

  it("are looked at again at each attempt", async () => {
    const tenant = `t-${randomUUID()}`;
    const url = world.sink.url("/moved").replace("localhost", "moving.test");
    zone.set("moving.test", ["127.0.0.1"]);
    const { subscription } = await register(world.webhook, url, tenant);
    zone.set("moving.test", ["127.0.0.1", "10.0.0.5"]);
    await world.publish(statusEvents(randomUUID(), 1, 1, tenant));

    const list = async () => {
      const request = { tenant, subscriptionId: subscription?.id, subjectId: undefined, after: "", limit: 1 };
      const { deliveries } = await world.webhook.listDeliveries({ ...request, state: DeliveryState.UNSPECIFIED });
      return deliveries[0];
    };
    await eventually(async () => (await list())?.attempts === 1);
    const target = { tenant, subscriptionId: subscription?.id ?? "", deliveryId: (await list())?.id ?? "" };
    const { delivery } = await world.webhook.getDelivery(target);

    expect(delivery?.log[0]).toMatchObject({ failure: "address refused" });
    expect(world.sink.received("/moved")).toHaveLength(0);
  });

  it("are connected to as they were checked, however fast a name moves", async () => {
    let connections = 0;
    const inside = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => inside.listen(0, "127.0.0.1", resolve));
    const address = inside.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    // Public whenever it is checked, inside whenever it is asked for once more: A and AAAA are two questions each time.
    let questions = 0;
    const moving = await startNameServer(() => {
      questions += 1;
      return Math.ceil(questions / 2) % 2 === 1 ? [publicAddress] : ["127.0.0.1"];
    });
    const sender = makeHttpSender({ resolve: makeResolve([moving.address]), reach: "public", extraCa: undefined });
    const attempt = {
      url: `https://rebind.test:${port}/`,
      eventId: "e",
      sequence: 1,
      attempt: 1,
      body: "{}",
      keys: undefined,
      traceparent: undefined,
    };

    for (let time = 0; time < 50; time += 1) expect((await sender.send(attempt)).failure).toBe("address refused");

    expect(questions).toBe(200);
    expect(connections).toBe(0);
    await sender.stop();
    await moving.stop();
    await new Promise((resolve) => inside.close(resolve));
  });

  it("are told nothing unless their certificate is trusted, and theirs", async () => {
    zone.set("other.test", ["127.0.0.1"]);
    const url = world.sink.url("/trust");
    const send = async (to: string, extraCa: string | undefined) => {
      const resolve = makeResolve([nameServer.address]);
      const sender = makeHttpSender({ resolve, reach: "public and loopback", extraCa });
      const attempt = { eventId: "e", sequence: 1, attempt: 1, body: "{}", keys: undefined, traceparent: undefined };
      const { status, failure } = await sender.send({ ...attempt, url: to });
      await sender.stop();
      return status ?? failure;
    };
    const ca = world.config.WEBHOOK_CA_FILE;

    expect(await send(url, undefined)).toBe("connection");
    expect(await send(url.replace("localhost", "other.test"), ca)).toBe("connection");
    expect(world.sink.received("/trust")).toHaveLength(0);
    expect(await send(url, ca)).toBe(200);
  });

  it("keep nobody else waiting while their name server is silent", async () => {
    const sender = makeHttpSender({
      resolve: makeResolve([nameServer.address]),
      reach: "public and loopback",
      extraCa: world.config.WEBHOOK_CA_FILE,
    });
    const to = (url: string) =>
      sender.send({ url, eventId: "e", sequence: 1, attempt: 1, body: "{}", keys: undefined, traceparent: undefined });
    const silent = Array.from({ length: 20 }, () => to("https://silent.test/"));

    const answered = await to(world.sink.url("/beside"));

    expect(answered.status).toBe(200);
    expect(answered.durationMs).toBeLessThan(5_000);
    const answers = await Promise.all(silent);
    expect(answers.every(({ failure, durationMs }) => failure !== undefined && durationMs < 25_000)).toBe(true);
    await sender.stop();
  });
});
