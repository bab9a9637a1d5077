import { notAReport, readSignedCallback, textOf } from "../../shared/callback-signature";
import type { Clock } from "../../shared/clock";
import type { JsonObject } from "../../shared/json";
import { formatMoney } from "../../shared/money";
import type { ProviderAnswer, ProviderCall } from "../../shared/provider-call";
import type { Payment } from "../domain/payment";
import type { ScreeningReport } from "../domain/report";
import type { Outcome, Provider } from "../ports";

export interface ScreeningOptions {
  call: ProviderCall;
  callbackSecret: string;
  clock: Clock;
}

const decisions: readonly ScreeningReport["status"][] = ["APPROVED", "REVIEW", "REJECTED"];
const unknown: Outcome = { kind: "unknown" };

/** The screening of payments over HTTP and JSON: it judges each payment once. */
export function makeScreening(options: ScreeningOptions): Provider {
  const { call } = options;
  return {
    finalityWindowMs: 0,
    async perform(payment) {
      return outcomeOf(await call("POST", "/screening/payments", toBody(payment)), payment.id);
    },
    async ask({ id }) {
      return outcomeOf(await call("GET", `/screening/payments/${encodeURIComponent(id)}`), id);
    },
    readCallback(signature, body) {
      const value = readSignedCallback({ ...options, secret: options.callbackSecret }, signature, body);
      const report = readDecision(value, value["status"]);
      if (report === undefined) throw notAReport();
      return { reference: report.reference, report };
    },
  };
}

const toBody = ({ id, tenant, payout, amount }: Payment): object => ({
  reference: id,
  tenant,
  amount: formatMoney(payout?.amount ?? amount),
  currency: (payout?.amount ?? amount).currency,
  recipientName: payout?.recipientName ?? "",
  recipientCountry: payout?.countryCode ?? "",
  narrative: payout?.narrative ?? "",
});

function outcomeOf(answer: ProviderAnswer | undefined, reference: string): Outcome {
  if (answer === undefined) return unknown;
  if (answer.status === 404) return { kind: "absent" };
  const report = readDecision(answer.body, answer.body["decision"]);
  return answer.status < 300 && report?.reference === reference ? { kind: "report", report } : unknown;
}

function readDecision(value: JsonObject, word: unknown): ScreeningReport | undefined {
  const status = decisions.find((candidate) => candidate === word);
  const reference = textOf(value, "reference");
  if (status === undefined || reference === undefined) return undefined;
  return { role: "screening", reference, status, reason: textOf(value, "reason") };
}
