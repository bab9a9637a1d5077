import { notAReport, readSignedCallback, textOf } from "../../shared/callback-signature";
import type { Clock } from "../../shared/clock";
import type { JsonObject } from "../../shared/json";
import { formatMoney, money } from "../../shared/money";
import type { ProviderAnswer, ProviderCall } from "../../shared/provider-call";
import type { Payment } from "../domain/payment";
import type { PullFacts, PullReport, PullStatus } from "../domain/pull-report";
import { runningRefund } from "../domain/reversal";
import type { AccountTokens, Outcome, Provider } from "../ports";
import { stepReference } from "./acquirer";

export interface DebitsOptions {
  call: ProviderCall;
  callbackSecret: string;
  clock: Clock;
  tokens: AccountTokens;
}

const unknown: Outcome = { kind: "unknown" };
const absent: Outcome = { kind: "absent" };

const statuses: Readonly<Record<string, PullStatus>> = {
  ACCEPTED: "CAPTURED",
  SETTLED: "SETTLED",
  RETURNED: "RETURNED",
  REJECTED: "DECLINED",
};

/**
 * Bank accounts by direct debit over HTTP and JSON. An accepted debit is authorised and collected in one, so both steps are
 * the same call under the payment's id; a rejected one is as good as declined.
 */
export function makeDebits(options: DebitsOptions): Provider {
  const { call, tokens } = options;
  const place = ({ id }: Payment): string => `/debits/${encodeURIComponent(id)}`;
  return {
    finalityWindowMs: 0,
    async perform(payment, step) {
      if (step === "authorize" || step === "capture") {
        const account = await accountOf(tokens, payment);
        if (account === undefined) return reported(payment, "DECLINED", "the account token is not known any more", {});
        return debit(await call("POST", "/debits", { ...toOrder(payment), ...account }), payment);
      }
      if (step !== "refund") return unknown;
      return refunded(await call("POST", `${place(payment)}/refunds`, toRefund(payment)), payment);
    },
    async ask(payment, step) {
      const answer = await call("GET", place(payment));
      if (step !== "refund") return debit(answer, payment);
      if (answer === undefined) return unknown;
      const refunds = answer.body["refunds"];
      const key = stepReference(payment, "refund");
      const isThere = Array.isArray(refunds) && refunds.some((one) => Object(one)["reference"] === key);
      return isThere ? reported(payment, "REFUNDED", undefined, {}) : absent;
    },
    readCallback(signature, body) {
      const value = readSignedCallback({ ...options, secret: options.callbackSecret }, signature, body);
      const reference = textOf(value, "reference");
      const status = statuses[textOf(value, "status") ?? ""];
      if (reference === undefined || status === undefined) throw notAReport();
      const report: PullReport = { role: "pull", reference, status, reason: textOf(value, "reason"), facts: {} };
      return { reference, report };
    },
  };
}

/** The account as the scheme takes it. Undefined when its token has been revoked meanwhile. */
async function accountOf(tokens: AccountTokens, { tenant, pull }: Payment): Promise<object | undefined> {
  const source = pull?.source;
  if (source?.kind === "bank") {
    const { routingNumber, accountNumber, accountType, holder } = source;
    return { account: { routingNumber, accountNumber, accountType, holder } };
  }
  const accessToken = source?.kind === "account" ? await tokens.open(tenant, source.token) : undefined;
  return accessToken;
}

const toOrder = ({ id, amount }: Payment): object => ({
  reference: id,
  amount: formatMoney(amount),
  currency: amount.currency,
});

const toRefund = (payment: Payment): object => ({
  reference: stepReference(payment, "refund"),
  amount: formatMoney(money(runningRefund(payment.refunds)?.minor ?? 0n, payment.amount.currency)),
});

function debit(answer: ProviderAnswer | undefined, payment: Payment): Outcome {
  if (answer === undefined) return unknown;
  if (answer.status === 404) return absent;
  if (answer.status === 400) return reported(payment, "DECLINED", "the scheme does not take the debit", {});
  const status = statuses[textOf(answer.body, "status") ?? ""];
  const isOurs = textOf(answer.body, "reference") === payment.id;
  const isExpected = answer.status < 300 || answer.status === 422;
  if (!isExpected || status === undefined || !isOurs) return unknown;
  return reported(payment, status, textOf(answer.body, "reason"), factsOf(answer.body));
}

function factsOf(body: JsonObject): PullFacts {
  const providerId = textOf(body, "debitId");
  return providerId === undefined ? {} : { providerId };
}

function refunded(answer: ProviderAnswer | undefined, payment: Payment): Outcome {
  if (answer === undefined) return unknown;
  if (answer.status === 404) return absent;
  const isDone = answer.status < 300;
  return reported(payment, isDone ? "REFUNDED" : "REFUSED", textOf(answer.body, "error"), {});
}

const reported = (payment: Payment, status: PullStatus, reason: string | undefined, facts: PullFacts): Outcome => ({
  kind: "report",
  report: { role: "pull", reference: payment.id, status, reason, facts },
});
