import type { AnswerOf, Call } from "../call.ts";
import type { Api, CaptureRequest, PaymentRequest, RefundRequest } from "../gen/api.ts";
import type { CallOptions, Clock } from "../options.ts";
import { listOf } from "./list.ts";

/** The record of a payment. */
export type Payment = AnswerOf<"GET /v2/payment/{externalId}">;

/** A payment for which the client may choose the id. */
export type NewPayment = PaymentRequest extends infer Each
  ? Each extends { externalPaymentId: string }
    ? Omit<Each, "externalPaymentId"> & { readonly externalPaymentId?: string }
    : never
  : never;

export interface CreateOptions extends CallOptions {
  /** Called with the id before anything is sent: store it, since it finds the payment whatever happens then. */
  readonly onId?: (externalPaymentId: string) => void | Promise<void>;
}

export interface WaitOptions extends CallOptions {
  /** The condition to wait for; by default, that the payment is no longer PENDING. */
  readonly until?: (payment: Payment) => boolean;
}

const firstRestMs = 100;
const longestRestMs = 2_000;

/** Collecting, paying out, or both in one payment. */
export const makePayments = (call: Call, clock: Clock) => ({
  /**
   * Creates a payment. Its `externalPaymentId` permanently makes it one payment: sent again, it gets the first answer, and
   * `answer.$.replayed` says so. Without one, a new id is made.
   */
  async create(payment: NewPayment, { onId, ...options }: CreateOptions = {}) {
    const externalPaymentId = payment.externalPaymentId ?? crypto.randomUUID();
    await onId?.(externalPaymentId);
    return call("POST /v2/payment", { body: { ...payment, externalPaymentId } }, options);
  },
  /** Returns everything that is wrong with a payment, its price and its fees. Moves and stores nothing. */
  validate: (payment: PaymentRequest, options?: CallOptions) =>
    call("POST /v2/payment/validate", { body: payment }, options),
  get: (externalPaymentId: string, options?: CallOptions): Promise<Payment> =>
    call("GET /v2/payment/{externalId}", { params: { externalId: externalPaymentId } }, options),
  /** Everything that happened to a payment, in one causal order. */
  timeline: (externalPaymentId: string, options?: CallOptions) =>
    call("GET /v2/payment/{externalId}/timeline", { params: { externalId: externalPaymentId } }, options),
  /** Payments by any of the filters, newest first. */
  list: (query: Api["GET /v2/payments"]["query"] = {}, options?: CallOptions) =>
    listOf(call, "GET /v2/payments", "payments", { query }, options),
  /** Captures an authorised pull, all of it or less. */
  capture: (externalPaymentId: string, body: CaptureRequest = {}, options?: CallOptions) =>
    call("POST /payments/{externalPaymentId}/capture", { params: { externalPaymentId }, body }, options),
  /** Voids an authorisation that was not captured. */
  void: (externalPaymentId: string, options?: CallOptions) =>
    call("POST /payments/{externalPaymentId}/void", { params: { externalPaymentId } }, options),
  /** Refunds what a pull collected, or a part of it, once by its `externalRefundId`. */
  refund: (externalPaymentId: string, body: RefundRequest, options?: CallOptions) =>
    call("POST /payments/{externalPaymentId}/refund", { params: { externalPaymentId }, body }, options),
  /** Waits for the outcome of a payment, for a minute unless `timeoutMs` is given. Returns its last record, in time or not. */
  async wait(externalPaymentId: string, { until = isDecided, timeoutMs = 60_000, ...options }: WaitOptions = {}) {
    const untilMs = clock.now() + timeoutMs;
    for (let rest = firstRestMs; ; rest = Math.min(rest * 2, longestRestMs)) {
      const payment: Payment = await call(
        "GET /v2/payment/{externalId}",
        { params: { externalId: externalPaymentId } },
        options,
      );
      if (until(payment) || clock.now() + rest > untilMs) return payment;
      await clock.sleep(rest, options.signal);
    }
  },
});

const isDecided = ({ status }: Payment): boolean => status !== "PENDING";

/** Quotes of exchange rates, each for one payment. */
export const makeQuotes = (call: Call) => ({
  create: (body: Api["POST /v2/foreign-exchange"]["body"], options?: CallOptions) =>
    call("POST /v2/foreign-exchange", { body }, options),
  get: (fxId: string, options?: CallOptions) => call("GET /v2/foreign-exchange/{fxId}", { params: { fxId } }, options),
  list: (query: Api["GET /v2/foreign-exchange"]["query"] = {}, options?: CallOptions) =>
    listOf(call, "GET /v2/foreign-exchange", "quotes", { query }, options),
});

/** Checks of bank accounts and cards before money moves. */
export const makeChecks = (call: Call) => ({
  linkToken: (body: Api["POST /providers/{linker}"]["body"], options?: CallOptions) =>
    call("POST /providers/{linker}", { body }, options),
  account: (body: Api["POST /check-account"]["body"], options?: CallOptions) =>
    call("POST /check-account", { body }, options),
  card: (body: Api["POST /v2/check-card-account"]["body"], options?: CallOptions) =>
    call("POST /v2/check-card-account", { body }, options),
  forgetAccount: (accountTokenId: string, options?: CallOptions) =>
    call("DELETE /account-tokens/{accountTokenId}", { params: { accountTokenId } }, options),
  /** The balance of the tenant at each provider. */
  balances: (options?: CallOptions) => call("GET /payer/balance", {}, options),
});
