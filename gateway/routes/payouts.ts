import type { PayoutAccount, QuotePayoutRequest } from "../../proto/gen/corridor/payment/v1/payment_service";
import { exactNumber } from "../../services/shared/kernel/exact-number";
import { currencyDigits, exactMinor, formatDecimal, parseDecimal } from "../../services/shared/kernel/money";
import type { Upstreams } from "../clients";
import { readFields } from "../field-reader";
import { amountJson } from "../render-amount";
import { type AgentCall, type DocumentSchema, jsonAnswer, type Route, readJson, requireParam } from "../route";
import {
  accountPageSchema,
  accountSchema,
  fundingAccountRequestSchema,
  payoutQuoteRequestSchema,
  payoutQuoteSchema,
  recipientAccountRequestSchema,
} from "../schemas/payout-schemas";

type PaymentUpstream = Pick<Upstreams, "payment">;

const common = { scheme: "agent", scope: "payments", tag: "Payouts" } as const;
/** What kept accounts are for, said where they are kept. */
const unnamed = "A record of the agent's own: a payment does not name it yet and carries the account itself.";

/** Quotes with fees, and the payment methods that agents keep of their participants. */
export const payoutRoutes = (upstreams: PaymentUpstream): readonly Route[] => [
  quoteRoute(upstreams),
  ...accountRoutes(upstreams, "FUNDING", "/payout/participants/{id}/fundingAccounts", {
    add: `Keep a card or bank account that a participant pays from, by its token. ${unnamed}`,
    list: "List what a participant pays from, oldest first.",
    requestSchema: fundingAccountRequestSchema,
  }),
  ...accountRoutes(upstreams, "RECIPIENT", "/payout/participants/{id}/recipientAccounts/gateway", {
    add: `Keep an account that a participant is paid to, checked by the schema of its country. ${unnamed}`,
    list: "List what a participant is paid to, oldest first.",
    requestSchema: recipientAccountRequestSchema,
  }),
];

const maxUnits = 999_999_999_999n;

function quoteRoute({ payment }: PaymentUpstream): Route {
  return {
    ...common,
    method: "POST",
    path: "/payout/quotes",
    scope: "fx",
    summary: "Quote a rate, with what a payout of the amount would pay and cost.",
    body: "json",
    requestSchema: payoutQuoteRequestSchema,
    success: { status: 200, description: "The quote.", schema: payoutQuoteSchema },
    refusals: ["NO_ROUTE", "PAYMENT_METHOD_UNKNOWN"],
    async handle(call: AgentCall) {
      const request = parseQuoteRequest(call);
      const { amount } = request;
      const { quoteId, rate, recipientAmount, fee, expiresAt } = await payment.quotePayout(request);
      if (rate === undefined || expiresAt === undefined) throw new Error("the payment service sent no quote");
      return jsonAnswer({
        quoteId,
        fxId: quoteId,
        conversionRate: exactNumber(formatDecimal({ digits: rate.mantissa, scale: rate.scale })),
        amount: amountJson(amount),
        recipientAmount: amountJson(recipientAmount),
        fee: amountJson(fee),
        quoteIdExpiryDateTime: expiresAt.toISOString(),
      });
    },
  };
}

function parseQuoteRequest(call: AgentCall): QuotePayoutRequest {
  const { value, numbers } = readJson(call);
  const fields = readFields(value);
  const source = fields.currency("sourceCurrencyCode");
  const destinationCurrency = fields.currency("destinationCurrencyCode");
  const paymentMethod = fields.text("paymentMethod");
  const destinationCountry = fields.optionalText("destinationCountryCode");
  const digits = currencyDigits(source) ?? 0;
  const decimal = parseDecimal(numbers.get("sourceCurrencyAmount") ?? "");
  const isWithin = decimal !== undefined && decimal.digits <= maxUnits * 10n ** BigInt(decimal.scale);
  const amountMinor = decimal === undefined ? undefined : exactMinor(decimal, digits);
  const rule = `is required and must be a number from 0 to ${maxUnits} with no more decimals than its currency has`;
  fields.check(isWithin && amountMinor !== undefined, "sourceCurrencyAmount", rule);
  fields.finish();
  const amount = { amountMinor: amountMinor ?? 0n, currency: source };
  const country = destinationCountry === undefined ? {} : { destinationCountry };
  const { tenant, agentId } = call;
  return { tenant, agentId, amount, destinationCurrency, paymentMethod, ...country };
}

function accountRoutes(
  { payment }: PaymentUpstream,
  purpose: "FUNDING" | "RECIPIENT",
  path: string,
  words: { add: string; list: string; requestSchema: DocumentSchema },
): readonly Route[] {
  const params = { id: "Id of the person or company." };
  const ownerOf = (call: AgentCall) => ({
    tenant: call.tenant,
    agentId: call.agentId,
    participantId: requireParam(call, "id"),
    purpose,
  });
  return [
    {
      ...common,
      method: "POST",
      path,
      summary: words.add,
      body: "json",
      params,
      requestSchema: words.requestSchema,
      success: { status: 200, description: "The account.", schema: accountSchema },
      refusals: ["PARTICIPANT_NOT_FOUND"],
      async handle(call: AgentCall) {
        const { account } = await payment.addPayoutAccount({ ...ownerOf(call), bodyJson: call.body });
        return jsonAnswer(renderAccount(account));
      },
    },
    {
      ...common,
      method: "GET",
      path,
      summary: words.list,
      body: "none",
      params,
      success: { status: 200, description: "The accounts.", schema: accountPageSchema },
      refusals: ["PARTICIPANT_NOT_FOUND"],
      async handle(call: AgentCall) {
        const { accounts } = await payment.listPayoutAccounts(ownerOf(call));
        return jsonAnswer({ items: accounts.map(renderAccount) });
      },
    },
  ];
}

function renderAccount(account: PayoutAccount | undefined): object {
  if (account?.createdAt === undefined) throw new Error("the payment service sent no account");
  const { accountId: id, participantId, type, countryCode, masked, createdAt } = account;
  return { id, participantId, type, countryCode: countryCode ?? null, masked, createdAt: createdAt.toISOString() };
}
