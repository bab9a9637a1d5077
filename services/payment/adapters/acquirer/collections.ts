import { notAReport, readSignedCallback, textOf } from "../../../shared/crypto/callback-signature";
import { isPage, type ProviderCall } from "../../../shared/http/provider-call";
import type { Clock } from "../../../shared/kernel/clock";
import type { JsonObject } from "../../../shared/kernel/json";
import { formatMoney, money } from "../../../shared/kernel/money";
import { readReasonCode } from "../../../shared/kernel/reason-codes";
import type { CardFacts, Evidence, PullDetails, PullFact, Reason } from "../../domain/fact";
import type { Payment } from "../../domain/payment";
import { narrativeOf } from "../../domain/payout-instruction";
import { runningRefund } from "../../domain/reversal";
import { senderDetailsOf } from "../../domain/sender-details";
import { stepReference } from "../../domain/step-reference";
import type { Step } from "../../domain/steps";
import { differenceTo } from "../../domain/totals";
import type { Provider } from "../../ports";
import {
  type AnswerRow,
  evidenceOf,
  factsOutcome,
  isObject,
  listOf,
  moneyIn,
  notFoundRow,
  readAnswer,
  reasonOf,
  refusalRow,
  refusedBy,
  timeOf,
  toldApart,
  wordsOf,
} from "../answers";
import { binOf, lastFourOf } from "./card-digits";
import { acquirerManifest, notCapturable, notRefundable, wrongAmount, wrongState, wrongToken } from "./manifest";

export interface AcquirerOptions {
  call: ProviderCall;
  callbackSecret: string;
  clock: Clock;
}

type LaterStep = "capture" | "void" | "refund";

const provider = acquirerManifest.name;

/** Collects from cards through an acquirer, over HTTP and JSON. */
export function makeAcquirer(options: AcquirerOptions): Provider {
  const { call } = options;
  const place = ({ id }: Payment): string => `/acquirer/authorizations/${encodeURIComponent(id)}`;
  return {
    manifest: acquirerManifest,
    async perform(payment, step) {
      switch (step) {
        case "authorize":
          return readAnswer(
            await call("POST", "/acquirer/authorizations", toOrder(payment)),
            acquirerTables.authorize(payment),
          );
        case "capture":
        case "void":
        case "refund": {
          const answer = await call("POST", `${place(payment)}${paths[step]}`, toStep(payment, step));
          return readAnswer(answer, acquirerTables[step](payment));
        }
        default:
          return { kind: "unknown" };
      }
    },
    async ask(payment, step) {
      return readAnswer(await call("GET", place(payment)), askTable(payment, step));
    },
    readCallback(signature, body) {
      const { value } = readSignedCallback({ ...options, provider, secret: options.callbackSecret }, signature, body);
      const reference = textOf(value, "reference");
      if (reference === undefined) throw notAReport();
      // A report does not include the card's details, so the acquirer is asked for the whole authorisation.
      const evidence = evidenceOf(body.toString("utf8"));
      const strayFacts = movementsOf(value, { id: reference, currency: textOf(value, "currency") ?? "" }, evidence);
      return { reference, facts: [], strayFacts, at: timeOf(value, "occurredAt", "at"), evidence };
    },
  };
}

const paths = { capture: "/capture", void: "/void", refund: "/refunds" } as const;

function toOrder(payment: Payment): object {
  const { id, pull, amount, ipAddress, payout } = payment;
  const { stateCode, city, line1, line2, zipCode, countryCode } = senderDetailsOf(payment);
  // Fields that the caller did not give are not sent: the acquirer would check an empty address and find it correct.
  const given = Object.entries({ stateCode, city, line1, line2, zipCode, countryCode }).filter(
    ([, text]) => text !== "",
  );
  return {
    reference: id,
    cardToken: pull?.source.kind === "card" ? pull.source.token : "",
    amount: formatMoney(amount),
    currency: amount.currency,
    capture: false,
    ipAddress,
    ...(given.some(([field]) => field !== "countryCode") ? { billing: Object.fromEntries(given) } : {}),
    ...(payout === undefined ? {} : { narrative: narrativeOf(payout) }),
  };
}

