import { cardPullBody } from "../../support/payment-bodies";
import { refundOf } from "../../support/payment-commands";
import { eventually } from "../bus/bus-testbed";
import { railKey } from "../sandbox/outside-world";
import { demo, type PaymentWorld, startPaymentWorld } from "./payment-world";

interface Kept {
  kind: string;
  minor: bigint | undefined;
  movementId: string;
}

describe("an acquirer that tells totals", () => {
  let world: PaymentWorld;
  beforeAll(async () => {
    world = await startPaymentWorld();
  });
  afterAll(() => world.stop());

  const send = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`${world.sandbox.url}${path}`, {
      method,
      headers: { "content-type": "application/json", authorization: `Bearer ${railKey}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect(response.status).toBeLessThan(300);
    const text = await response.text();
    return text === "" ? undefined : JSON.parse(text);
  };
  const rules = async (...some: object[]): Promise<void> => {
    await send("DELETE", "/faults");
    for (const rule of some) await send("POST", "/faults", { provider: "acquirer", ...rule });
  };
  /** Its answer to the step is lost, and questions are answered in totals. */
  const lose = (step: string): Promise<void> =>
    rules({ step, times: 1, answer: { kind: "lost" } }, { step: "query", times: 1_000, answer: { kind: "totals" } });
  const payments = () => world.mongo.connection.collection<Record<string, unknown>>("payments");
  const record = async (externalId: string) => {
    const found = await payments().findOne({ tenant: demo, externalId });
    return (found ?? {}) as unknown as {
      _id: string;
      status: string;
      pull: { capturedMinor: bigint; refundedMinor: bigint };
      facts: Kept[];
      openCase?: { kinds: string[] };
    };
  };
  const moved = async (id: string, kind: string): Promise<[string, bigint][]> =>
    (await record(id)).facts
      .filter((fact) => fact.kind === kind)
      .map(({ movementId, minor }) => [movementId, minor ?? 0n]);
  const refund = async (id: string, replica: 0 | 1, externalRefundId: string, total: number): Promise<void> => {
    const asked = refundOf({ tenant: demo, externalPaymentId: id }, { externalRefundId, amount: total });
    await eventually(async () =>
      world.replicas[replica].refundPayment(asked).then(
        () => true,
        ({ reason }: { reason?: string }) => {
          if (reason === "UNAVAILABLE" || reason === "STATE_CONFLICT") return false;
          throw new Error(`refused: ${reason}`);
        },
      ),
    );
  };

  it("is booked by the difference to what is known: captures and refunds whose answers were lost, each once", async () => {
    await lose("capture");
    const body = cardPullBody("1");
    const id = String(body["externalPaymentId"]);
    await world.accept(world.replicas[0], body);
    await eventually(async () => (await record(id)).status === "CAPTURED");
    expect(await moved(id, "CAPTURED")).toEqual([["total-USD-10000", 10_000n]]);

    await lose("refund");
    await refund(id, 0, "one", 30);
    await lose("refund");
    await refund(id, 1, "two", 20);

    await eventually(async () => (await record(id)).facts.filter(({ kind }) => kind === "REFUNDED").length === 2);
    expect(await moved(id, "REFUNDED")).toEqual([
      ["total-USD-3000", 3_000n],
      ["total-USD-5000", 2_000n],
    ]);
    const { pull, openCase, _id } = await record(id);
    expect([pull.capturedMinor, pull.refundedMinor, openCase]).toEqual([10_000n, 5_000n, undefined]);
    await rules();
    const shown = (await send("GET", `/acquirer/authorizations/${_id}`)) as { refunds: { amount: string }[] };
    expect(shown.refunds.map(({ amount }) => Number(amount))).toEqual([30, 20]);
  });
});
