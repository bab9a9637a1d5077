import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { makeAcquirer } from "../../../services/payment/adapters/acquirer/collections";
import { makeDirectDebit } from "../../../services/payment/adapters/direct-debit/collections";
import { railManifest } from "../../../services/payment/adapters/rail/manifest";
import { makeRail } from "../../../services/payment/adapters/rail/payouts";
import type { Payment } from "../../../services/payment/domain/payment";
import { type Step, stepLeaseMs, turnBudgetMs } from "../../../services/payment/domain/steps";
import type { Outcome, Provider } from "../../../services/payment/ports";
import { makeProviderCall, type ProviderCall } from "../../../services/shared/http/provider-call";
import { systemClock } from "../../../services/shared/kernel/clock";
import { runInCall } from "../../../services/shared/process/call-context";
import { makeLogger } from "../../../services/shared/process/logger";
import { makeMetrics } from "../../../services/shared/process/metrics";
import { noTracing } from "../../../services/shared/process/tracing";
import { accountPull, cardPull, newPayment } from "../../support/payment-builder";

type Body = object | string;
interface Answer {
  status: number;
  body: Body;
}

/** A provider that answers every call with what it was told last. */
async function startStandIn(): Promise<{ server: Server; url: string; say(answer: Answer): void; calls(): number }> {
  let next: Answer = { status: 500, body: "" };
  let calls = 0;
  const server = createServer((req, res) => {
    calls += 1;
    req.resume();
    req.once("end", () => {
      const text = typeof next.body === "string" ? next.body : JSON.stringify(next.body);
      res.writeHead(next.status, { "content-type": "application/json" }).end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    server,
    url: `http://127.0.0.1:${port}`,
    say(answer) {
      next = answer;
    },
    calls: () => calls,
  };
}

const wordOf = (outcome: Outcome): string => {
  if (outcome.kind === "facts") return outcome.facts.map(({ kind }) => kind).join(" ");
  return outcome.kind === "refused" ? `refused ${outcome.refusal.code}` : outcome.kind;
};

const refund = {
  id: "refund-1",
  externalId: "r",
  minor: 1_000n,
  askedMinor: undefined,
  reason: undefined,
  status: "PENDING",
  requestedAt: new Date(0),
  settledAt: undefined,
} as const;
const push = newPayment("PUSH").next;
const card: Payment = { ...newPayment("PULL").next, pull: cardPull({ authorizedAt: new Date(0) }), refunds: [refund] };
const debit: Payment = {
  ...newPayment("PULL").next,
  refunds: [refund],
  pull: accountPull({
    source: { kind: "bank", routingNumber: "1", accountNumber: "2", accountType: "c", holder: "A" },
  }),
};
const { id } = push;

const authorization = { reference: id, acquirerId: "A1", status: "AUTHORIZED", amount: "100.00", currency: "USD" };
const captured = {
  ...authorization,
  status: "CAPTURED",
  captures: [{ reference: `${id}.capture`, movementId: "m1", amount: "100.00", currency: "USD" }],
  refunds: [],
};
const accepted = {
  reference: id,
  debitId: "D1",
  status: "ACCEPTED",
  amount: "100.00",
  currency: "USD",
  captures: [{ reference: id, movementId: "m1", amount: "100.00", currency: "USD" }],
  returns: [],
  refunds: [],
};
const instruction = { reference: id, railId: "R1", status: "PREPARED", amount: "543.21", currency: "BRL" };
const paid = {
  ...instruction,
  status: "PAID",
  payouts: [{ movementId: "m1", amount: "543.21", currency: "BRL" }],
  returns: [],
};

type Row = [
  name: string,
  provider: "acquirer" | "debits" | "rail",
  approach: "perform" | "ask",
  step: Step,
  answer: Answer,
  word: string,
];

/** What no table knows: of any call of any provider. */
const strange: readonly Answer[] = [
  ...[401, 403, 404, 407, 409, 410, 422, 425, 429, 451].map((status) => ({
    status,
    body: { error: "something_else" },
  })),
  ...[401, 403, 404, 409, 422, 429].map((status) => ({ status, body: "<html>no</html>" })),
  ...[200, 201, 202, 204].map((status) => ({ status, body: "" })),
  { status: 200, body: {} },
  { status: 200, body: [] },
  { status: 200, body: "<html>ok</html>" },
  { status: 200, body: '{"reference":"' },
  { status: 200, body: { reference: "somebody-else", status: "CAPTURED", amount: "100.00", currency: "USD" } },
  { status: 200, body: { reference: id, status: "SOMETHING_NEW", amount: "100.00", currency: "USD" } },
  { status: 200, body: { reference: id, status: "PAID" } },
  { status: 200, body: { filler: "x".repeat(70_000) } },
  { status: 500, body: { reference: id, status: "PAID" } },
  { status: 503, body: "" },
];

const calls: readonly (readonly ["acquirer" | "debits" | "rail", "perform" | "ask", Step])[] = [
  ...(["authorize", "capture", "void", "refund"] as const).flatMap(
    (step) =>
      [
        ["acquirer", "perform", step],
        ["acquirer", "ask", step],
      ] as const,
  ),
  ...(["authorize", "capture", "refund"] as const).flatMap(
    (step) =>
      [
        ["debits", "perform", step],
        ["debits", "ask", step],
      ] as const,
  ),
  ...(["prepare", "release", "cancel"] as const).flatMap(
    (step) =>
      [
        ["rail", "perform", step],
        ["rail", "ask", step],
      ] as const,
  ),
];

const known: readonly Row[] = [
  ["an authorisation", "acquirer", "perform", "authorize", { status: 201, body: authorization }, "AUTHORIZED"],
  [
    "an authorisation that was captured too",
    "acquirer",
    "perform",
    "authorize",
    { status: 201, body: captured },
    "AUTHORIZED CAPTURED",
  ],
  [
    "an authorisation in another currency",
    "acquirer",
    "perform",
    "authorize",
    { status: 201, body: { ...authorization, currency: "EUR" } },
    "unknown",
  ],
  [
    "a challenge without its page",
    "acquirer",
    "perform",
    "authorize",
    { status: 201, body: { ...authorization, status: "CHALLENGE" } },
    "unknown",
  ],
  [
    "a token of nobody",
    "acquirer",
    "perform",
    "authorize",
    { status: 422, body: { error: "unknown_token" } },
    "refused unknown_token",
  ],
  [
    "a capture",
    "acquirer",
    "perform",
    "capture",
    { status: 201, body: { reference: `${id}.capture`, status: "CAPTURED", amount: "100.00", currency: "USD" } },
    "CAPTURED",
  ],
  [
    "a capture of another order",
    "acquirer",
    "perform",
    "capture",
    { status: 201, body: { reference: "other.capture", status: "CAPTURED", amount: "100.00", currency: "USD" } },
    "unknown",
  ],
  [
    "a capture without its currency",
    "acquirer",
    "perform",
    "capture",
    { status: 201, body: { reference: `${id}.capture`, status: "CAPTURED", amount: "100.00" } },
    "unknown",
  ],
  [
    "a capture of what was voided",
    "acquirer",
    "perform",
    "capture",
    { status: 409, body: { error: "not_capturable", status: "VOIDED" } },
    "refused not_capturable",
  ],
  [
    "a capture of what was captured otherwise",
    "acquirer",
    "perform",
    "capture",
    { status: 409, body: { error: "not_capturable", status: "CAPTURED" } },
    "unknown",
  ],
  [
    "a capture that is too high",
    "acquirer",
    "perform",
    "capture",
    { status: 422, body: { error: "amount_too_high" } },
    "refused amount_too_high",
  ],
  [
    "a void of what was voided",
    "acquirer",
    "perform",
    "void",
    { status: 409, body: { error: "not_voidable", status: "VOIDED" } },
    "VOIDED",
  ],
  [
    "a void of what was captured",
    "acquirer",
    "perform",
    "void",
    { status: 409, body: { error: "not_voidable", status: "CAPTURED" } },
    "unknown",
  ],
  [
    "a refund",
    "acquirer",
    "perform",
    "refund",
    { status: 201, body: { reference: "refund-1", status: "REFUNDED", amount: "10.00", currency: "USD" } },
    "REFUNDED",
  ],
  [
    "a refund of nothing",
    "acquirer",
    "perform",
    "refund",
    { status: 201, body: { reference: "refund-1", status: "REFUNDED", amount: "0.00", currency: "USD" } },
    "unknown",
  ],
  ["its own not found", "acquirer", "ask", "capture", { status: 404, body: { error: "not_found" } }, "absent"],
  [
    "an open authorisation, asked about a capture",
    "acquirer",
    "ask",
    "capture",
    { status: 200, body: authorization },
    "absent",
  ],
  [
    "a captured one, asked about a void",
    "acquirer",
    "ask",
    "void",
    { status: 200, body: captured },
    "AUTHORIZED CAPTURED",
  ],
  ["a captured one, asked about a refund", "acquirer", "ask", "refund", { status: 200, body: captured }, "absent"],
  [
    "a voided one, asked about a capture",
    "acquirer",
    "ask",
    "capture",
    { status: 200, body: { ...authorization, status: "VOIDED" } },
    "refused not_capturable",
  ],
  [
    "a list that is none",
    "acquirer",
    "ask",
    "refund",
    { status: 200, body: { ...captured, refunds: "none" } },
    "unknown",
  ],
  ["a debit", "debits", "perform", "authorize", { status: 201, body: accepted }, "CAPTURED"],
  [
    "a settled debit",
    "debits",
    "ask",
    "capture",
    { status: 200, body: { ...accepted, status: "SETTLED" } },
    "CAPTURED SETTLED",
  ],
  [
    "a rejected debit",
    "debits",
    "perform",
    "authorize",
    { status: 201, body: { ...accepted, status: "REJECTED", captures: [] } },
    "DECLINED",
  ],
  [
    "a debit that the scheme voided",
    "debits",
    "ask",
    "capture",
    { status: 200, body: { ...accepted, status: "VOIDED" } },
    "CAPTURED VOIDED",
  ],
  [
    "a returned debit",
    "debits",
    "ask",
    "capture",
    {
      status: 200,
      body: {
        ...accepted,
        status: "RETURNED",
        returns: [{ reference: id, movementId: "m2", amount: "100.00", currency: "USD" }],
      },
    },
    "CAPTURED RETURNED",
  ],
  [
    "a debit in another currency",
    "debits",
    "perform",
    "authorize",
    { status: 201, body: { ...accepted, currency: "EUR", captures: [] } },
    "unknown",
  ],
  [
    "a malformed debit",
    "debits",
    "perform",
    "authorize",
    { status: 400, body: { error: "invalid_request" } },
    "refused invalid_request",
  ],
  [
    "a debit's refund that cannot be",
    "debits",
    "perform",
    "refund",
    { status: 409, body: { error: "not_refundable" } },
    "refused not_refundable",
  ],
  ["a prepared order", "rail", "perform", "prepare", { status: 201, body: instruction }, "PREPARED"],
  [
    "a refused order",
    "rail",
    "perform",
    "prepare",
    { status: 422, body: { reference: id, status: "REFUSED", reasonCode: "AC03" } },
    "refused REFUSED",
  ],
  [
    "a malformed order",
    "rail",
    "perform",
    "prepare",
    { status: 400, body: { error: "invalid_request" } },
    "refused invalid_request",
  ],
  ["400 to a release", "rail", "perform", "release", { status: 400, body: { error: "invalid_request" } }, "unknown"],
  [
    "a release",
    "rail",
    "perform",
    "release",
    { status: 202, body: { ...instruction, status: "RELEASED" } },
    "RELEASED",
  ],
  [
    "a release of what was paid, without the movement",
    "rail",
    "perform",
    "release",
    { status: 202, body: { ...instruction, status: "PAID" } },
    "unknown",
  ],
  ["a paid order", "rail", "ask", "release", { status: 200, body: paid }, "PAID"],
  [
    "a paid order in another currency",
    "rail",
    "ask",
    "release",
    { status: 200, body: { ...paid, payouts: [{ movementId: "m1", amount: "543.21", currency: "USD" }] } },
    "unknown",
  ],
  [
    "a returned order",
    "rail",
    "ask",
    "release",
    {
      status: 200,
      body: { ...paid, status: "RETURNED", returns: [{ movementId: "m2", amount: "543.21", currency: "BRL" }] },
    },
    "PAID RETURNED",
  ],
  [
    "a cancel that comes too late",
    "rail",
    "perform",
    "cancel",
    { status: 409, body: { error: "already_released", ...instruction, status: "RELEASED" } },
    "RELEASED",
  ],
  ["its own not found of a release", "rail", "ask", "release", { status: 404, body: { error: "not_found" } }, "absent"],
];

describe("the tables of the adapters", () => {
  let standIn: Awaited<ReturnType<typeof startStandIn>>;
  let providers: Readonly<Record<"acquirer" | "debits" | "rail", { provider: Provider; payment: Payment }>>;

  const callTo = (baseUrl: string): ProviderCall =>
    makeProviderCall({
      name: "provider",
      baseUrl,
      apiKey: "key",
      timeoutMs: 20_000,
      logger: makeLogger("tables", "error"),
      tracing: noTracing,
      metrics: makeMetrics("test"),
    });

  beforeAll(async () => {
    standIn = await startStandIn();
    // A way of its own for each call: a provider that fails ten times is left alone.
    const call: ProviderCall = (...words) => callTo(standIn.url)(...words);
    const common = { call, clock: systemClock, callbackSecret: "s".repeat(32) };
    const tokens = { open: () => Promise.resolve(undefined) };
    providers = {
      acquirer: { provider: makeAcquirer(common), payment: card },
      debits: { provider: makeDirectDebit({ ...common, tokens }), payment: debit },
      rail: { provider: makeRail({ ...common, manifest: railManifest("pix", 0) }), payment: push },
    };
  });
  afterAll(() => {
    standIn.server.closeAllConnections();
    standIn.server.close();
  });

  it.each(known)("read %s (%s, %s %s)", async (_name, name, approach, step, answer, word) => {
    const { provider, payment } = providers[name];
    standIn.say(answer);

    expect(wordOf(await provider[approach](payment, step))).toBe(word);
  });

  it.each(calls)("know nothing of what is strange: %s, %s %s", async (name, approach, step) => {
    const { provider, payment } = providers[name];
    const words = [];
    for (const answer of strange) {
      standIn.say(answer);
      words.push(wordOf(await provider[approach](payment, step)));
    }

    expect(words).toEqual(strange.map(() => "unknown"));
  });

  it("keep what the provider wrote beside the fact", async () => {
    standIn.say({ status: 201, body: authorization });
    const outcome = await providers.acquirer.provider.perform(card, "authorize");

    expect(outcome.kind === "facts" && outcome.facts[0].evidence?.raw).toBe(JSON.stringify(authorization));
  });

  it("send nothing for a turn whose time is over, which is before its lease ends", async () => {
    standIn.say({ status: 201, body: authorization });
    const before = standIn.calls();
    const late = { requestId: "r", deadlineMs: Date.now() - 1 };

    const outcome = await runInCall(late, () => providers.acquirer.provider.perform(card, "authorize"));

    expect(outcome).toEqual({ kind: "unknown" });
    expect(standIn.calls()).toBe(before);
    expect(turnBudgetMs).toBeLessThan(stepLeaseMs);
  });
});