function toStep(payment: Payment, step: LaterStep): object {
  const reference = stepReference(payment, step);
  const { amount, pull, refunds } = payment;
  if (step === "void") return { reference };
  const minor = step === "capture" ? (pull?.captureMinor ?? 0n) : (runningRefund(refunds)?.minor ?? 0n);
  return { reference, amount: formatMoney(money(minor, amount.currency)), currency: amount.currency };
}

/** Statuses of an authorisation that no longer holds anything. */
const nothingHeld: readonly string[] = ["VOIDED", "EXPIRED", "DECLINED"];
const holdsNothing = (body: JsonObject): boolean => nothingHeld.includes(textOf(body, "status") ?? "");

const authorizeTable = (payment: Payment): readonly AnswerRow[] => [
  { status: [200, 201], read: (body, evidence) => factsOutcome(allFacts(body, payment, evidence)) },
  refusalRow(422, payment.id, wrongToken),
];

const doneKind = { capture: "CAPTURED", void: "VOIDED", refund: "REFUNDED" } as const;

function stepTable(payment: Payment, step: LaterStep): readonly AnswerRow[] {
  const key = stepReference(payment, step);
  const done: AnswerRow = {
    status: [200, 201],
    read(body, evidence) {
      if (textOf(body, "status") !== doneKind[step] || textOf(body, "reference") !== key) return undefined;
      const facts =
        step === "void"
          ? voided(body, payment, evidence)
          : movement(body, body, orderIn(payment), doneKind[step], evidence);
      return facts === undefined ? undefined : { kind: "facts", facts: [facts] };
    },
  };
  const common = [done, notFoundRow(key)];
  switch (step) {
    case "capture":
      // The payment was captured under another key, so the acquirer is asked what it has collected.
      return [
        ...common,
        refusalRow(409, key, notCapturable, holdsNothing, { status: "VOIDED" }),
        refusalRow(422, key, wrongAmount),
      ];
    case "void":
      return [
        ...common,
        {
          status: [409],
          told: { codes: [wrongState.void], beside: { status: "VOIDED", reference: key }, isDone: true },
          read(body, evidence) {
            const isOurs = textOf(body, "error") === wrongState.void && textOf(body, "reference") === key;
            return isOurs && holdsNothing(body)
              ? { kind: "facts", facts: [voided(body, payment, evidence)] }
              : undefined;
          },
        },
      ];
    case "refund":
      return [...common, refusalRow(409, key, notRefundable), refusalRow(422, key, wrongAmount)];
  }
}

/** Tables that say what every answer to a call means. */
export const acquirerTables = {
  authorize: authorizeTable,
  capture: (payment: Payment) => stepTable(payment, "capture"),
  void: (payment: Payment) => stepTable(payment, "void"),
  refund: (payment: Payment) => stepTable(payment, "refund"),
} as const;

/**
 * Finds out whether the authorisation, as the acquirer shows it, includes the step. Everything else that it says about money is reported
 * too.
 */
const askTable = (payment: Payment, step: Step): readonly AnswerRow[] => [
  {
    status: [200],
    read(body, evidence) {
      const facts = allFacts(body, payment, evidence);
      if (facts === undefined) return undefined;
      if (hasStep(facts, payment, step)) return factsOutcome(facts);
      if (step === "capture" && holdsNothing(body)) {
        return refusedBy(notCapturable, wrongState.capture, whyDeclined(body), evidence);
      }
      return { kind: "absent", facts };
    },
  },
  notFoundRow(payment.id),
];

