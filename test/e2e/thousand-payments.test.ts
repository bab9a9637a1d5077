import type { Platform } from "../../local/platform";
import {
  connectClient,
  freshId,
  insist,
  type PlatformClient,
  pushBody,
  pushStates,
  type SinkItem,
  statesOf,
  until,
} from "../support/platform-client";
import { startTestPlatform } from "../support/test-platform";

/** How many events a receiver has got: some may have come more than once. */
const eventsIn = (items: readonly SinkItem[]): number =>
  new Set(items.map(({ headers }) => headers["x-service-event-id"])).size;

const count = 1_000;
const clients = 32;

describe("1,000 payments sent by 32 clients", () => {
  let platform: Platform;
  let client: PlatformClient;

  beforeAll(async () => {
    // One tenant sends here what many would.
    platform = await startTestPlatform({ env: { gateway: { RATE_LIMIT_FACTOR: "1000" } } });
    client = connectClient(platform);
  });

  afterAll(async () => {
    await client.close();
    await platform.stop();
  });

  /** Everything that the sink has, page by page. */
  async function everything(sink: string, known: SinkItem[]): Promise<SinkItem[]> {
    for (;;) {
      const items = await client.sink(sink, known.at(-1)?.sequence ?? 0);
      if (items.length === 0) return known;
      known.push(...items);
    }
  }

  it("end with provider book, payment records and webhooks agreeing on each", async () => {
    const sink = "thousand";
    await client.subscribe(sink);
    const ids = Array.from({ length: count }, freshId);
    const answers = new Map<string, string>();
    const queue = ids.values();

    await Promise.all(
      Array.from({ length: clients }, async () => {
        for (const id of queue) {
          const order = pushBody(id, await client.quote());
          const { status, body } = await insist(() => client.pay(order));
          if (status === 200) answers.set(id, String(body["paymentId"]));
        }
      }),
    );
    expect(answers.size).toBe(count);

    const known: SinkItem[] = [];
    await until(
      () => everything(sink, known),
      (items) => eventsIn(items) >= count * pushStates.length,
      150_000,
    );
    const book = new Map((await client.book()).map((entry) => [entry.reference, entry]));
    const byPayment = Map.groupBy(
      known,
      ({ body }) => (JSON.parse(body) as { externalTransactionId: string }).externalTransactionId,
    );
    const wrong = [];
    for (const id of ids) {
      const { body } = await client.payment(id);
      const entry = book.get(answers.get(id) ?? "");
      const states = statesOf(byPayment.get(id) ?? []);
      const isRight =
        body["status"] === "CAPTURED" &&
        body["capturedAmount"] === 100 &&
        entry?.status === "PAID" &&
        entry.releases === 1 &&
        states.join() === pushStates.join();
      if (!isRight) wrong.push({ id, status: body["status"], entry, states });
    }

    expect(wrong).toEqual([]);
    expect(book.size).toBe(count);
  }, 240_000);
});
