import { ReviewServiceService } from "../../../proto/gen/corridor/identity/v1/review_service";
import { noTracing } from "../../../services/shared/process/tracing";
import type { Rpc } from "../../../services/shared/rpc/rpc";
import { makeRpcClient } from "../../../services/shared/rpc/rpc-client";
import { until } from "../../support/platform-client";
import { callsOf, insistent, postedOf, reaches, recordOf } from "./looks";
import { demo, type PaymentWorld, startPaymentWorld } from "./payment-world";

describe("a payment that a review has blocked", () => {
  let world: PaymentWorld;
  let desk: Rpc<typeof ReviewServiceService> & { stop(): Promise<void> };

  beforeAll(async () => {
    world = await startPaymentWorld();
    const patient = { tls: undefined, timeoutMs: 20_000, retryable: [], tracing: noTracing };
    desk = makeRpcClient(ReviewServiceService, { ...patient, target: world.targets.identity });
  }, 120_000);
  afterAll(async () => {
    await desk.stop();
    await world.stop();
  });

  const address = { countryCode: "GBR", city: "London", line1: "12 Hill Road" };
  const payments = () => world.mongo.connection.collection<{ _id: string }>("payments");
  const blocked = async () => {
    const body = await world.push({ sender: { firstName: "Ada", lastName: "Listed", address } });
    const { text } = await world.accept(world.replicas[0], body);
    const { paymentId } = JSON.parse(text ?? "{}") as { paymentId: string };
    const id = String(body["externalPaymentId"]);
    await reaches(world, id, "BlockedPendingReview");
    const { reviews } = await insistent(() => desk.listReviews({ tenant: demo, subjectId: paymentId, limit: 1 }));
    const reviewId = reviews[0]?.reviewId ?? "";
    await desk.decideReview({ tenant: demo, reviewId, approve: false, block: true, author: "ada", note: "listed" });
    return { id, paymentId, reviewId };
  };
  /** Every time of the payment is long past; the platform has looked at it again when this returns. */
  const timesPass = async ({ id, paymentId }: { id: string; paymentId: string }): Promise<void> => {
    const calls = (await callsOf(world, id)).length;
    const past = new Date("2020-01-01T00:00:00Z");
    await payments().updateOne({ _id: paymentId }, { $set: { dueAt: past, deadlineAt: past } });
    await until(
      () => callsOf(world, id),
      (found) => found.length > calls,
    );
  };
  const paidOf = async (id: string) => (await postedOf(world, id)).filter((one) => one.startsWith("payout"));
  const permission = {
    tenant: demo,
    author: "ada",
    approver: "bob",
    authorityReference: "L-7",
    note: "licensed",
    payTo: "",
  };

  it("stays where it is when its times pass, and its caller cannot cancel it", async () => {
    const payment = await blocked();

    await timesPass(payment);

    expect((await recordOf(world, payment.id))?.transactionState).toBe("BlockedPendingReview");
    await expect(
      world.replicas[0].cancelPayment({ tenant: demo, paymentId: payment.paymentId, agentId: undefined }),
    ).rejects.toMatchObject({ reason: "STATE_CONFLICT" });
    expect(await world.outside.moved(payment.paymentId)).toEqual([]);
    expect(await paidOf(payment.id)).toEqual([]);
  });

  it("is paid once when it is released, however often that is said", async () => {
    const { id, paymentId, reviewId } = await blocked();

    await Promise.all(
      [1, 2].map(() =>
        insistent(() => desk.releaseBlocked({ ...permission, reviewId, approve: true }).catch(() => {})),
      ),
    );

    expect(await reaches(world, id, "Completed")).toBe("Completed");
    expect(await world.outside.book("instructions", paymentId)).toMatchObject({ status: "PAID", releases: 1 });
    expect(await paidOf(id)).toHaveLength(1);
  });

  it("is given back when it is refused, and nothing was paid", async () => {
    const { id, paymentId, reviewId } = await blocked();

    await desk.releaseBlocked({ ...permission, reviewId, approve: false });

    expect(await reaches(world, id, "Completed")).toBe("Cancelled");
    expect(await world.outside.moved(paymentId)).toEqual([]);
  });
});
