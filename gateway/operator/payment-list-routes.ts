import type { ListedPayment } from "../../proto/gen/corridor/payment/v1/payment_list_service";
import type { PaymentRecord } from "../../proto/gen/corridor/payment/v1/payment_service";
import { DomainError } from "../../services/shared/kernel/errors";
import { exactNumber } from "../../services/shared/kernel/exact-number";
import { formatMoney, money } from "../../services/shared/kernel/money";
import { noteExternalId } from "../../services/shared/process/call-context";
import type { Upstreams } from "../clients";
import { knownWord } from "../codec/known-word";
import { operatorPaymentColumns, renderOperatorListed, toPaymentFilter } from "../codec/payment-list-codec";
import { defineRoute } from "../contract/define-route";
import type { Answered } from "../contract/infer";
import { answer, answerWith, exact, instant, listOf, oneOf, orNull, pageOrText, text } from "../contract/parts";
import * as contracts from "../contract/payment-list";
import { reasonMembers } from "../contract/reasons";
import type { SendList } from "../csv";
import { renderReason } from "../render-reason";
import type { Route } from "../route";
import { maySeePeople } from "./operator-roles";
import { operatorTimeline, readOperatorTimeline } from "./operator-timeline";

type PaymentListUpstreams = Pick<Upstreams, "payment" | "webhook">;

const common = { scheme: "operator", tag: "Payments" } as const;
const paymentParams = { tenant: "Slug of the tenant.", paymentId: "Id of the payment, a UUID." };

/** Operators' routes to find and read payments. */
export const paymentListRoutes = (upstreams: PaymentListUpstreams & { sendList: SendList }): readonly Route[] => [
  listRoute(upstreams),
  readRoute(upstreams),
  timelineRoute(upstreams),
];

function listRoute({ payment, sendList }: Pick<Upstreams, "payment"> & { sendList: SendList }): Route {
  return defineRoute({
    ...common,
    method: "GET",
    path: "/payments",
    summary: "List payments of all tenants, the newest first. `Accept: text/csv` gets all of them as text.",
    query: contracts.operatorPaymentListQuery,
    response: {
      ...pageOrText(contracts.operatorPaymentListPage, "the newest first"),
      description: "A page; or the whole list as text. People are shown, masked, to the role compliance alone.",
    },
    refusals: ["INVALID_ARGUMENT"],
    async handle({ operator, roles, headers, query }) {
      const { tenant } = query;
      const filter = toPaymentFilter(query);
      const asked = { tenant, allTenants: tenant === undefined, filter, withPeople: maySeePeople(roles) };
      return sendList({
        holder: operator,
        headers,
        name: "payments",
        columns: operatorPaymentColumns,
        query,
        async read(page) {
          const { payments, next } = await payment.listPayments({ ...asked, ...page });
          return { items: payments, next };
        },
        render: ({ items, next }) => ({ payments: items.map(renderOperatorListed), next: next ?? null }),
      });
    },
  });
}

const operationCodes = ["PAYMENT", "CAPTURE", "REFUND"] as const;
const feeEvents = ["PRE_AUTH", "CAPTURE", "REFUND"] as const;

const operation = answerWith(
  "OperatorPaymentOperation",
  "An operation on a payment.",
  {
    paymentId: text("The payment, or the leg or refund, that it belongs to."),
    requestedAt: orNull(instant("When it was asked for.")),
    code: oneOf("What was asked for.", operationCodes),
    status: text("Payment status after it."),
    description: text("Plain words."),
    amount: exact("Its amount, in the currency of the payment."),
  },
  reasonMembers,
);

const sender = {
  ...orNull(
    answer("OperatorPaymentSender", "Who pays. Only the role compliance sees it.", {
      firstName: text("Given name; empty when not given."),
      lastName: text("Family name; empty when not given."),
      phoneNumber: text("Phone number; empty when not given."),
      email: text("E-mail address; empty when not given."),
      ipAddress: text("Address of the device."),
      countryCode: text("ISO 3166-1 alpha-3 code of the address."),
    }),
  ),
  title: "OperatorPaymentSenderOrNone",
} as const;

