import { notAReport, readSignedCallback, textOf } from "../../../shared/crypto/callback-signature";
import type { ProviderCall } from "../../../shared/http/provider-call";
import type { Clock } from "../../../shared/kernel/clock";
import { DomainError } from "../../../shared/kernel/errors";
import type { JsonObject } from "../../../shared/kernel/json";
import { formatMoney } from "../../../shared/kernel/money";
import type { ProviderVerdict } from "../../domain/payment-decision";
import type { PaymentScreener, ScreenedPayment } from "../../ports";

export interface ScreeningProviderOptions {
  call: ProviderCall;
  callbackSecret: string;
  /** Real time, by which signatures expire. */
  clock: Clock;
}

const statuses: readonly ProviderVerdict["status"][] = ["APPROVED", "REVIEW", "REJECTED"];

/** The screening of payments over HTTP and JSON. */
export function makeScreeningProvider({ call, callbackSecret, clock }: ScreeningProviderOptions): PaymentScreener {
  return {
    async screen(payment) {
      const answer = await call("POST", "/screening/payments", toBody(payment));
      const said = answer !== undefined && answer.status < 300 ? readVerdict(answer.body, "decision") : undefined;
      if (said?.paymentId !== payment.paymentId) {
        throw new DomainError("UNAVAILABLE", "the screening provider does not answer");
      }
      return said.verdict;
    },
    async ask(paymentId) {
      const answer = await call("GET", `/screening/payments/${encodeURIComponent(paymentId)}`);
      const said = answer?.status === 200 ? readVerdict(answer.body, "decision") : undefined;
      return said?.paymentId === paymentId ? said.verdict : undefined;
    },
    readReport(signature, body) {
      const report = readVerdict(
        readSignedCallback({ provider: "screening", secret: callbackSecret, clock }, signature, body).value,
        "status",
      );
      if (report === undefined) throw notAReport();
      return report;
    },
  };
}

const toBody = ({
  paymentId,
  tenant,
  amount,
  recipientName,
  recipientCountry,
  narrative,
}: ScreenedPayment): object => ({
  reference: paymentId,
  tenant,
  amount: formatMoney(amount),
  currency: amount.currency,
  recipientName,
  recipientCountry,
  narrative,
});

function readVerdict(value: JsonObject, field: string): { paymentId: string; verdict: ProviderVerdict } | undefined {
  const status = statuses.find((candidate) => candidate === value[field]);
  const paymentId = textOf(value, "reference");
  if (status === undefined || paymentId === undefined) return undefined;
  return { paymentId, verdict: { status, reason: textOf(value, "reason") } };
}
