import { marginAccount, positionAccount } from "../domain/margin";
import type { Conversions, Span } from "../ports";
import { requireLedger, requireSpan } from "./list-conversions";

/** What the ledger gained from conversions in one currency, minor units. */
export interface CurrencyMargin {
  currency: string;
  marginMinor: bigint;
  /** What conversions added to the position. */
  positionMinor: bigint;
}

export type ReadMargin = (span: Span) => Promise<CurrencyMargin[]>;

/** Reads what conversions earned in a span from the balances at both of its ends, however many there were. */
export const makeReadMargin =
  ({ conversions }: { conversions: Pick<Conversions, "gainOf"> | undefined }): ReadMargin =>
  async (given) => {
    const [ledger, span] = [requireLedger(conversions), requireSpan(given)];
    const [margins, positions] = await Promise.all([
      ledger.gainOf(marginAccount, span),
      ledger.gainOf(positionAccount, span),
    ]);
    return [...new Set([...margins.keys(), ...positions.keys()])]
      .toSorted()
      .map((currency) => ({
        currency,
        marginMinor: margins.get(currency) ?? 0n,
        positionMinor: positions.get(currency) ?? 0n,
      }))
      .filter(({ marginMinor, positionMinor }) => marginMinor !== 0n || positionMinor !== 0n);
  };