function hasStep(facts: readonly PullFact[], payment: Payment, step: Step): boolean {
  const has = (kind: PullFact["kind"]): boolean => facts.some((fact) => fact.kind === kind);
  switch (step) {
    case "authorize":
      return true;
    case "capture":
      return has("CAPTURED");
    case "void":
      return has("VOIDED") || has("DECLINED") || has("CAPTURED");
    default: {
      const key = stepReference(payment, step);
      return facts.some((fact) => {
        if (fact.kind !== "REFUNDED") return false;
        return fact.isTotal === true ? differenceTo(payment, fact).kind === "fact" : fact.stepReference === key;
      });
    }
  }
}

/** Returns every fact in an authorisation; undefined unless it is ours, in our currency, and each part of it is understood. */
function allFacts(body: JsonObject, payment: Payment, evidence: Evidence): readonly PullFact[] | undefined {
  const amount = moneyIn(body, payment.amount.currency);
  if (textOf(body, "reference") !== payment.id || amount === undefined) return undefined;
  const first = standing(body, payment, evidence);
  if (body["totals"] !== undefined) return withTotals(first, body, payment, evidence);
  const apart = movementsOf(body, orderIn(payment), evidence);
  if (first === undefined || apart === undefined) return undefined;
  return isOver(first) ? [...apart, first] : [first, ...apart];
}

/** Returns the movements that an authorisation lists; undefined unless each of them is understood. */
function movementsOf(body: JsonObject, order: Order, evidence: Evidence): readonly PullFact[] | undefined {
  const [captures, refunds, chargebacks] = [
    listOf(body, "captures"),
    listOf(body, "refunds"),
    listOf(body, "chargebacks"),
  ];
  if (captures === undefined || refunds === undefined || chargebacks === undefined) return undefined;
  const moved = [
    ...captures.map((one) => movement(one, body, order, "CAPTURED", evidence)),
    ...refunds.map((one) => movement(one, body, order, "REFUNDED", evidence)),
    ...chargebacks.map((one) => movement(one, body, order, "CHARGED_BACK", evidence)),
  ];
  return moved.every((one) => one !== undefined) ? toldApart(moved) : undefined;
}

/** True for a fact that ended an authorisation. It is reported after what the authorisation collected and gave back. */
const isOver = ({ kind }: PullFact): boolean => kind === "VOIDED" || kind === "DECLINED";

const totalsOf = { captured: "CAPTURED", refunded: "REFUNDED", chargedBack: "CHARGED_BACK" } as const;

/** Adds totals: an acquirer may report how much was collected, refunded and disputed so far instead of the movements. */
function withTotals(
  first: PullFact | undefined,
  body: JsonObject,
  payment: Payment,
  evidence: Evidence,
): readonly PullFact[] | undefined {
  const { totals, status, currency = "" } = body;
  if (first === undefined || !isObject(totals)) return undefined;
  const told = Object.entries(totalsOf).map(([name, kind]): PullFact | undefined => {
    const amount = moneyIn({ amount: totals[name] ?? "0", currency }, payment.amount.currency);
    return amount && { ...factBase(payment.id, evidence), kind, amount, isTotal: true, providerAt: timeOf(body, "at") };
  });
  if (!told.every((one) => one !== undefined)) return undefined;
  // A total of 0 says that nothing of its kind has moved, so it is dropped unless something was known to have moved.
  const moved = told.filter(({ kind, amount }) => amount?.minor !== 0n || hasKept(payment, kind));
  if (status === "CAPTURED" && !moved.some(({ kind }) => kind === "CAPTURED")) return undefined;
  return isOver(first) ? [...moved, first] : [first, ...moved];
}

const hasKept = ({ facts }: Payment, kind: PullFact["kind"]): boolean => facts.some((kept) => kept.kind === kind);

const standings: Readonly<Record<string, PullFact["kind"] | undefined>> = {
  AUTHORIZED: "AUTHORIZED",
  CAPTURED: "AUTHORIZED",
  CHALLENGE: "CHALLENGED",
  DECLINED: "DECLINED",
  EXPIRED: "VOIDED",
  VOIDED: "VOIDED",
};

