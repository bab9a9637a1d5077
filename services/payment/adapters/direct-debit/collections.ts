import { notAReport, readSignedCallback, textOf } from "../../../shared/crypto/callback-signature";
import type { ProviderCall } from "../../../shared/http/provider-call";
import type { Clock } from "../../../shared/kernel/clock";
import type { JsonObject } from "../../../shared/kernel/json";
import { formatMoney, type Money, money } from "../../../shared/kernel/money";
import { type Evidence, movesMoney, type PullFact, type Reason } from "../../domain/fact";
import type { Payment } from "../../domain/payment";
import { runningRefund } from "../../domain/reversal";
import { stepReference } from "../../domain/step-reference";
import type { AccountTokens, DebitAccount, Provider } from "../../ports";
import {
  type AnswerRow,
  evidenceOf,
  factsOutcome,
  listOf,
  moneyIn,
  notFoundRow,
  readAnswer,
  reasonOf,
  refusalRow,
  timeOf,
  toldApart,
} from "../answers";
import { debitRefusals, directDebitManifest, returnReasons, unknownAccount } from "./manifest";

export interface DirectDebitOptions {
  call: ProviderCall;
  callbackSecret: string;
  clock: Clock;
  tokens: AccountTokens;
}

const provider = directDebitManifest.name;

/** Maps every status of the scheme to its meaning; a status that is not listed is unknown. */
const kinds: Readonly<Record<string, PullFact["kind"] | undefined>> = {
  ACCEPTED: "CAPTURED",
  SETTLED: "SETTLED",
  RETURNED: "RETURNED",
  REJECTED: "DECLINED",
  VOIDED: "VOIDED",
};

/** Collects from bank accounts by direct debit, over HTTP and JSON. */
export function makeDirectDebit(options: DirectDebitOptions): Provider {
  const { call, tokens } = options;
  const place = ({ id }: Payment): string => `/debits/${encodeURIComponent(id)}`;
  return {
    manifest: directDebitManifest,
    async perform(payment, step) {
      if (step === "authorize" || step === "capture") {
        const account = await accountOf(tokens, payment);
        if (account === undefined) return noAccount;
        return readAnswer(
          await call("POST", "/debits", { ...toOrder(payment), ...account }),
          debitTables.debit(payment),
        );
      }
      if (step !== "refund") return { kind: "unknown" };
      return readAnswer(
        await call("POST", `${place(payment)}/refunds`, toRefund(payment)),
        debitTables.refund(payment),
      );
    },
    async ask(payment, step) {
      const table = step === "refund" ? askRefundTable(payment) : askTable(payment);
      return readAnswer(await call("GET", place(payment)), table);
    },
    readCallback(signature, body) {
      const { value } = readSignedCallback({ ...options, provider, secret: options.callbackSecret }, signature, body);
      const reference = textOf(value, "reference");
      const currency = textOf(value, "currency") ?? "";
      if (reference === undefined || kinds[textOf(value, "status") ?? ""] === undefined) throw notAReport();
      const evidence = evidenceOf(body.toString("utf8"));
      // A report that is incomplete, or does not name its movement, is only a notice: the scheme is asked.
      const told = factsOf(value, reference, currency, evidence) ?? [];
      const facts = told.some(({ isTotal }) => isTotal === true) ? [] : told;
      return { reference, facts, at: timeOf(value, "occurredAt", "at"), evidence };
    },
  };
}

const noAccount = {
  kind: "refused",
  refusal: {
    code: "unknown_account_token",
    reason: { code: unknownAccount.unknown_account_token, text: "the account token is not known any more" },
    evidence: undefined,
  },
} as const;

/** Returns the account in the form that the scheme takes; undefined when its token has been revoked meanwhile. */
async function accountOf(tokens: AccountTokens, { tenant, pull }: Payment): Promise<DebitAccount | undefined> {
  const source = pull?.source;
  if (source?.kind === "bank") {
    const { routingNumber, accountNumber, accountType, holder } = source;
    return { account: { routingNumber, accountNumber, accountType, holder } };
  }
  return source?.kind === "account" ? await tokens.open(tenant, source.token) : undefined;
}

const toOrder = ({ id, amount }: Payment): object => ({
  reference: id,
  amount: formatMoney(amount),
  currency: amount.currency,
});

const toRefund = (payment: Payment): object => ({
  reference: stepReference(payment, "refund"),
  amount: formatMoney(money(runningRefund(payment.refunds)?.minor ?? 0n, payment.amount.currency)),
  currency: payment.amount.currency,
});

const debitRow = ({ id, amount }: Payment, status: readonly number[]): AnswerRow => ({
  status,
  read: (body, evidence) =>
    textOf(body, "reference") === id ? factsOutcome(factsOf(body, id, amount.currency, evidence)) : undefined,
});

const debitTable = (payment: Payment): readonly AnswerRow[] => [
  debitRow(payment, [200, 201, 422]),
  refusalRow(400, payment.id, debitRefusals.debit),
];

const askTable = (payment: Payment): readonly AnswerRow[] => [debitRow(payment, [200]), notFoundRow(payment.id)];

