import type { PayoutAccount } from "../../proto/gen/corridor/payment/v1/payment_service";
import type { FieldViolation } from "../../services/shared/kernel/errors";
import { exactNumber } from "../../services/shared/kernel/exact-number";
import { currencyDigits, exactMinor, formatDecimal } from "../../services/shared/kernel/money";
import type { Upstreams } from "../clients";
import { defineRoute } from "../contract/define-route";
import type { Draft } from "../contract/draft";
import type { Answered, Infer } from "../contract/infer";
import * as contracts from "../contract/payouts";
import { amountJson } from "../render-amount";
import type { DocumentSchema, Route } from "../route";
import { fundingAccountRequestSchema, recipientAccountRequestSchema } from "../schemas/payout-schemas";

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

const quoteRoute = ({ payment }: PaymentUpstream): Route =>
  defineRoute({
    ...common,
    method: "POST",
    path: "/payout/quotes",
    scope: "fx",
    summary: "Quote a rate, with what a payout of the amount would pay and cost.",
    request: contracts.payoutQuoteRequest,
    response: { status: 200, description: "The quote.", schema: contracts.payoutQuote },
    refusals: ["NO_ROUTE", "PAYMENT_METHOD_UNKNOWN"],
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

function accountRoutes(
  { payment }: PaymentUpstream,
  purpose: "FUNDING" | "RECIPIENT",
  path: "/payout/participants/{id}/fundingAccounts" | "/payout/participants/{id}/recipientAccounts/gateway",
  words: { add: string; list: string; requestSchema: DocumentSchema },
): readonly Route[] {
  const params = { id: "Id of the person or company." };
  return [
    defineRoute({
      ...common,
      method: "POST",
      path,
      summary: words.add,
      params,
      // The payment service reads it: a recipient's account by the schema of its country.
      request: { kind: "json", schema: words.requestSchema },
      response: { status: 200, description: "The account.", schema: contracts.payoutAccount },
      refusals: ["PARTICIPANT_NOT_FOUND"],
      async handle({ tenant, agentId, params: { id: participantId }, body: bodyJson }) {
        const owner = { tenant, agentId, participantId, purpose };
        return renderAccount((await payment.addPayoutAccount({ ...owner, bodyJson })).account);
      },
    }),
    defineRoute({
      ...common,
      method: "GET",
      path,
      summary: words.list,
      params,
      response: { status: 200, description: "The accounts.", schema: contracts.payoutAccountPage },
      refusals: ["PARTICIPANT_NOT_FOUND"],
      async handle({ tenant, agentId, params: { id: participantId } }) {
        const { accounts } = await payment.listPayoutAccounts({ tenant, agentId, participantId, purpose });
        return { items: accounts.map(renderAccount) };
      },
    }),
  ];
}

function renderAccount(account: PayoutAccount | undefined): Answered<typeof contracts.payoutAccount> {
  if (account?.createdAt === undefined) throw new Error("the payment service sent no account");
  const { accountId: id, participantId, type, countryCode, masked, createdAt } = account;
  return { id, participantId, type, countryCode: countryCode ?? null, masked, createdAt };
}
