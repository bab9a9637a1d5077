import { addLostPayments } from "../../../services/payment/store/lost-payment-store";
import { demo, type PaymentWorld, startPaymentWorld } from "./payment-world";

describe("a payment that a restore has forgotten", () => {
  let world: PaymentWorld;
  beforeAll(async () => {
    world = await startPaymentWorld();
  }, 120_000);
  afterAll(() => world.stop());

  it("is the same instruction when it is repeated, and refused with other content", async () => {
    const payments = world.mongo.connection.collection<{ _id: string; tenant: string; externalId: string }>("payments");
    const idsOf = async (externalId: string): Promise<string[]> =>
      (await payments.find({ tenant: demo, externalId }).toArray()).map(({ _id }) => _id);
    const body = await world.push();
    const externalId = String(body["externalPaymentId"]);
    expect((await world.accept(world.replicas[0], body)).reason).toBeUndefined();
    const [paymentId = ""] = await idsOf(externalId);

    // What a restore to an earlier time leaves, and what is remembered when it is accepted.
    await payments.deleteOne({ _id: paymentId });
    const other = await world.push({ externalPaymentId: externalId });
    await addLostPayments(world.mongo.connection, [{ tenant: demo, externalId, paymentId }]);
    const restarted = await world.startReplica();

    const refused = await world.accept(restarted, other);
    expect(refused).toMatchObject({ reason: "IDEMPOTENCY_CONFLICT" });
    expect(refused.message).toContain("before the platform was restored");
    expect(await idsOf(externalId)).toEqual([]);
    const elsewhere = await world.accept(restarted, await world.push());
    expect(elsewhere.reason).toBeUndefined();
    expect((await world.accept(restarted, body)).reason).toBeUndefined();
    expect(await idsOf(externalId)).toEqual([paymentId]);
  });
});
