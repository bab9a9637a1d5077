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

/**
 * Where a process is killed. A point is held by making the outside world slow there: what was called has happened, and its
 * answer is still on its way.
 */
const points = {
  "quote issued": {},
  "payment being accepted": {},
  "payout being prepared": { rail: "pix", operation: "prepare", latencyMs: 400, times: 1 },
  "payout being released": { rail: "pix", operation: "release", latencyMs: 400, times: 1 },
  "webhook being delivered": { rail: "sink", operation: "receive", latencyMs: 400, times: 1 },
} as const;
type Point = keyof typeof points;

const processes = ["gateway", "auth", "schema", "fx", "payment", "identity", "webhook", "sandbox", "bus", "store"];
const cases = processes.flatMap((name) => (Object.keys(points) as Point[]).map((point) => [name, point] as const));

describe("a payment whose platform is killed", () => {
  let platform: Platform;
  let client: PlatformClient;
  const sink = "crashes";

  beforeAll(async () => {
    platform = await startTestPlatform();
    client = connectClient(platform);
    await client.subscribe(sink);
  });

  afterAll(async () => {
    await client.close();
    await platform.stop();
  });

  /** Waits until the payment is at the point; the outside world's own records say so. */
  async function reach(point: Point, externalId: string, sending: Promise<Reply>, after: number): Promise<void> {
    const own = async () => {
      const { body } = await client.payment(externalId).catch(() => ({ body: {} as Record<string, unknown> }));
      return body["transactionState"] ?? body["status"];
    };
    switch (point) {
      case "quote issued":
        return;
      case "payment being accepted":
        await new Promise((resolve) => setTimeout(resolve, 4));
        return;
      case "payout being prepared":
      case "payout being released": {
        await sending;
        const wanted = point === "payout being prepared" ? "prepareCalls" : "releaseCalls";
        await until(
          () => client.book(),
          (book) => book.some((entry) => entry[wanted] > 0 && isNew(entry.reference)),
        );
        return;
      }
      case "webhook being delivered":
        await sending;
        await until(
          () => client.sink(sink, after),
          (items) => items.length > 0,
        );
        await own();
    }
  }

  let known = new Set<string>();
  const isNew = (reference: string): boolean => !known.has(reference);

  it.each(cases)(
    "%s at: %s, ends in one instruction, the final record and every state in order",
    async (name, point) => {
      known = new Set((await client.book()).map(({ reference }) => reference));
      const after = (await client.sink(sink)).at(-1)?.sequence ?? 0;
      const id = freshId();
      const quote = await client.quote();
      const body = JSON.stringify(pushBody(id, quote));
      await client.clearFaults();
      if ("operation" in points[point]) await client.fault(points[point]);

      let sending: Promise<Reply> = Promise.resolve({ status: 0, headers: {}, text: "", body: {} });
      if (point !== "quote issued") {
        sending = insist(() => client.pay(body));
        await reach(point, id, sending, after);
      }
      await platform.process(name).end("SIGKILL");
      await platform.process(name).start();
      const answer = await (point === "quote issued" ? insist(() => client.pay(body)) : sending);
      const record = await until(
        () => insist(() => client.payment(id)),
        ({ body: found }) => found["status"] !== "PENDING",
      );
      const items = await until(
        () => client.sink(sink, after),
        (found) => statesOf(found, id).length >= pushStates.length,
      );
      const entries = (await client.book()).filter(({ reference }) => isNew(reference));

      expect(answer).toMatchObject({ status: 200, body: { status: "PENDING", externalPaymentId: id } });
      expect(entries).toMatchObject([{ reference: answer.body["paymentId"], status: "PAID", releases: 1 }]);
      expect(record.body).toMatchObject({ status: "CAPTURED", capturedAmount: 100, approved: true });
      expect(statesOf(items, id)).toEqual(pushStates);
    },
    240_000,
  );
});
