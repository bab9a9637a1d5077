import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Platform } from "../../local/platform";
import {
  connectClient,
  freshId,
  insist,
  type PlatformClient,
  pushBody,
  pushStates,
  type Reply,
  statesOf,
  until,
} from "../support/platform-client";
import { startTestPlatform } from "../support/test-platform";

describe("a platform whose parts go away", () => {
  let platform: Platform;
  let client: PlatformClient;

  beforeAll(async () => {
    platform = await startTestPlatform();
    client = connectClient(platform);
  });

  afterAll(async () => {
    await client.close();
    await platform.stop();
  });

  const bearer = async () => ({
    authorization: `Bearer ${await client.token()}`,
    "content-type": "application/json",
  });
  const states = async (sink: string, id: string) => statesOf(await client.sink(sink), id);
  const complete = (sink: string, id: string) =>
    until(
      () => states(sink, id),
      (found) => found.length >= pushStates.length,
    );

  it("loses no event when the bus's whole disk is deleted, and delivers none of them a second time", async () => {
    const sink = "wiped";
    await client.subscribe(sink);
    const before = freshId();
    await client.pay(pushBody(before, await client.quote()));
    await complete(sink, before);

    await platform.process("bus").end("SIGKILL");
    const during = freshId();
    const accepted = await client.pay(pushBody(during, await client.quote()));
    rmSync(join(platform.dir, "nats", "streams"), { recursive: true });
    await platform.process("bus").start();
    await complete(sink, during);
    const after = freshId();
    await client.pay(pushBody(after, await client.quote()));
    await complete(sink, after);

    const items = await client.sink(sink);
    expect(accepted.status).toBe(200);
    for (const id of [before, during, after]) expect(statesOf(items, id)).toEqual(pushStates);
    // An attempt whose answer came too late is made again, under the next number.
    const attempts = items.map(({ headers }) =>
      ["x-service-event-id", "x-service-delivery-attempt"].map((name) => headers[name]).join(),
    );
    expect(new Set(attempts).size).toBe(attempts.length);
  });

  it("answers 503 with Retry-After while the store is away, and goes on when it is back", async () => {
    // A store that was here before is not ours to kill.
    if (!platform.processes.some(({ name }) => name === "store")) return;
    const body = pushBody(freshId(), await client.quote());
    await platform.process("store").end("SIGKILL");

    const refused = await client.pay(body);
    await platform.process("store").start();
    const accepted = await insist(() => client.pay(body));

    expect(refused).toMatchObject({ status: 503, body: { code: "SYS_503" } });
    expect(refused.headers["retry-after"]).toBeDefined();
    expect(accepted.status).toBe(200);
  });

  it("answers 503, and never that money is missing, while a rail does not say what it holds", async () => {
    const body = pushBody(freshId(), await client.quote());
    // A process that has never heard the rail has no last word to go by.
    await platform.process("payment").end("SIGTERM");
    const sandbox = platform.process("sandbox").pid() ?? 0;
    process.kill(sandbox, "SIGSTOP");
    const answers: Reply[] = [];
    try {
      await platform.process("payment").start();
      const refused = (): Promise<Reply> =>
        until(
          () => client.pay(body),
          (reply) => reply.text.includes("is not known") || reply.status !== 503,
        );
      answers.push(
        await refused(),
        await client.send("POST", "/v2/payment/validate", await bearer(), JSON.stringify(body)),
      );
    } finally {
      process.kill(sandbox, "SIGCONT");
    }

    expect(answers).toMatchObject(answers.map(() => ({ status: 503, body: { code: "SYS_503" } })));
    expect((await client.payment(String(body["externalPaymentId"]))).status).toBe(404);
    expect((await insist(() => client.pay(body))).status).toBe(200);
  });

  it("answers every request while a process restarts on SIGTERM, and each ends with 0", async () => {
    const quotes = await Promise.all(Array.from({ length: 40 }, () => client.quote()));
    let isSending = true;
    const failed: unknown[] = [];
    const reading = (async () => {
      while (isSending) {
        const reply = await client.send("GET", "/healthz", {}).catch((error: unknown) => ({ status: String(error) }));
        if (reply.status !== 200) failed.push(reply);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    })();
    const codes: Record<string, number | null> = {};
    for (const name of ["webhook", "payment", "fx", "schema", "auth", "sandbox"]) {
      codes[name] = await platform.process(name).end("SIGTERM");
      await platform.process(name).start();
    }
    isSending = false;
    await reading;
    const paid = await Promise.all(quotes.map((quote) => insist(() => client.pay(pushBody(freshId(), quote)))));

    expect(codes).toEqual({ webhook: 0, payment: 0, fx: 0, schema: 0, auth: 0, sandbox: 0 });
    expect(failed).toEqual([]);
    expect(paid.every(({ status }) => status === 200)).toBe(true);
  });

  it("lets payments in flight finish when services stop: each accepted one is paid once after the restart", async () => {
    const ids = Array.from({ length: 20 }, freshId);
    const bodies = await Promise.all(ids.map(async (id) => pushBody(id, await client.quote())));
    const sending = bodies.map((body) => insist(() => client.pay(body)));
    const codes = [await platform.process("payment").end("SIGTERM")];
    await platform.process("payment").start();
    const replies = await Promise.all(sending);
    const records = await Promise.all(
      ids.map((id) =>
        until(
          () => client.payment(id),
          ({ body }) => body["status"] === "CAPTURED",
        ),
      ),
    );
    const references = new Set(replies.map(({ body }) => body["paymentId"]));

    expect(codes).toEqual([0]);
    expect(records.map(({ body }) => body["status"])).toEqual(ids.map(() => "CAPTURED"));
    expect(
      (await client.book()).filter(({ reference, releases }) => references.has(reference) && releases === 1),
    ).toHaveLength(20);
  });
});
