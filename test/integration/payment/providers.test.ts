import { randomUUID } from "node:crypto";
import { request } from "undici";
import type { Sandbox } from "../../../sandbox/app";
import { makeAcquirer } from "../../../services/payment/adapters/acquirer/collections";
import { makeDirectDebit } from "../../../services/payment/adapters/direct-debit/collections";
import { railManifest } from "../../../services/payment/adapters/rail/manifest";
import { makeRail } from "../../../services/payment/adapters/rail/payouts";
import type { PaymentBase, Pull } from "../../../services/payment/domain/payment";
import type { Step } from "../../../services/payment/domain/steps";
import type { PaymentType } from "../../../services/payment/domain/typed-legs";
import type { Provider } from "../../../services/payment/ports";
import { makeProviderCall, type ProviderCall } from "../../../services/shared/http/provider-call";
import { systemClock } from "../../../services/shared/kernel/clock";
import { makeLogger } from "../../../services/shared/process/logger";
import { makeMetrics } from "../../../services/shared/process/metrics";
import { noTracing } from "../../../services/shared/process/tracing";
import { cardPull, newPayment, withLegs } from "../../support/payment-builder";
import { callbackSecret, railKey, startWorld } from "../sandbox/outside-world";
import { type ConformanceSubject, describeConformance, type Fault } from "./conformance";

/** For what is never answered, and for everything else. */
const [hastyMs, patientMs] = [1_000, 20_000];
const common = { callbackSecret, clock: systemClock };

const callTo = (baseUrl: string, timeoutMs = patientMs): ProviderCall =>
  makeProviderCall({
    name: "provider",
    baseUrl,
    apiKey: railKey,
    timeoutMs,
    logger: makeLogger("conformance", "error"),
    tracing: noTracing,
    metrics: makeMetrics("test"),
  });

type Entry = Record<string, unknown>;

describe("the adapters against the sandbox world", () => {
  let world: Sandbox;
  let base: string;
  const pending: Promise<unknown>[] = [];

  beforeAll(async () => {
    world = await startWorld({ settleAfterMs: 60_000 });
    base = world.url;
  });
  afterAll(() => world.stop());

  const entry = async (book: string, reference: string): Promise<Entry | undefined> => {
    const { body } = await request(`${base}/book`);
    const books = (await body.json()) as Record<string, Entry[]>;
    return books[book]?.find((one) => one["reference"] === reference);
  };
  const lengthOf = (list: unknown): number => (Array.isArray(list) ? list.length : 0);

  interface Kind {
    make(call: ProviderCall): Provider;
    rail: string;
    type: PaymentType;
    steps: ConformanceSubject["steps"];
    operation: Partial<Record<Step, string>>;
    facts(id: string): Partial<PaymentBase> & { pull?: Pull };
    effects(id: string, step: Step): Promise<number>;
  }

  const authorizationEffects = async (id: string, step: Step): Promise<number> => {
    const found = await entry("authorizations", id);
    if (step === "authorize") return found === undefined ? 0 : 1;
    if (step === "void") return found?.["status"] === "VOIDED" ? 1 : 0;
    return lengthOf(found?.[step === "capture" ? "captures" : "refunds"]);
  };
  const refund = {
    externalId: "refund",
    reason: undefined,
    settledAt: undefined,
    askedMinor: undefined,
    requestedAt: new Date(0),
  };
  const kinds: Record<string, Kind> = {
    rail: {
      make: (call) => makeRail({ ...common, manifest: railManifest("pix", 0), call }),
      rail: "pix",
      type: "PUSH",
      steps: [
        ["prepare", "PREPARED"],
        ["release", "RELEASED"],
      ],
      operation: { prepare: "prepare", release: "release" },
      facts: () => ({}),
      async effects(id, step) {
        const found = await entry("instructions", id);
        return step === "prepare" ? (found === undefined ? 0 : 1) : Number(found?.["releases"] ?? 0);
      },
    },
    acquirer: {
      make: (call) => makeAcquirer({ ...common, call }),
      rail: "acquirer",
      type: "PULL",
      steps: [
        ["authorize", "AUTHORIZED"],
        ["capture", "CAPTURED"],
        ["refund", "REFUNDED"],
      ],
      operation: { authorize: "authorize", capture: "capture", refund: "refund" },
      facts: (id) => ({ pull: cardPull(), refunds: [{ ...refund, id: `${id}.r`, minor: 1_000n, status: "PENDING" }] }),
      effects: authorizationEffects,
    },
    "acquirer, for what is given up": {
      make: (call) => makeAcquirer({ ...common, call }),
      rail: "acquirer",
      type: "PULL",
      steps: [
        ["authorize", "AUTHORIZED"],
        ["void", "VOIDED"],
      ],
      operation: { authorize: "authorize", void: "void" },
      facts: () => ({ pull: cardPull() }),
      effects: authorizationEffects,
    },
    debits: {
      make: (call) => makeDirectDebit({ ...common, call, tokens: { open: () => Promise.resolve(undefined) } }),
      rail: "debits",
      type: "PULLPUSH",
      steps: [
        ["capture", "CAPTURED"],
        ["refund", "REFUNDED"],
      ],
      operation: { capture: "debit", refund: "refund" },
      facts: (id) => ({
        refunds: [{ ...refund, id: `${id}.r`, minor: 1_000n, status: "PENDING" }],
        pull: cardPull({
          provider: "debits",
          source: {
            kind: "bank",
            routingNumber: "021000021",
            accountNumber: "000123456789",
            accountType: "checking",
            holder: "Ada Lovelace",
          },
        }),
      }),
      async effects(id, step) {
        const found = await entry("debits", id);
        return step === "refund" ? lengthOf(found?.["refunds"]) : Number(found !== undefined);
      },
    },
  };

  const silences: Record<Fault, object> = {
    "executed-unanswered": { timeoutAfterExecute: true },
    "refused-with-503": { status: 503 },
  };
  const post = (rule: object): Promise<unknown> =>
    request(`${base}/faults`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(rule),
    }).then(({ body }) => body.dump());

  /** The adapter waits until the fault that its test has ordered is in force, and then not long for the answer. */
  const afterFaults = (baseUrl: string): ProviderCall => {
    const [hasty, patient] = [callTo(baseUrl, hastyMs), callTo(baseUrl)];
    return async (...words) => {
      const ordered = await Promise.all(pending.splice(0));
      return ordered.length > 0 ? hasty(...words) : patient(...words);
    };
  };

  for (const [name, kind] of Object.entries(kinds)) {
    describeConformance(name, kind.steps, () => ({
      provider: kind.make(afterFaults(base)),
      unreachable: kind.make(callTo("http://127.0.0.1:9")),
      steps: kind.steps,
      newPayment() {
        const id = randomUUID();
        const { pull, ...facts } = kind.facts(id);
        return { ...withLegs(newPayment(kind.type, { id }).next, pull === undefined ? {} : { pull }), ...facts };
      },
      fault(step, fault) {
        const rule = { rail: kind.rail, operation: kind.operation[step], times: 1, ...silences[fault] };
        pending.push(post(rule));
      },
      effects: (payment, step) => kind.effects(payment.id, step),
    }));
  }
});
