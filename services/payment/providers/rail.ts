import { notAReport, readSignedCallback, textOf } from "../../shared/callback-signature";
import type { Clock } from "../../shared/clock";
import type { JsonObject } from "../../shared/json";
import { formatMoney } from "../../shared/money";
import type { ProviderAnswer, ProviderCall } from "../../shared/provider-call";
import type { Payout } from "../domain/payment";
import type { PayoutReport, RailStatus } from "../domain/payout-report";
import type { Step } from "../domain/steps";
import type { Outcome, Provider } from "../ports";

export interface RailOptions {
  /** Name of the rail, a path segment. */
  name: string;
  call: ProviderCall;
  callbackSecret: string;
  /** The machine's clock: signatures age in real time. */
  clock: Clock;
  finalityWindowMs: number;
  /** False: the rail takes the whole instruction with the release, and is first called then. */
  hasPrepare: boolean;
}

const statuses: readonly RailStatus[] = [
  "PREPARED",
  "HELD",
  "REFUSED",
  "RELEASED",
  "PAID",
  "REJECTED",
  "RETURNED",
  "CANCELLED",
];
const unknown: Outcome = { kind: "unknown" };

/** A payout rail that is spoken to over HTTP and JSON. What it says is checked before it is believed. */
export function makeRail(options: RailOptions): Provider {
  const { name, call, hasPrepare, finalityWindowMs } = options;
  const place = (reference: string): string => `/rails/${name}/instructions/${encodeURIComponent(reference)}`;
  const perform = async (payout: Payout, step: Step): Promise<Outcome> => {
    const { reference } = payout;
    if (step === "prepare" && !hasPrepare) return reported(reference, "PREPARED");
    switch (step) {
      case "prepare":
        return outcomeOf(await call("POST", `/rails/${name}/instructions`, toBody(payout)), reference, true);
      case "release": {
        const body = hasPrepare ? undefined : toBody(payout);
        return outcomeOf(await call("POST", `${place(reference)}/release`, body), reference, !hasPrepare);
      }
      case "cancel":
        return outcomeOf(await call("POST", `${place(reference)}/cancel`), reference, false);
      default:
        return unknown;
    }
  };
  return {
    finalityWindowMs,
    perform: (payment, step) =>
      payment.payout === undefined ? Promise.resolve(unknown) : perform(payment.payout, step),
    async ask(payment, step) {
      const { payout } = payment;
      if (payout === undefined) return unknown;
      if (step === "prepare" && !hasPrepare) return reported(payout.reference, "PREPARED");
      return outcomeOf(await call("GET", place(payout.reference)), payout.reference, false);
    },
    readCallback(signature, body) {
      const report = readReport(readSignedCallback({ ...options, secret: options.callbackSecret }, signature, body));
      if (report === undefined) throw notAReport();
      return { reference: report.reference, report };
    },
  };
}

function toBody({ reference, amount, countryCode, method, account, ...words }: Payout): object {
  const { recipientName, recipientDocument, purpose, narrative } = words;
  return {
    reference,
    amount: formatMoney(amount),
    currency: amount.currency,
    countryCode,
    method,
    account,
    recipientName,
    recipientDocument,
    purpose,
    narrative,
  };
}

/** A rail that calls an instruction itself malformed has reserved nothing, and nothing will be released. */
function outcomeOf(answer: ProviderAnswer | undefined, reference: string, hasInstruction: boolean): Outcome {
  if (answer === undefined) return unknown;
  if (answer.status === 404) return { kind: "absent" };
  if (answer.status === 400 && hasInstruction) {
    return reported(reference, "REFUSED", "the rail does not take the instruction");
  }
  const report = readReport(answer.body);
  // A refusal and a conflict say where the instruction stands.
  const isExpected = answer.status < 300 || answer.status === 422 || answer.status === 409;
  return isExpected && report?.reference === reference ? { kind: "report", report } : unknown;
}

const reported = (reference: string, status: RailStatus, reason?: string): Outcome => ({
  kind: "report",
  report: { role: "payout", reference, status, railId: undefined, receipt: undefined, reason },
});

function readReport(value: JsonObject): PayoutReport | undefined {
  const status = statuses.find((candidate) => candidate === value["status"]);
  const reference = textOf(value, "reference");
  if (status === undefined || reference === undefined) return undefined;
  const facts = { railId: textOf(value, "railId"), receipt: textOf(value, "receipt"), reason: textOf(value, "reason") };
  return { role: "payout", reference, status, ...facts };
}
