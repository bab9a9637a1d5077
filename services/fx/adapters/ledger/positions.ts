import type { Money } from "../../../../proto/gen/corridor/common/v1/money";
import type {
  ConversionEntry,
  PaymentListServiceService,
} from "../../../../proto/gen/corridor/payment/v1/payment_list_service";
import type { WalletServiceService } from "../../../../proto/gen/corridor/wallet/v1/wallet_service";
import { type Clock, plusMs } from "../../../shared/kernel/clock";
import type { Rpc } from "../../../shared/rpc/rpc";
import type { Position, Positions } from "../../ports";

/** The account of the ledger that conversions go through. */
const path = "platform/fx";
/** How far in the past the ledger is read, so that all that it had then is there, whatever the clocks of the services say. */
const behindMs = 5_000;
/** The most entries that the wallet service looks for at once. */
const mostEntries = 1_000;

type Wallet = Pick<Rpc<typeof WalletServiceService>, "getAccountBalances" | "findPostings">;

/**
 * Reads positions from the wallet and payment services, each conversion once: the ledger as it was at one instant, and of the payments all
 * that it did not have then.
 */
export const makePositions = (
  wallet: Wallet,
  payment: Pick<Rpc<typeof PaymentListServiceService>, "sumOpenConversions">,
  clock: Clock,
): Positions => ({
  async read(paymentIds) {
    const asOf = plusMs(clock.now(), -behindMs);
    const { sums, entries, storedPaymentIds } = await payment.sumOpenConversions({ paymentIds: [...paymentIds] });
    const { balances } = await wallet.getAccountBalances({ path, asOf });
    const missing = await notPosted(wallet, entries, asOf);
    const settled = byCurrency(balances);
    const open = byCurrency([...sums, ...missing.flatMap(({ moves }) => moves)]);
    const positions = [...new Set([...settled.keys(), ...open.keys()])].toSorted().map(
      (currency): Position => ({
        currency,
        settledMinor: settled.get(currency) ?? 0n,
        openMinor: open.get(currency) ?? 0n,
      }),
    );
    return { positions, stored: new Set(storedPaymentIds) };
  },
});

/** Returns the entries that the ledger did not have at the end of an instant. */
async function notPosted(wallet: Wallet, entries: readonly ConversionEntry[], asOf: Date): Promise<ConversionEntry[]> {
  const missing: ConversionEntry[] = [];
  for (let from = 0; from < entries.length; from += mostEntries) {
    const asked = entries.slice(from, from + mostEntries);
    const posted = await wallet.findPostings({ entryIds: asked.map(({ entryId }) => entryId), asOf });
    missing.push(...asked.filter(({ entryId }) => !posted.entryIds.includes(entryId)));
  }
  return missing;
}

function byCurrency(amounts: readonly Money[]): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { currency, amountMinor } of amounts) sums.set(currency, (sums.get(currency) ?? 0n) + amountMinor);
  return sums;
}
