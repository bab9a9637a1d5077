import { type Money, money } from "../../shared/kernel/money";
import { convert, requireConvertible } from "../domain/conversion";
import { feeMinor, type Terms } from "../domain/fees";
import { feeKeyOfQuoted } from "../domain/payment-methods";
import type { OpenQuote, Quotes } from "../ports";

export interface QuotePayoutDeps {
  quotes: Pick<Quotes, "create">;
  termsOf(tenant: string, method: string): Terms;
}

export interface QuotePayoutCommand {
  tenant: string;
  agentId: string;
  amount: Money;
  destinationCurrency: string;
  paymentMethod: string;
  destinationCountry: string | undefined;
}

export interface PayoutQuote {
  quote: OpenQuote;
  recipientAmount: Money;
  /** What the tenant would be charged besides the amount, in its currency. */
  fee: Money;
}

export type QuotePayout = (command: QuotePayoutCommand) => Promise<PayoutQuote>;

/** Quotes a rate, with what a payout of the amount would pay and cost. Throws INVALID_ARGUMENT for an amount that is too small. */
export const makeQuotePayout =
  ({ quotes, termsOf }: QuotePayoutDeps): QuotePayout =>
  async (command) => {
    const { tenant, amount } = command;
    const quote = await quotes.create(command);
    requireConvertible(amount, quote.rate, quote.destinationCurrency, "sourceCurrencyAmount");
    const { CAPTURE } = termsOf(tenant, feeKeyOfQuoted(command.paymentMethod)).fees;
    return {
      quote,
      recipientAmount: convert(amount, quote.rate, quote.destinationCurrency),
      fee: money(feeMinor(CAPTURE, amount.minor), amount.currency),
    };
  };
