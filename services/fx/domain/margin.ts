import { divideHalfEven, exactConversion, type Money, requireDigits } from "../../shared/kernel/money";
import type { Quote } from "./quote";

/** The accounts of the ledger that a conversion leaves something on. */
export const positionAccount = "platform/fx";
export const marginAccount = "platform/margin";

/** What a payment was accepted with. */
export interface AcceptedConversion {
  paymentId: string;
  tenant: string;
  quoteId: string | undefined;
  amount: Money;
  payoutAmount: Money;
  marginMinor: bigint;
}

/** The amounts of a conversion, minor units; negative for one that is undone. */
export interface ConversionFigures {
  /** What the platform takes in, with its margin, in the source currency. */
  receivedMinor: bigint;
  /** What it pays out, in the destination currency. */
  paidMinor: bigint;
  /** What it keeps, in the source currency. */
  marginMinor: bigint;
}

/** What an entry of the ledger adds to an account. */
export interface PostedMove {
  account: string;
  currency: string;
  minor: bigint;
}

type Pricing = Pick<Quote, "sourceCurrency" | "destinationCurrency" | "rate" | "midRate">;

/**
 * Returns what was promised: by the quote where it is still kept, calculated anew from its rates, otherwise by the payment's own figures.
 * A caller may have asked for less than the product, by a fraction of a minor unit.
 */
export function promisedFigures(accepted: AcceptedConversion, quote: Pricing | undefined): ConversionFigures {
  const { amount, payoutAmount, marginMinor } = accepted;
  const own = { receivedMinor: amount.minor, paidMinor: payoutAmount.minor, marginMinor };
  if (quote === undefined) return own;
  const { numerator, denominator } = exactConversion(amount, quote.rate, requireDigits(quote.destinationCurrency));
  const product = divideHalfEven(numerator, denominator);
  const isWithin = own.paidMinor <= product && numerator - own.paidMinor * denominator < denominator;
  const paidMinor = isWithin ? own.paidMinor : product;
  return { receivedMinor: amount.minor, paidMinor, marginMinor: marginAt(amount.minor, quote) };
}

/** The part of an amount that is kept by paying less than the market's rate, rounded half to even. */
function marginAt(minor: bigint, { rate, midRate }: Pricing): bigint {
  const ours = rate.mantissa * 10n ** BigInt(midRate.scale);
  const market = midRate.mantissa * 10n ** BigInt(rate.scale);
  return market > ours ? divideHalfEven(minor * (market - ours), market) : 0n;
}

/** True when the quote prices the currencies of the payment. */
const isOfPair = ({ amount, payoutAmount }: AcceptedConversion, quote: Pricing): boolean =>
  quote.sourceCurrency === amount.currency && quote.destinationCurrency === payoutAmount.currency;

/** A conversion as it was promised and as it was posted. */
export interface ConversionComparison {
  promised: ConversionFigures;
  posted: ConversionFigures;
  agrees: boolean;
}

/** Compares what an entry posted with what was promised, to the minor unit; also whatever it posted in other currencies. */
export function compareConversion(
  accepted: AcceptedConversion,
  quote: Pricing | undefined,
  { isReturn, moves }: { isReturn: boolean; moves: readonly PostedMove[] },
): ConversionComparison {
  const promised = signed(promisedFigures(accepted, quote), isReturn);
  const [source, destination] = [accepted.amount.currency, accepted.payoutAmount.currency];
  const sum = (account: string, currency: string): bigint =>
    moves
      .filter((move) => move.account === account && move.currency === currency)
      .reduce((all, { minor }) => all + minor, 0n);
  const marginMinor = sum(marginAccount, source);
  const posted = {
    receivedMinor: sum(positionAccount, source) + marginMinor,
    paidMinor: -sum(positionAccount, destination),
    marginMinor,
  };
  const isOther = ({ account, currency }: PostedMove): boolean =>
    (account === marginAccount && currency !== source) ||
    (account === positionAccount && currency !== source && currency !== destination);
  const agrees =
    posted.receivedMinor === promised.receivedMinor &&
    posted.paidMinor === promised.paidMinor &&
    posted.marginMinor === promised.marginMinor &&
    !moves.some(isOther) &&
    (quote === undefined || isOfPair(accepted, quote));
  return { promised, posted, agrees };
}

const signed = ({ receivedMinor, paidMinor, marginMinor }: ConversionFigures, isReturn: boolean): ConversionFigures =>
  isReturn
    ? { receivedMinor: -receivedMinor, paidMinor: -paidMinor, marginMinor: -marginMinor }
    : { receivedMinor, paidMinor, marginMinor };