/** Returns the status of the authorisation. One that was never known to be approved, and that holds nothing, was declined. */
function standing(body: JsonObject, payment: Payment, evidence: Evidence): PullFact | undefined {
  const known = standings[textOf(body, "status") ?? ""];
  const kind = known === "VOIDED" && payment.pull?.authorizedAt === undefined ? "DECLINED" : known;
  const details = detailsOf(body);
  if (kind === undefined || (kind === "CHALLENGED" && !isPage(details.acsUrl ?? ""))) return undefined;
  const isCaptured = body["status"] === "CAPTURED" && body["totals"] === undefined;
  if (isCaptured && (listOf(body, "captures") ?? []).length === 0) return undefined;
  const base = factBase(payment.id, evidence);
  const movementId = textOf(body, "acquirerId");
  const amount = kind === "AUTHORIZED" ? moneyIn(body, payment.amount.currency) : undefined;
  return {
    ...base,
    kind,
    movementId,
    amount,
    reason: whyDeclined(body),
    providerAt: timeOf(body, "createdAt"),
    details,
  };
}

/** Returns the reason that the issuer's response code gives; an approval code gives none. */
function whyDeclined(body: JsonObject): Reason | undefined {
  const told = reasonOf(body);
  const response = readReasonCode(textOf(body, "responseCode"));
  const code = told?.code ?? (response === "00" ? undefined : response);
  return code === undefined ? told : { code, text: told?.text };
}

const factBase = (reference: string, evidence: Evidence) => ({ role: "pull", provider, reference, evidence }) as const;

/** What the movements belong to: our reference, and the currency that was asked for. */
interface Order {
  id: string;
  currency: string;
}

const orderIn = ({ id, amount: { currency } }: Payment): Order => ({ id, currency });

/** Reads a capture, a refund or a dispute from an answer of its own, or from the list of an authorisation, whose currency it then has. */
function movement(
  body: JsonObject,
  whole: JsonObject,
  { id, currency: asked }: Order,
  kind: PullFact["kind"],
  evidence: Evidence,
): PullFact | undefined {
  const key = textOf(body, "reference");
  const currency = body["currency"] ?? whole["currency"] ?? "";
  const amount = moneyIn({ ...body, currency }, asked);
  if (key === undefined || amount === undefined || amount.minor === 0n) return undefined;
  return {
    ...factBase(id, evidence),
    kind,
    stepReference: key,
    movementId: textOf(body, "movementId"),
    amount,
    providerAt: timeOf(body, "at"),
  };
}

const voided = (body: JsonObject, payment: Payment, evidence: Evidence): PullFact => ({
  ...factBase(payment.id, evidence),
  kind: "VOIDED",
  stepReference: stepReference(payment, "void"),
  reason: reasonOf(body),
  providerAt: timeOf(body, "voidedAt", "at"),
});

function detailsOf(body: JsonObject): PullDetails {
  const card = cardOf(body["card"]);
  const entries = {
    providerId: textOf(body, "acquirerId"),
    authCode: wordsOf(body, "authCode"),
    responseCode: wordsOf(body, "responseCode"),
    message: wordsOf(body, "message"),
    acsUrl: textOf(body, "redirectAcsUrl"),
    avs: wordsOf(body, "avs"),
    cvc: wordsOf(body, "cvc"),
  };
  const known = Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined));
  return card === undefined ? known : { ...known, card };
}

function cardOf(value: JsonObject[string] | undefined): CardFacts | undefined {
  if (!isObject(value)) return undefined;
  const own = (name: string): string => wordsOf(value, name) ?? "";
  return {
    bin: binOf(value, "bin"),
    binNumber: binOf(value, "binNumber"),
    lastFour: lastFourOf(value),
    scheme: own("scheme"),
    issuer: own("issuer"),
    country: own("country"),
    countryName: own("countryName"),
    type: own("type"),
    category: own("category"),
    currency: own("currency"),
  };
}
