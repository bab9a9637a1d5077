import { notAReport, readSignedCallback, textOf } from "../../shared/callback-signature";
import type { Clock } from "../../shared/clock";
import type { JsonObject, JsonValue } from "../../shared/json";
import { formatMoney, money } from "../../shared/money";
import type { ProviderAnswer, ProviderCall } from "../../shared/provider-call";
import type { CardFacts, Payment } from "../domain/payment";
import type { PullFacts, PullReport, PullStatus } from "../domain/pull-report";
import { runningRefund } from "../domain/reversal";
import type { Step } from "../domain/steps";
import type { Outcome, Provider } from "../ports";

export interface AcquirerOptions {
  call: ProviderCall;
  callbackSecret: string;
  clock: Clock;
}

const unknown: Outcome = { kind: "unknown" };
const absent: Outcome = { kind: "absent" };

/** Our own key of a step: what the acquirer knows a capture, void or refund by. */
export const stepReference = (payment: Payment, step: Step): string =>
  step === "refund" ? (runningRefund(payment.refunds)?.id ?? payment.id) : `${payment.id}.${step}`;

/** Cards through an acquirer over HTTP and JSON. An authorisation goes by the payment's id, what follows by its step's key. */
export function makeAcquirer(options: AcquirerOptions): Provider {
  const { call } = options;
  const place = ({ id }: Payment): string => `/acquirer/authorizations/${encodeURIComponent(id)}`;
  return {
    finalityWindowMs: 0,
    async perform(payment, step) {
      switch (step) {
        case "authorize":
          return authorization(await call("POST", "/acquirer/authorizations", toOrder(payment)), payment);
        case "capture":
        case "void":
        case "refund":
          return done(await call("POST", `${place(payment)}${paths[step]}`, toStep(payment, step)), payment, step);
        default:
          return unknown;
      }
    },
    async ask(payment, step) {
      const answer = await call("GET", place(payment));
      return step === "authorize" ? authorization(answer, payment) : found(answer, payment, step);
    },
    readCallback(signature, body) {
      const value = readSignedCallback({ ...options, secret: options.callbackSecret }, signature, body);
      const reference = textOf(value, "reference");
      if (reference === undefined) throw notAReport();
      // The outcome of a challenge comes without the card's facts: the acquirer is asked for all of it.
      return { reference, report: undefined };
    },
  };
}

const paths = { capture: "/capture", void: "/void", refund: "/refunds" } as const;

function toOrder({ id, pull, amount, ipAddress, payer, payout }: Payment): object {
  const { stateCode, city, line1, line2, zipCode, countryCode } = payer;
  return {
    reference: id,
    cardToken: pull?.source.kind === "card" ? pull.source.token : "",
    amount: formatMoney(amount),
    currency: amount.currency,
    capture: false,
    ipAddress,
    billing: { stateCode, city, line1, line2, zipCode, countryCode },
    ...(payout === undefined ? {} : { narrative: payout.narrative }),
  };
}

function toStep(payment: Payment, step: "capture" | "void" | "refund"): object {
  const reference = stepReference(payment, step);
  const { amount, pull, refunds } = payment;
  if (step === "void") return { reference };
  const minor = step === "capture" ? (pull?.captureMinor ?? 0n) : (runningRefund(refunds)?.minor ?? 0n);
  return { reference, amount: formatMoney(money(minor, amount.currency)) };
}

const authorizationStatus: Readonly<Record<string, PullStatus>> = {
  AUTHORIZED: "AUTHORIZED",
  CAPTURED: "AUTHORIZED",
  CHALLENGE: "CHALLENGE",
  DECLINED: "DECLINED",
  EXPIRED: "DECLINED",
};

function authorization(answer: ProviderAnswer | undefined, payment: Payment): Outcome {
  if (answer === undefined) return unknown;
  if (answer.status === 404) return absent;
  if (answer.status === 400 || answer.status === 422) {
    // A token that the acquirer does not know can never be charged.
    return reported(payment, "DECLINED", textOf(answer.body, "error") ?? "refused by the acquirer", {});
  }
  const status = authorizationStatus[textOf(answer.body, "status") ?? ""];
  const isOurs = textOf(answer.body, "reference") === payment.id;
  if (answer.status >= 300 || status === undefined || !isOurs) return unknown;
  return reported(payment, status, textOf(answer.body, "message"), factsOf(answer.body));
}

const doneStatus = { capture: "CAPTURED", void: "VOIDED", refund: "REFUNDED" } as const;

function done(answer: ProviderAnswer | undefined, payment: Payment, step: "capture" | "void" | "refund"): Outcome {
  if (answer === undefined) return unknown;
  if (answer.status === 404) return absent;
  if (answer.status < 300) return reported(payment, doneStatus[step], textOf(answer.body, "message"), {});
  if (step === "void" && holdsNothing(answer.body)) return reported(payment, "VOIDED", undefined, {});
  return reported(payment, "REFUSED", textOf(answer.body, "error") ?? "refused by the acquirer", {});
}

/** Whether the authorisation, as the acquirer shows it, has the step in it. */
function found(answer: ProviderAnswer | undefined, payment: Payment, step: Step): Outcome {
  if (answer === undefined || answer.status >= 500) return unknown;
  if (answer.status === 404) return absent;
  const { body } = answer;
  const key = stepReference(payment, step);
  if (step === "void") {
    return holdsNothing(body) ? reported(payment, "VOIDED", undefined, {}) : absent;
  }
  if (step === "capture") return has(body["captures"], key) ? reported(payment, "CAPTURED", undefined, {}) : absent;
  return has(body["refunds"], key) ? reported(payment, "REFUNDED", undefined, {}) : absent;
}

/** True for an authorisation of which nothing is held any more. */
const holdsNothing = (body: JsonObject): boolean =>
  ["VOIDED", "EXPIRED", "DECLINED"].includes(textOf(body, "status") ?? "");

const has = (list: JsonValue | undefined, reference: string): boolean =>
  Array.isArray(list) && list.some((one) => isObject(one) && one["reference"] === reference);

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  value !== null && typeof value === "object" && !Array.isArray(value);

const reported = (payment: Payment, status: PullStatus, reason: string | undefined, facts: PullFacts): Outcome => ({
  kind: "report",
  report: { role: "pull", reference: payment.id, status, reason, facts } satisfies PullReport,
});

function factsOf(body: JsonObject): PullFacts {
  const entries = {
    providerId: textOf(body, "acquirerId"),
    authCode: textOf(body, "authCode"),
    responseCode: textOf(body, "responseCode"),
    message: textOf(body, "message"),
    acsUrl: textOf(body, "redirectAcsUrl"),
    avs: textOf(body, "avs"),
    cvc: textOf(body, "cvc"),
    card: cardOf(body["card"]),
  };
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined));
}

function cardOf(value: JsonValue | undefined): CardFacts | undefined {
  if (!isObject(value)) return undefined;
  const own = (name: string): string => textOf(value, name) ?? "";
  return {
    bin: own("bin"),
    binNumber: own("binNumber"),
    lastFour: own("lastFour"),
    scheme: own("scheme"),
    issuer: own("issuer"),
    country: own("country"),
    countryName: own("countryName"),
    type: own("type"),
    category: own("category"),
    currency: own("currency"),
  };
}
