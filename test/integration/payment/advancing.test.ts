import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { railManifest } from "../../../services/payment/adapters/rail/manifest";
import { makeRail } from "../../../services/payment/adapters/rail/payouts";
import { type Change, type Payment, unchanged } from "../../../services/payment/domain/payment";
import { makeAdvancePayment } from "../../../services/payment/operations/advance-payment";
import type { PaymentStore } from "../../../services/payment/store/payment-store";
import { makeProviderCall } from "../../../services/shared/http/provider-call";
import { plusMs, systemClock } from "../../../services/shared/kernel/clock";
import { formatMoney } from "../../../services/shared/kernel/money";
import { makeLogger } from "../../../services/shared/process/logger";
import { makeMetrics } from "../../../services/shared/process/metrics";
import { noTracing } from "../../../services/shared/process/tracing";
import type { Mongo } from "../../../services/shared/storage/mongo";
import { tellAll } from "../../support/facts";
import { builtAt, newPayment } from "../../support/payment-builder";
import { startTestStore, type TestStore } from "../../support/testbed";
import { openPayments } from "./open-payments";

const finalityWindowMs = 60_000;

/** A rail that knows the instructions that it has taken, and notes every call. */
async function startRail() {
  const known = new Map<string, string>();
  const calls: string[] = [];
  /** What it does before it answers a release, and the answer. */
  const release = { before: async (): Promise<void> => {}, answer: {} as object };
  const server: Server = createServer((req, res) => {
    const [, , , , reference = "", act = ""] = (req.url ?? "").split("/");
    const answer = (status: number, body: object): void => {
      res.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    };
    const chunks: Buffer[] = [];
    req.on("data", (chunk: Buffer) => chunks.push(chunk));
    const reply = async (): Promise<void> => {
      calls.push(`${req.method} ${act === "" ? "instruction" : act}`);
      if (req.method === "GET") {
        const status = known.get(reference);
        answer(
          status === undefined ? 404 : 200,
          status === undefined ? { error: "not_found", reference } : { reference, status },
        );
      } else if (act === "") {
        const { reference: made } = JSON.parse(Buffer.concat(chunks).toString()) as { reference: string };
        known.set(made, "PREPARED");
        answer(201, { reference: made, status: "PREPARED" });
      } else if (act === "release") {
        await release.before();
        answer(200, { reference, status: "RELEASED", ...release.answer });
      } else answer(202, { reference, status: "CANCELLED" });
    };
    req.once("end", () => void reply());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { server, known, calls, release, url: `http://127.0.0.1:${port}` };
}

describe("carrying a payment on", () => {
  let store: TestStore;
  let mongo: Mongo;
  let payments: PaymentStore;
  let rail: Awaited<ReturnType<typeof startRail>>;
  let now = builtAt;

  beforeAll(async () => {
    rail = await startRail();
    store = await startTestStore();
    ({ mongo, payments } = await openPayments(store));
  });
  afterAll(async () => {
    await mongo.stop();
    await store.stop();
    rail.server.closeAllConnections();
    rail.server.close();
  });
  beforeEach(() => {
    rail.calls.length = 0;
    now = builtAt;
  });

  const advance = (payment: Payment, approach: "send" | "ask"): Promise<void> => {
    const call = makeProviderCall({
      name: "pix",
      baseUrl: rail.url,
      apiKey: "key",
      timeoutMs: 20_000,
      logger: makeLogger("advancing", "error"),
      tracing: noTracing,
      metrics: makeMetrics("test"),
    });
    const manifest = railManifest("pix", finalityWindowMs);
    const provider = makeRail({ manifest, call, callbackSecret: "s".repeat(32), clock: systemClock });
    return makeAdvancePayment({
      payments,
      providers: new Map([["pix", provider]]),
      // A person has to decide: nothing is released here by itself.
      screening: () => Promise.resolve({ status: "REVIEW", reason: undefined }),
      clock: { now: () => now },
    })(payment, approach);
  };
  const storedAs = async ({ next }: Change): Promise<Payment> => {
    const change = { ...unchanged({ ...next, version: 1 }), events: [], history: [] };
    expect(await payments.insert(change, { hashes: {}, answer: undefined })).toBe("stored");
    return (await payments.find(next.id)) ?? next;
  };
  const fresh = (): Change => newPayment("PUSH", { id: randomUUID(), externalId: randomUUID() });
  /** A payment whose release was recorded; whether it was sent is not known. */
  const releasing = (): Promise<Payment> => {
    const told = [{ role: "payout", kind: "PREPARED" } as const, { role: "screening", status: "APPROVED" } as const];
    return storedAs(tellAll(fresh().next, builtAt, ...told));
  };

  it("asks what became of a step before it sends it again, and sends nothing that the provider has done", async () => {
    const payment = await storedAs(fresh());
    rail.known.set(payment.id, "PREPARED");

    await advance(payment, "ask");

    expect(rail.calls).toEqual(["GET instruction"]);
    expect(await payments.find(payment.id)).toMatchObject({ state: "ManualReview" });
  });

  it("sends again what the provider certainly does not know", async () => {
    const payment = await storedAs(fresh());

    await advance(payment, "ask");

    expect(rail.calls).toEqual(["GET instruction", "POST instruction"]);
  });

  it("sends a step that was recorded just now without a question", async () => {
    await advance(await storedAs(fresh()), "send");

    expect(rail.calls).toEqual(["POST instruction"]);
  });

  it("gives a release that nobody knows up when it can no longer take effect, and not a moment before", async () => {
    const payment = await releasing();
    const { step, sentAt = builtAt } = payment.execution;
    expect(step).toBe("release");

    now = plusMs(sentAt, finalityWindowMs - 1);
    await advance(payment, "ask");
    const waiting = await payments.find(payment.id);
    expect(waiting).toMatchObject({ execution: { step: "release" } });
    expect(rail.calls).toEqual(["GET instruction"]);

    now = plusMs(sentAt, finalityWindowMs);
    await advance(waiting ?? payment, "ask");
    expect(rail.calls).toEqual(["GET instruction", "GET instruction", "POST cancel"]);
  });

  /** Another writer's change of a payment, which leaves its step alone. */
  const touch = async (id: string): Promise<void> => {
    const found = await payments.find(id);
    if (found === undefined) throw new Error("the payment is gone");
    const change = { ...unchanged(found), next: { ...found, updatedAt: plusMs(now, 1) } };
    expect((await payments.save(found, change)).kind).toBe("saved");
  };

  it("keeps what a call has moved though others changed the payment while it was made", async () => {
    const payment = await releasing();
    const paid = payment.payout?.amount ?? payment.amount;
    const told = { status: "PAID", movementId: "m-1", amount: formatMoney(paid), currency: paid.currency };
    Object.assign(rail.release, { before: () => touch(payment.id), answer: told });

    await advance(payment, "send");

    expect(rail.calls).toEqual(["POST release"]);
    const found = await payments.find(payment.id);
    expect(found).toMatchObject({ state: "Completed", payout: { paidMinor: paid.minor } });
    const story = await payments.findStory(payment.tenant, payment.externalId);
    expect(story?.attempts.map(({ step, outcome }) => `${step} ${outcome}`)).toEqual(["release PAID"]);
  });

  it("sends nothing for one whose time was over when somebody else took the payment", async () => {
    const payment = await releasing();
    now = plusMs(payment.execution.dueAt ?? builtAt, 1);
    expect(await payments.take(payment, plusMs(now, 6_000))).toBeDefined();

    await advance(payment, "send");

    expect(rail.calls).toEqual([]);
  });

  it("asks before it sends when it waited for longer than the payment is its own, and takes the payment anew", async () => {
    const payment = await releasing();
    rail.known.set(payment.id, "PREPARED");
    now = plusMs(payment.execution.dueAt ?? builtAt, 1);
    const rivals: unknown[] = [];
    const before = async () => void rivals.push(await payments.take(payment, plusMs(now, 6_000)));
    Object.assign(rail.release, { before, answer: {} });

    await advance(payment, "send");

    expect(rail.calls).toEqual(["GET instruction", "POST release"]);
    expect(rivals).toEqual([undefined]);
  });
});
