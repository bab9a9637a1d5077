import type { Platform } from "../../local/platform";
import { outsideWorld } from "../support/outside-world";
import { bankSource, cardPullBody, cardSource, pullPushBody } from "../support/payment-bodies";
import { connectClient, freshId, insist, type PlatformClient, pushBody, until } from "../support/platform-client";
import { startTestPlatform } from "../support/test-platform";

const clients = 64;
/** 20 payments in `make test`, 200 where the random tests run ten times as often. */
const payments = Math.min(200, Math.max(20, 20 * Number(process.env["RANDOM_FACTOR"] ?? "1")));

describe(`${payments} payments, each sent by ${clients} clients at once`, () => {
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

  const bodyOf = async (index: number): Promise<Record<string, unknown>> => {
    switch (index % 4) {
      case 0:
        return pushBody(freshId(), await client.quote());
      case 1:
        return cardPullBody("1");
      case 2:
        return pullPushBody(cardSource("1"));
      default:
        return pullPushBody(bankSource());
    }
  };

  it("are that many payments, with byte-identical answers and one effect each", async () => {
    const ids = new Set<string>();
    const wrong: unknown[] = [];
    for (let index = 0; index < payments; index += 1) {
      const body = await bodyOf(index);
      const replies = await Promise.all(Array.from({ length: clients }, () => insist(() => client.pay(body))));
      const answers = new Set(replies.map(({ status, text }) => `${status} ${text}`));
      const firsts = replies.filter(({ headers }) => headers["idempotency-replayed"] === undefined);
      // No answer is the first where that one was SYS_503 for lack of time, and was asked for again.
      if (answers.size !== 1 || firsts.length > 1 || replies[0]?.status !== 200) wrong.push([...answers]);
      ids.add(String(replies[0]?.body["paymentId"]));
      const record = await until(
        () => client.payment(String(body["externalPaymentId"])),
        (found) => found.body["status"] === "CAPTURED",
      );
      if (record.body["status"] !== "CAPTURED") wrong.push(record.body);
    }
    const book = await outsideWorld(platform).book();
    const releases = (book["instructions"] ?? []).map((entry) => entry["releases"]);
    const captures = (book["authorizations"] ?? []).map((entry) => Object(entry["captures"]).length as unknown);

    expect(wrong).toEqual([]);
    expect(ids.size).toBe(payments);
    expect(releases).toEqual(releases.map(() => 1));
    expect(captures).toEqual(captures.map(() => 1));
    expect(releases.length + captures.length).toBe((payments / 4) * 5);
  }, 240_000);
});
