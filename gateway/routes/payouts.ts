import type { FieldViolation } from "../../services/shared/kernel/errors";
import { exactNumber } from "../../services/shared/kernel/exact-number";
import { currencyDigits, exactMinor, formatDecimal } from "../../services/shared/kernel/money";
import type { Upstreams } from "../clients";
import { inCallersWords } from "../codec/payment-checks";
import { unfitMembers } from "../codec/payment-intent";
import { accountPurposes, renderAccount, toDestination, toFunding } from "../codec/payout-account";
import { defineRoute } from "../contract/define-route";
import type { Draft } from "../contract/draft";
import type { Infer } from "../contract/infer";
import * as contracts from "../contract/payouts";
import { amountJson } from "../render-amount";
import type { Route } from "../route";

type PaymentUpstream = Pick<Upstreams, "payment">;

const common = { scheme: "agent", scope: "payments", tag: "Payouts" } as const;
/** The purpose of stored accounts, described at the routes that store them. */
const unnamed = "A record of the agent's own: a payment does not name it yet and carries the account itself.";

/** Quotes with fees, and the payment methods that agents store for their participants. */
export const payoutRoutes = (upstreams: PaymentUpstream): readonly Route[] => [
  quoteRoute(upstreams),
  fundingRoute(upstreams),
  listRoute(upstreams, "FUNDING", fundingPath, "List what a participant pays from, oldest first."),
  recipientRoute(upstreams),
  listRoute(upstreams, "RECIPIENT", recipientPath, "List what a participant is paid to, oldest first."),
];

const quoteRoute = ({ payment }: PaymentUpstream): Route =>
  defineRoute({
    ...common,
    method: "POST",
    path: "/payout/quotes",
    isRepeatable: true,
    scope: "fx",
    summary: "Quote a rate, with what a payout of the amount would pay and cost.",
    request: contracts.payoutQuoteRequest,
    response: { status: 200, description: "The quote.", schema: contracts.payoutQuote },
    refusals: ["NO_ROUTE", "PAYMENT_METHOD_UNKNOWN"],
    fieldAliases: {
      amount: "sourceCurrencyAmount",
      "amount.currency": "sourceCurrencyCode",
      destinationCurrency: "destinationCurrencyCode",
      destinationCountry: "destinationCountryCode",
    },
    alsoRefuses: wrongDigits,
    async handle({ tenant, agentId, body }) {
      const { destinationCurrencyCode: destinationCurrency, paymentMethod, destinationCountryCode } = body;
      const amount = { amountMinor: minorOf(body) ?? 0n, currency: body.sourceCurrencyCode };
      const asked = { destinationCurrency, paymentMethod, destinationCountry: destinationCountryCode };
      const quote = await payment.quotePayout({ tenant, agentId, amount, ...asked });
      const { quoteId, rate, recipientAmount, fee, expiresAt } = quote;
      if (rate === undefined || expiresAt === undefined) throw new Error("the payment service sent no quote");
      return {
        quoteId,
        fxId: quoteId,
        conversionRate: exactNumber(formatDecimal({ digits: rate.mantissa, scale: rate.scale })),
        amount: amountJson(amount),
        recipientAmount: amountJson(recipientAmount),
        fee: amountJson(fee),
        quoteIdExpiryDateTime: expiresAt,
      };
    },
  });

type QuoteBody = Infer<typeof contracts.payoutQuoteRequest>;

/** Returns the minor units; undefined for more decimals than the currency has. */
const minorOf = (body: Pick<QuoteBody, "sourceCurrencyAmount" | "sourceCurrencyCode">): bigint | undefined =>
  exactMinor(body.sourceCurrencyAmount, currencyDigits(body.sourceCurrencyCode) ?? 0);

function wrongDigits({ sourceCurrencyAmount, sourceCurrencyCode }: Draft<QuoteBody>): readonly FieldViolation[] {
  if (sourceCurrencyAmount === undefined || sourceCurrencyCode === undefined) return [];
  if (minorOf({ sourceCurrencyAmount, sourceCurrencyCode }) !== undefined) return [];
  const { rule } = contracts.payoutQuoteRequest.properties.sourceCurrencyAmount;
  return [{ field: "sourceCurrencyAmount", message: rule }];
}

const fundingPath = "/payout/participants/{id}/fundingAccounts";
const recipientPath = "/payout/participants/{id}/recipientAccounts/gateway";
const params = { id: "Id of the person or company." };

const fundingRoute = ({ payment }: PaymentUpstream): Route =>
  defineRoute({
    ...common,
    method: "POST",
    path: fundingPath,
    summary: `Keep a card or bank account that a participant pays from, by its token. ${unnamed}`,
    params,
    request: contracts.fundingAccountRequest,
    response: { status: 200, description: "The account.", schema: contracts.payoutAccount },
    refusals: ["PARTICIPANT_NOT_FOUND"],
    async handle({ tenant, agentId, params: { id: participantId }, body }) {
      const owner = { tenant, agentId, participantId };
      return renderAccount((await payment.addPayoutAccount({ ...owner, account: toFunding(body) })).account);
    },
  });

const recipientRoute = ({ payment }: PaymentUpstream): Route =>
  defineRoute({
    ...common,
    method: "POST",
    path: recipientPath,
    summary: `Keep an account that a participant is paid to, checked by the schema of its country. ${unnamed}`,
    params,
    request: contracts.recipientAccountRequest,
    response: { status: 200, description: "The account.", schema: contracts.payoutAccount },
    refusals: ["PARTICIPANT_NOT_FOUND"],
    alsoRefuses: unfitMembers,
    async handle({ tenant, agentId, params: { id: participantId }, body }) {
      const owner = { tenant, agentId, participantId };
      const adding = payment.addPayoutAccount({ ...owner, account: toDestination(body) });
      return renderAccount((await inCallersWords(body, adding)).account);
    },
  });

const listRoute = (
  { payment }: PaymentUpstream,
  purpose: keyof typeof accountPurposes,
  path: typeof fundingPath | typeof recipientPath,
  summary: string,
): Route =>
  defineRoute({
    ...common,
    method: "GET",
    path,
    summary,
    params,
    response: { status: 200, description: "The accounts.", schema: contracts.payoutAccountPage },
    refusals: ["PARTICIPANT_NOT_FOUND"],
    async handle({ tenant, agentId, params: { id: participantId } }) {
      const owner = { tenant, agentId, participantId, purpose: accountPurposes[purpose] };
      const { accounts } = await payment.listPayoutAccounts(owner);
      return { items: accounts.map(renderAccount) };
    },
  });