const paymentShape = answer("OperatorPayment", "A payment as operators see it.", {
  payment: contracts.operatorListedPayment,
  capturedAmount: exact("Captured so far."),
  refundedAmount: exact("Refunded so far."),
  capturedAt: orNull(instant("When it was captured.")),
  fees: listOf(
    "Fees charged to the tenant, the oldest first.",
    answer("OperatorPaymentFee", "A fee.", {
      sourceId: text("What caused it."),
      eventId: oneOf("What it was charged for.", feeEvents),
      at: orNull(instant("When it was charged.")),
      amount: exact("In the currency of the payment."),
    }),
  ),
  operations: listOf("The oldest first.", operation),
  sender,
});

const readRoute = ({ payment }: PaymentListUpstreams): Route =>
  defineRoute({
    ...common,
    method: "GET",
    path: "/tenants/{tenant}/payments/{paymentId}",
    summary: "Read a payment.",
    params: paymentParams,
    response: { status: 200, description: "The payment.", schema: paymentShape },
    refusals: ["PAYMENT_NOT_FOUND"],
    async handle({ roles, params: { tenant, paymentId } }) {
      const withPeople = maySeePeople(roles);
      const listed = await requireListed(payment, { tenant, paymentId, withPeople });
      const named = { tenant, externalPaymentId: listed.externalPaymentId };
      const { payment: record } = await payment.getPayment(named);
      if (record === undefined) throw new Error("the payment service sent no record");
      return renderPayment(listed, record, withPeople);
    },
  });

const timelineRoute = (upstreams: PaymentListUpstreams): Route =>
  defineRoute({
    ...common,
    method: "GET",
    path: "/tenants/{tenant}/payments/{paymentId}/timeline",
    summary:
      "Everything that happened to a payment: states, provider calls and what providers said, postings, compliance, deliveries, cases.",
    params: paymentParams,
    response: { status: 200, description: "The timeline.", schema: operatorTimeline },
    refusals: ["PAYMENT_NOT_FOUND"],
    async handle({ roles, params: { tenant, paymentId } }) {
      const listed = await requireListed(upstreams.payment, { tenant, paymentId, withPeople: false });
      const { externalPaymentId } = listed;
      return readOperatorTimeline(upstreams, tenant, {
        externalPaymentId,
        paymentId,
        withEvidence: maySeePeople(roles),
      });
    },
  });

/** Returns a payment by our id; from here on log lines name it by its caller's id. Throws PAYMENT_NOT_FOUND, also for another tenant's. */
export async function requireListed(
  payment: Upstreams["payment"],
  { tenant, paymentId, withPeople }: { tenant: string; paymentId: string; withPeople: boolean },
): Promise<ListedPayment> {
  const filter = { ...toPaymentFilter({}), paymentId };
  const asked = { tenant, allTenants: false, filter, after: undefined, limit: 1, withPeople };
  const [found] = (await payment.listPayments(asked)).payments;
  if (found === undefined) throw new DomainError("PAYMENT_NOT_FOUND", "there is no such payment");
  noteExternalId(found.externalPaymentId);
  return found;
}

function renderPayment(
  listed: ListedPayment,
  record: PaymentRecord,
  withPeople: boolean,
): Answered<typeof paymentShape> {
  const { currency = "" } = record.amount ?? {};
  const amount = (minor: bigint) => exactNumber(formatMoney(money(minor, currency)));
  const { firstName = "", lastName = "", phoneNumber = "", email = "" } = record.customer ?? {};
  const people = { firstName, lastName, phoneNumber, email, countryCode: record.billing?.countryCode ?? "" };
  return {
    payment: renderOperatorListed(listed),
    capturedAmount: amount(record.capturedMinor),
    refundedAmount: amount(record.refundedMinor),
    capturedAt: record.capturedAt ?? null,
    fees: record.fees.map(({ sourceId, eventId, createdAt, amountMinor }) => ({
      sourceId,
      eventId: knownWord(feeEvents, eventId),
      at: createdAt ?? null,
      amount: amount(amountMinor),
    })),
    operations: record.history.map((entry) => ({
      paymentId: entry.paymentId,
      requestedAt: entry.requestedAt ?? null,
      code: knownWord(operationCodes, entry.code),
      status: entry.status,
      description: entry.description,
      amount: amount(entry.requestedMinor),
      ...renderReason(entry.reason),
    })),
    sender: withPeople ? { ...people, ipAddress: record.ipAddress } : null,
  };
}
