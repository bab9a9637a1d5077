import { makeAcquirer } from "../../../services/payment/adapters/acquirer/collections";
import { makeDirectDebit } from "../../../services/payment/adapters/direct-debit/collections";
import { railManifest } from "../../../services/payment/adapters/rail/manifest";
import { makeRail } from "../../../services/payment/adapters/rail/payouts";
import type { Payment } from "../../../services/payment/domain/payment";
import { stepLeaseMs, turnBudgetMs } from "../../../services/payment/domain/steps";
import type { Outcome, Provider } from "../../../services/payment/ports";
import type { ProviderCall } from "../../../services/shared/http/provider-call";
import { systemClock } from "../../../services/shared/kernel/clock";
import { runInCall } from "../../../services/shared/process/call-context";
import { authorization, card, debit, push } from "../../data/payments/answer-parts";
import { calls, known, strange } from "../../data/payments/answer-rows";
import { callTo, type StandIn, startStandIn } from "../../support/stand-in";

const wordOf = (outcome: Outcome): string => {
  if (outcome.kind === "facts") return outcome.facts.map(({ kind }) => kind).join(" ");
  return outcome.kind === "refused" ? `refused ${outcome.refusal.code}` : outcome.kind;
};

describe("the tables of the adapters", () => {
  let standIn: StandIn;
  let providers: Readonly<Record<"acquirer" | "debits" | "rail", { provider: Provider; payment: Payment }>>;

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
    standIn.stop();
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

  it.each(known.filter(([, , , , { body }]) => "reference" in Object(body)))(
    "know nothing of %s when it is about another order (%s, %s %s)",
    async (_name, name, approach, step, { status, body }) => {
      const { provider, payment } = providers[name];
      standIn.say({ status, body: { ...Object(body), reference: "somebody-else" } });

      expect(wordOf(await provider[approach](payment, step))).toBe("unknown");
    },
  );

  it("keep what the provider wrote beside the fact", async () => {
    standIn.say({ status: 201, body: authorization });
    const outcome = await providers.acquirer.provider.perform(card, "authorize");

    expect(outcome.kind === "facts" && outcome.facts[0].evidence?.raw).toBe(JSON.stringify(authorization));
  });

  it("keep no card number that the provider wrote, in the fact or beside it", async () => {
    const whole = "4111111111111111";
    const told = { bin: whole, binNumber: whole, lastFour: whole, issuer: `Bank ${whole}`, scheme: "VISA" };
    standIn.say({ status: 201, body: { ...authorization, message: whole, authCode: whole, card: told } });
    const outcome = await providers.acquirer.provider.perform(card, "authorize");

    expect(outcome).toMatchObject({ kind: "facts", facts: [{ details: { card: { bin: "", scheme: "VISA" } } }] });
    expect(
      JSON.stringify(outcome, (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value)),
    ).not.toContain(whole);
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
