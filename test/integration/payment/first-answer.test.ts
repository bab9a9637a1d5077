import { cardPullBody, cardSource, pullPushBody } from "../../support/payment-bodies";
import { captureOf, refundOf, voidOf } from "../../support/payment-commands";
import { until } from "../../support/platform-client";
import { demo, type PaymentRpc, type PaymentWorld, startPaymentWorld, type Told } from "./payment-world";

interface Stored {
  tenant: string;
  externalId: string;
  answer?: unknown;
  [field: string]: unknown;
}

describe("the first answer", () => {
  let world: PaymentWorld;
  let one: PaymentRpc;
  let two: PaymentRpc;
  const payments = () => world.mongo.connection.collection<Stored>("payments");
  const json = ({ text }: Told): Record<string, unknown> => JSON.parse(text ?? "{}") as Record<string, unknown>;
  const idOf = (body: Record<string, unknown>): string => String(body["externalPaymentId"]);
  const record = async (id: string) => (await two.getPayment({ tenant: demo, externalPaymentId: id })).payment;
  const statusIs = (id: string, status: string) =>
    until(
      () => record(id),
      (found) => found?.status === status,
      20_000,
    );

  beforeAll(async () => {
    world = await startPaymentWorld();
    [one, two] = world.replicas;
  }, 120_000);
  afterAll(() => world.stop());

  it("of a pull is the same for ever, byte for byte: after its capture, its refunds and its void", async () => {
    const [captured, voided] = [cardPullBody("1", { capture: false }), cardPullBody("1", { capture: false })];
    const firsts = [await world.accept(one, captured), await world.accept(one, voided)];
    const named = (body: Record<string, unknown>) => ({ tenant: demo, externalPaymentId: idOf(body) });
    const replays: Told[] = [];
    const repeat = async (): Promise<void> => {
      for (const body of [captured, voided]) replays.push(await world.accept(two, body), await world.accept(one, body));
    };

    await repeat();
    await one.capturePayment(captureOf(named(captured)));
    await one.voidPayment(voidOf(named(voided)));
    await repeat();
    const half = { amountMinor: 5_000n, currency: "USD" };
    await two.refundPayment(refundOf(named(captured), { externalRefundId: "r-1", amount: 50 }));
    await repeat();
    await two.refundPayment(refundOf(named(captured), { externalRefundId: "r-2" }));
    await repeat();

    expect(json(firsts[0] as Told)).toMatchObject({ status: "AUTHORIZED", approved: true, captured: false });
    expect(await record(idOf(captured))).toMatchObject({ status: "REFUNDED", refundedMinor: 2n * half.amountMinor });
    expect(await record(idOf(voided))).toMatchObject({ status: "VOIDED" });
    const [first, second] = firsts.map(({ text }) => text);
    expect(replays.map(({ text }) => text)).toEqual(replays.map((_told, index) => (index % 4 < 2 ? first : second)));
    expect(replays.every(({ replayed }) => replayed)).toBe(true);
  }, 60_000);

  it("that nobody lived to write down is written by whoever asks first, and then stays", async () => {
    const body = cardPullBody("1", { capture: false });
    await world.accept(one, body);
    await payments().updateOne({ tenant: demo, externalId: idOf(body) }, { $unset: { answer: "" } });

    const again = await Promise.all([one, two, one, two].map((replica) => world.accept(replica, body)));
    await one.voidPayment(voidOf({ tenant: demo, externalPaymentId: idOf(body) }));
    const after = await world.accept(two, body);

    expect(new Set([...again, after].map(({ text }) => text)).size).toBe(1);
    expect(json(after)).toMatchObject({ status: "AUTHORIZED" });
  }, 30_000);

  it("is waited for while the request runs, for five seconds, and then IDM_001 says so", async () => {
    const body = cardPullBody("1", { capture: false });
    await world.accept(one, body);
    const key = { tenant: demo, externalId: idOf(body) };
    // As another replica leaves it that has just asked the acquirer.
    const inFlight = { step: "authorize", tries: 0, dueAt: new Date("2126-01-01T00:00:00Z") };
    await payments().updateOne(key, { $unset: { answer: "" }, $set: inFlight });
    const startedMs = performance.now();

    const early = await world.accept(two, body);
    const tookMs = performance.now() - startedMs;
    const waiting = world.accept(two, body);
    await payments().updateOne(key, { $set: { tries: 1 } });

    expect(early).toMatchObject({ reason: "REQUEST_RUNNING" });
    expect(tookMs).toBeGreaterThan(4_900);
    expect(json(await waiting)).toMatchObject({ paymentId: expect.any(String) });
  }, 30_000);

  it("of a PULLPUSH is given once the pull leg was decided, says PENDING, and names the page of a challenge", async () => {
    const agentId = "11111111-1111-4111-9111-111111111111";
    const [approved, challenged, declined] = ["1", "4", "3"].map((digit) => pullPushBody(cardSource(digit)));
    const door = { agentId };

    const answers = [];
    for (const body of [approved, challenged, declined]) answers.push(await world.accept(one, body ?? {}, door));
    const [first, second, third] = answers.map(json);
    const url = String(second?.["redirectAcsUrl"]);
    const transactionId = String(second?.["paymentId"]);
    const transaction = async () =>
      (await two.getTransaction({ tenant: demo, agentId, transactionId })).transaction?.redirectAcsUrl;

    expect(first).toMatchObject({ status: "PENDING", approved: false, responseCode: "00" });
    expect(first).not.toHaveProperty("redirectAcsUrl");
    expect(second).toMatchObject({ status: "PENDING", approved: false });
    expect(url).toMatch(/^http/);
    expect(third).toMatchObject({ status: "PENDING", approved: false });
    expect(third?.["responseCode"]).not.toBe("00");
    expect((await statusIs(idOf(declined ?? {}), "DECLINED"))?.status).toBe("DECLINED");
    expect((await record(idOf(challenged ?? {})))?.redirectAcsUrl).toBe(url);
    expect(await transaction()).toBe(url);

    const form = { "content-type": "application/x-www-form-urlencoded" };
    await fetch(url, { method: "POST", headers: form, body: "outcome=pass" });
    const open = await until(
      () => record(idOf(challenged ?? {})),
      (found) => found?.redirectAcsUrl === undefined,
      20_000,
    );

    expect(open?.redirectAcsUrl).toBeUndefined();
    expect(await transaction()).toBeUndefined();
    expect((await world.accept(two, challenged ?? {}, door)).text).toBe(answers[1]?.text);
  }, 60_000);

  it("of a PULLPUSH whose acquirer does not answer in time says PENDING too", async () => {
    await fetch(`${world.sandbox.url}/faults`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ rail: "acquirer", operation: "authorize", times: 1, timeoutAfterExecute: true }),
    });
    const body = pullPushBody(cardSource("1"));

    const answer = await world.accept(one, body);

    expect(json(answer)).toMatchObject({ status: "PENDING", responseCode: "09" });
    expect((await world.accept(two, body)).text).toBe(answer.text);
  }, 30_000);
});