const refundTable = (payment: Payment): readonly AnswerRow[] => [
  {
    status: [200, 201],
    read(body, evidence) {
      const isDone =
        textOf(body, "status") === "REFUNDED" && textOf(body, "reference") === stepReference(payment, "refund");
      const about = { reference: payment.id, currency: payment.amount.currency, evidence };
      const fact = isDone ? movement(body, "REFUNDED", about) : undefined;
      return fact === undefined ? undefined : { kind: "facts", facts: [fact] };
    },
  },
  notFoundRow(stepReference(payment, "refund")),
  refusalRow(409, stepReference(payment, "refund"), debitRefusals.refund),
  refusalRow(422, stepReference(payment, "refund"), debitRefusals.refund),
];

/** Tables that say what every answer to a call means. */
export const debitTables = { debit: debitTable, refund: refundTable } as const;

const askRefundTable = (payment: Payment): readonly AnswerRow[] => [
  {
    status: [200],
    read(body, evidence) {
      if (textOf(body, "reference") !== payment.id) return undefined;
      const facts = factsOf(body, payment.id, payment.amount.currency, evidence);
      if (facts === undefined) return undefined;
      const key = stepReference(payment, "refund");
      const isThere = facts.some(({ kind, stepReference: own }) => kind === "REFUNDED" && own === key);
      return isThere ? factsOutcome(facts) : { kind: "absent", facts };
    },
  },
  notFoundRow(payment.id),
];

/**
 * Returns every fact in a debit; undefined unless each part of it is understood. Money is reported by the lists of what was collected,
 * returned and refunded; without lists, the debit's own amount is all that has moved according to its status.
 */
function factsOf(
  body: JsonObject,
  reference: string,
  currency: string,
  evidence: Evidence,
): readonly PullFact[] | undefined {
  const kind = kinds[textOf(body, "status") ?? ""];
  if (kind === undefined || !/^[A-Z]{3}$/.test(currency)) return undefined;
  const about = { reference, currency, evidence };
  const [captures, returns, refunds] = [
    listed(body, "captures", "CAPTURED", about),
    listed(body, "returns", "RETURNED", about),
    listed(body, "refunds", "REFUNDED", about),
  ];
  const moved = [...(captures ?? [undefined]), ...(returns ?? [undefined]), ...(refunds ?? [undefined])];
  if (!moved.every((one) => one !== undefined)) return undefined;
  const first = standing(body, kind, about, captures ?? []);
  if (first === undefined) return undefined;
  // The debit carries the reason for a return; the individual movements do not.
  const told = toldApart(moved).map((fact) =>
    fact.kind === "RETURNED" ? { ...fact, reason: fact.reason ?? first.reason } : fact,
  );
  const isTold = told.some((fact) => fact.kind === kind);
  const known = isTold ? told : [first, ...told];
  // A settlement is reported after the collection that it settles, and what undoes it after both.
  return known.toSorted((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind));
}

const order: readonly PullFact["kind"][] = ["CAPTURED", "SETTLED", "REFUNDED", "RETURNED", "VOIDED", "DECLINED"];

/** Returns the scheme's code as an ISO 20022 code; a code that is one already is returned unchanged. */
function whyReturned(body: JsonObject): Reason | undefined {
  const told = reasonOf(body);
  const code = told?.code;
  if (told === undefined || code === undefined || !/^R\d\d$/.test(code)) return told;
  return { ...told, code: Object.hasOwn(returnReasons, code) ? returnReasons[code] : undefined };
}

interface About {
  reference: string;
  currency: string;
  evidence: Evidence;
}

const baseOf = ({ reference, evidence }: About) => ({ role: "pull", provider, reference, evidence }) as const;

/**
 * Returns the status of the debit. A collection and its settlement are one movement. An amount that neither a list nor an id identifies
 * is a total, so that movements of it that are reported later are not counted again.
 */
function standing(
  body: JsonObject,
  kind: PullFact["kind"],
  about: About,
  captures: readonly (PullFact | undefined)[],
): PullFact | undefined {
  const providerId = textOf(body, "debitId");
  const moves = movesMoney({ kind });
  const amount = moves ? (sumOf(captures, about.currency) ?? moneyIn(body, about.currency)) : undefined;
  if (moves && (amount === undefined || amount.minor === 0n)) return undefined;
  const movementId = (kind === "SETTLED" ? captures[0]?.movementId : undefined) ?? textOf(body, "movementId");
  return {
    ...baseOf(about),
    kind,
    movementId: moves ? movementId : (movementId ?? providerId),
    ...(moves && movementId === undefined ? { isTotal: true } : {}),
    amount,
    reason: whyReturned(body),
    providerAt: timeOf(body, "occurredAt", "at", "settledAt"),
    details: providerId === undefined ? {} : { providerId },
  };
}

function sumOf(captures: readonly (PullFact | undefined)[], currency: string): Money | undefined {
  if (captures.length === 0) return undefined;
  return money(
    captures.reduce((sum, fact) => sum + (fact?.amount?.minor ?? 0n), 0n),
    currency,
  );
}

const listed = (body: JsonObject, field: string, kind: PullFact["kind"], about: About) =>
  listOf(body, field)?.map((one) => movement({ currency: about.currency, ...one }, kind, about));

function movement(body: JsonObject, kind: PullFact["kind"], about: About): PullFact | undefined {
  const key = textOf(body, "reference");
  const amount = moneyIn(body, about.currency);
  if (key === undefined || amount === undefined || amount.minor === 0n) return undefined;
  const movementId = textOf(body, "movementId");
  return {
    ...baseOf(about),
    kind,
    stepReference: key,
    movementId,
    amount,
    reason: whyReturned(body),
    providerAt: timeOf(body, "at"),
  };
}
