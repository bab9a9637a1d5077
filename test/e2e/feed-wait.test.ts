import { Agent } from "undici";
import type { Platform } from "../../local/platform";
import { connectClient, type PlatformClient, type Reply, until } from "../support/platform-client";
import { startTestPlatform } from "../support/test-platform";
import { connectWebhookTenant, type WebhookTenant } from "../support/webhook-tenant";

interface Feed {
  events: { cursor: string; id: string; payload: { event: string; externalTransactionId?: string } }[];
  next: string;
}

/** Who waits at once for a tenant, or operator, at a replica. */
const places = 4;
/** Requests that the gateway has in flight at most here: fewer than those who wait and those who ask meanwhile. */
const inFlight = 6;

describe("a feed that waits", () => {
  let platform: Platform;
  let client: PlatformClient;
  let other: PlatformClient;
  let demo: WebhookTenant;

  beforeAll(async () => {
    platform = await startTestPlatform({ env: { gateway: { GATEWAY_MAX_IN_FLIGHT: String(inFlight) } } });
    client = connectClient(platform);
    other = connectClient(platform, "other");
    demo = connectWebhookTenant(platform, client);
    await demo.pay();
    await until(whole, ({ events }) => events.some(({ payload }) => JSON.stringify(payload).includes("Completed")));
  });
  afterAll(async () => {
    await Promise.all([client.close(), other.close()]);
    await platform.stop();
  });

  const ask = (query: string): Promise<Reply> => demo.call("GET", `/organizations/demo/events?${query}`);
  const feed = async (query: string): Promise<Feed> => {
    const reply = await ask(query);
    if (reply.status !== 200) throw new Error(`no feed: ${reply.status} ${reply.text}`);
    return reply.body as unknown as Feed;
  };
  const whole = (): Promise<Feed> => feed("limit=200");
  /** Where the feed ends, once nothing more is published of the payments before. */
  const end = async (next = "0"): Promise<string> => {
    const page = await feed(`after=${next}&limit=200&wait=2`);
    return page.events.length === 0 ? next : end(page.next);
  };
  const askOther = (query: string): Promise<Reply> => {
    const apiKey = platform.credentials.tenants.find(({ tenant }) => tenant === "other")?.apiKey ?? "";
    return other.send("GET", `/organizations/other/events?${query}`, { "x-api-key": apiKey });
  };
  const operator = async (path: string) => {
    const { operatorUrl, operatorToken } = platform.credentials;
    const answer = await fetch(`${operatorUrl}${path}`, { headers: { authorization: `Bearer ${operatorToken}` } });
    return { status: answer.status, body: (await answer.json()) as Feed };
  };

  it("answers at once when something happens, to its tenant and to operators, and to nobody else", async () => {
    const next = await end();
    const nothing = askOther("wait=8");
    const waiting = {
      own: feed(`after=${next}&wait=8`),
      operator: operator(`/tenants/demo/events?after=${next}&wait=8`),
    };
    let isOver = false;
    void nothing.finally(() => {
      isOver = true;
    });
    const { externalId } = await demo.pay();
    const [own, told] = await Promise.all([waiting.own, waiting.operator]);

    // Who was asked later has answered first: it was woken, and has not run into the end of its wait.
    expect(isOver).toBe(false);
    expect(own.events[0]?.payload.externalTransactionId).toBe(externalId);
    expect([told.status, told.body.events[0]]).toEqual([200, own.events[0]]);
    expect(await nothing).toMatchObject({ status: 200, body: { events: [], next: "0" } });
  });

  it("begins with what happens from now on where that is asked for", async () => {
    await end();
    const waiting = feed("after=newest&wait=8");
    const here = await feed("after=newest");
    const { externalId } = await demo.pay();
    const told = await waiting;

    expect(here).toEqual({ events: [], next: expect.stringMatching(/^[1-9]/) });
    expect(told.events[0]?.payload.externalTransactionId).toBe(externalId);
    expect((await ask("after=latest")).status).toBe(400);
  });

  it("has no gap behind a wait", async () => {
    const seen: string[] = [];
    let next = await end();
    const first = Number(next);
    const { externalId } = await demo.pay();
    while (!seen.at(-1)?.includes("Completed")) {
      const page = await feed(`after=${next}&wait=8&limit=2`);
      seen.push(...page.events.map(({ cursor, payload }) => `${cursor} ${JSON.stringify(payload)}`));
      next = page.next;
    }

    expect(seen.map((text) => Number.parseInt(text, 10))).toEqual(seen.map((_text, at) => first + 1 + at));
    expect(seen.every((text) => text.includes(externalId))).toBe(true);
  });

  it("shows events of some types alone, and all of them", async () => {
    const { events } = await whole();
    const types = ["TransactionPayoutStatusChanged", "TransactionComplianceStatusChangedEvent"];
    const shown: Feed["events"] = [];
    for (let after = "after=0"; ; ) {
      const page = await feed(`${after}&limit=1&types=${types.join(",")}`);
      shown.push(...page.events);
      if (after === `after=${page.next}`) break;
      after = `after=${page.next}`;
    }
    const wanted = events.filter(({ payload }) => types.includes(payload.event));

    expect(wanted.length).toBeGreaterThan(2);
    expect(shown).toEqual(wanted);
  });

  it.each([
    ["wait=9", "wait", "must be a whole number from 0 to 8"],
    ["types=Gone", "types", expect.stringContaining("must be of TransactionStatusChanged")],
    ["types=a;b", "types", "must be names of events, parted by commas"],
    ["tipes=TransactionStatusChanged", "tipes", "is not known; did you mean types?"],
  ])("refuses ?%s by its field and rule", async (query, field, message) => {
    expect(await ask(query)).toMatchObject({ status: 400, body: { code: "VE_001", errors: [{ field, message }] } });
  });

  it("lets four of a tenant wait, refuses the fifth, and forgets who has hung up", async () => {
    const next = await end();
    const connections = Array.from({ length: places + 1 }, () => new Agent());
    const path = `/organizations/demo/events?after=${next}&wait=8`;
    const asked = { origin: platform.credentials.baseUrl, path, method: "GET", headers: demo.tenantHeaders } as const;
    // All of them at once: the last one is refused, and the others wait on.
    const waiting = connections.map((agent) => agent.request(asked));
    const first = await Promise.race(waiting);

    expect(first.statusCode).toBe(429);
    expect(first.headers["retry-after"]).toBe("1");
    expect(await first.body.json()).toMatchObject({ code: "RL_001", details: { limitInFlight: places } });
    // Who does not wait needs no place among those who do, nor they one among requests in flight; another tenant has its own.
    const others = await Promise.all(Array.from({ length: places }, () => ask(`after=${next}`)));
    expect(others.map(({ status }) => status)).toEqual(others.map(() => 200));
    expect((await askOther("wait=1")).status).toBe(200);
    await Promise.all(connections.map((agent) => agent.destroy()));
    await Promise.allSettled(waiting);
    const free = await until(
      () => ask(`after=${next}&wait=1`),
      ({ status }) => status === 200,
    );
    expect(free.status).toBe(200);
  });
});
