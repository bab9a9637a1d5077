import { CaseKind, CaseState } from "../../proto/gen/corridor/payment/v1/case_service";
import type { ProviderFact } from "../../proto/gen/corridor/payment/v1/payment_service";
import type { Upstreams } from "../clients";
import type { Answered } from "../contract/infer";
import { amount, answer, instant, listOf, orNull, text } from "../contract/parts";
import { amountJson } from "../render-amount";
import { renderTimeline, timelineMembers } from "../routes/payment-timeline";
import { caseSummary, renderCaseSummary } from "./case-routes";

const fact = answer("ProviderFact", "What a provider has said to be so.", {
  provider: text("Name of the provider."),
  kind: text("What it is, such as CAPTURED or PAID."),
  reference: text("Our reference at the provider."),
  movementId: text("The provider's id of the movement, else our key of the step."),
  amount: { ...orNull(amount), title: "ProviderFactAmount" },
  providerAt: orNull(instant("When it happened, by the provider's clock; null where it does not say.")),
  at: orNull(instant("When it was learnt.")),
  evidenceHash: orNull(text("SHA-256 of what the provider wrote, 64 hex digits; null where nothing was written.")),
  evidence: orNull(text("What the provider wrote. Only the role compliance sees it, while it is kept.")),
});

export const operatorTimeline = answer("OperatorPaymentTimeline", "Everything that happened to a payment.", {
  ...timelineMembers,
  facts: listOf("What providers have said, in the order in which it was learnt.", fact),
  cases: listOf("What a person had to put right, the oldest first, at most 200.", caseSummary),
});

const mostCases = 200;

/** Returns the full history of a payment, including messages of providers and its cases. Throws PAYMENT_NOT_FOUND. */
export async function readOperatorTimeline(
  upstreams: Pick<Upstreams, "payment" | "webhook">,
  tenant: string,
  asked: { externalPaymentId: string; paymentId: string; withEvidence: boolean },
): Promise<Answered<typeof operatorTimeline>> {
  const { externalPaymentId, paymentId, withEvidence } = asked;
  const any = { state: CaseState.UNSPECIFIED, kind: CaseKind.UNSPECIFIED, tenant: "", provider: "" };
  const [found, { cases }] = await Promise.all([
    upstreams.payment.getTimeline({ tenant, externalPaymentId, withEvidence }),
    upstreams.payment.listCases({ ...any, paymentId, after: undefined, limit: mostCases }),
  ]);
  const told = await renderTimeline(upstreams, tenant, found);
  return { ...told, facts: found.facts.map(renderFact), cases: cases.map(renderCaseSummary) };
}

const renderFact = ({ amount: moved, ...said }: ProviderFact): Answered<typeof fact> => ({
  ...said,
  amount: moved === undefined ? null : amountJson(moved),
  providerAt: said.providerAt ?? null,
  at: said.at ?? null,
  evidenceHash: said.evidenceHash ?? null,
  evidence: said.evidence ?? null,
});
