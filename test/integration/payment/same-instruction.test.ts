import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Sandbox } from "../../../sandbox/app";
import { railManifest } from "../../../services/payment/adapters/rail/manifest";
import { makeRail } from "../../../services/payment/adapters/rail/payouts";
import { applyCaseCommand } from "../../../services/payment/domain/case-commands";
import { type Payment, unchanged } from "../../../services/payment/domain/payment";
import { makeAdvancePayment } from "../../../services/payment/operations/advance-payment";
import type { PaymentStore } from "../../../services/payment/store/payment-store";
import { systemClock } from "../../../services/shared/kernel/clock";
import { changed } from "../../support/corridor-payloads";
import { tellAll } from "../../support/facts";
import { builtAt } from "../../support/payment-builder";
import { paymentFrom, railSample, railSamples } from "../../support/rail-orders";
import { callTo } from "../../support/stand-in";
import { startTestStore, type TestStore } from "../../support/testbed";
import { call, callbackSecret, railKey, startWorld } from "../sandbox/outside-world";
import { openPayments } from "./open-payments";

/** A rail that notes every order, byte for byte, and whose answers are lost. */
async function startDeafRail() {
  const orders: Buffer[] = [];
  const server: Server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on("data", (chunk: Buffer) => chunks.push(chunk));
    req.once("end", () => {
      if (req.method === "GET") {
        res
          .writeHead(404, { "content-type": "application/json" })
          .end(JSON.stringify({ error: "not_found", reference: req.url?.split("/").at(-1) }));
        return;
      }
      orders.push(Buffer.concat(chunks));
      res.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { server, orders, url: `http://127.0.0.1:${port}` };
}

type PaidOut = ReturnType<typeof paymentFrom>;

describe("the instruction of a payment", () => {
  let store: TestStore;
  let deaf: Awaited<ReturnType<typeof startDeafRail>>;
  let world: Sandbox;
  const processes: Awaited<ReturnType<typeof openPayments>>[] = [];

  beforeAll(async () => {
    [store, deaf, world] = await Promise.all([startTestStore(), startDeafRail(), startWorld()]);
  });
  afterAll(async () => {
    for (const { mongo } of processes) await mongo.stop();
    await Promise.all([store.stop(), world.stop()]);
    deaf.server.closeAllConnections();
    deaf.server.close();
  });

  /** What a process knows that has just started: nothing but the store. */
  async function startProcess(): Promise<PaymentStore> {
    const opened = await openPayments(store);
    processes.push(opened);
    return opened.payments;
  }

  const railAt = (url: string, { payout }: Payment) => {
    const manifest = railManifest(payout?.rail ?? "", 60_000);
    return makeRail({ manifest, call: callTo(url, railKey), callbackSecret, clock: systemClock });
  };
  const advance = (payments: PaymentStore, url: string, payment: Payment, approach: "send" | "ask"): Promise<void> =>
    makeAdvancePayment({
      payments,
      providers: new Map([[payment.payout?.rail ?? "", railAt(url, payment)]]),
      // A person has to decide: nothing is released here by itself.
      screening: () => Promise.resolve({ status: "REVIEW", reason: undefined }),
      clock: { now: () => builtAt },
    })(payment, approach);

  /** The payment as its process has it in hand when its first document is stored. */
  async function stored(payments: PaymentStore, payment: Payment): Promise<Payment> {
    const next = { ...payment, externalId: payment.id, version: 1 };
    expect(await payments.insert(unchanged(next), { hashes: {}, answer: undefined })).toBe("stored");
    return next;
  }

  /** Where its rail takes the whole order with the release, the payment is about to release. */
  const aboutToSend = (payment: PaidOut): Payment =>
    railManifest(payment.payout.rail, 0).hasPrepare
      ? payment
      : tellAll(payment, builtAt, { role: "payout", kind: "PREPARED" }, { role: "screening", status: "APPROVED" }).next;

  const restarted = ["KOR, ", "MEX, same payload, DIMO", "IND, ", "a customer", "all that may be said"];
  const crashing = railSamples.filter(([name]) => restarted.some((start) => name.startsWith(start)));

  it.each(crashing)("is sent byte for byte as it was before a crash: %s", async (_name, body) => {
    deaf.orders.length = 0;
    const first = await startProcess();
    const payment = await stored(first, aboutToSend(paymentFrom(body)));

    // Before the crash the payment was never read back; after it nothing is left but what was sealed.
    await advance(first, deaf.url, payment, "send");
    const second = await startProcess();
    const found = await second.find(payment.id);
    expect(found).toMatchObject({ execution: { step: payment.execution.step, attempts: 1 } });
    await advance(second, deaf.url, found ?? payment, "send");

    const [sent, again] = deaf.orders;
    expect(sent?.toString()).toContain(`"lastName":"${payment.sender.lastName}"`);
    expect(again?.toString()).toBe(sent?.toString());
    expect(deaf.orders).toHaveLength(2);
  });

  describe("under whose reference the rail has another one", () => {
    const found = async (payments: PaymentStore, { id }: Payment): Promise<Payment> => {
      const payment = await payments.find(id);
      if (payment === undefined) throw new Error("the payment is gone");
      return payment;
    };
    const instructionOf = async ({ id }: Payment) => {
      const { body } = await call("GET", `${world.url}/book?reference=${id}`);
      return (body["instructions"] as { status: string; releases: number }[])[0];
    };

    it("waits for a person, who takes the other one back, and nobody is paid", async () => {
      const payments = await startProcess();
      const body = railSample("KOR");
      const payment = await stored(payments, paymentFrom(body));
      const other = paymentFrom(changed(body, "recipient.lastName", "Park"), payment.id);
      await railAt(world.url, other).perform(other, "prepare");
      expect(await instructionOf(payment)).toMatchObject({ status: "PREPARED" });

      await advance(payments, world.url, payment, "send");
      const stopped = await found(payments, payment);
      expect(stopped).toMatchObject({
        state: "ProcessingPayout",
        status: "PENDING",
        execution: { step: undefined, dueAt: undefined, escalatedAt: builtAt },
        openCase: { kinds: ["CONTRADICTION"] },
      });

      // Neither a question nor a report carries the payment on.
      await advance(payments, world.url, stopped, "ask");
      expect(tellAll(stopped, builtAt, { role: "payout", kind: "PREPARED" }).next.state).toBe("ProcessingPayout");
      expect(await found(payments, payment)).toEqual(stopped);

      const cancelling = applyCaseCommand(stopped, "cancel", { kind: "beginCancel" }, builtAt);
      expect(tellAll(cancelling.next, builtAt, { role: "payout", kind: "PREPARED" }).next.state).toBe(
        "ProcessingPayout",
      );
      expect((await payments.save(stopped, cancelling)).kind).toBe("saved");
      await advance(payments, world.url, await found(payments, payment), "send");
      expect(await found(payments, payment)).toMatchObject({ status: "DECLINED" });
      expect(await instructionOf(payment)).toMatchObject({ status: "CANCELLED", releases: 0 });
    });
  });
});
