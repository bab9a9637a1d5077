import type { Money as WireMoney } from "../../../../proto/gen/corridor/common/v1/money";
import type {
  Conversion,
  PaymentListServiceService,
} from "../../../../proto/gen/corridor/payment/v1/payment_list_service";
import type { JournalEntry } from "../../../../proto/gen/corridor/wallet/v1/ledger";
import type { WalletServiceService } from "../../../../proto/gen/corridor/wallet/v1/wallet_service";
import { plusMs } from "../../../shared/kernel/clock";
import { DomainError } from "../../../shared/kernel/errors";
import { type Money, money } from "../../../shared/kernel/money";
import type { Rpc } from "../../../shared/rpc/rpc";
import { positionAccount } from "../../domain/margin";
import type { Conversions, PostedEntry, ReportedConversion } from "../../ports";

/** Reads what the wallet service posted for conversions, and what the payment service knows of them. */
export const makeConversions = (
  wallet: Pick<Rpc<typeof WalletServiceService>, "getAccountBalances" | "listEntries">,
  payment: Pick<Rpc<typeof PaymentListServiceService>, "findConversions">,
): Conversions => ({
  async gainOf(path, { from, until }) {
    // The account at the last instant before each end of the span.
    const [before, after] = await Promise.all(
      [from, until].map((end) => wallet.getAccountBalances({ path, asOf: plusMs(end, -1) })),
    );
    const gains = new Map<string, bigint>();
    for (const { currency, amountMinor } of after?.balances ?? []) gains.set(currency, amountMinor);
    for (const { currency, amountMinor } of before?.balances ?? []) {
      gains.set(currency, (gains.get(currency) ?? 0n) - amountMinor);
    }
    return gains;
  },
  async posted(span, page) {
    const asked = { account: positionAccount, currency: undefined, paymentId: undefined };
    const { entries, next } = await wallet.listEntries({ ...asked, ...span, ...page });
    return { entries: entries.map(decodeEntry), next };
  },
  async reported(paymentIds) {
    if (paymentIds.length === 0) return [];
    const { conversions } = await payment.findConversions({ paymentIds: [...paymentIds] });
    return conversions.map(decodeConversion);
  },
});

function decodeEntry({ entryId, at, tenant, paymentId, moves }: JournalEntry): PostedEntry {
  if (at === undefined) throw new DomainError("INTERNAL", "the wallet service sent an entry without its time");
  return { entryId, at, tenant, paymentId, moves: moves.filter(({ line }) => line === "settled") };
}

const decodeConversion = ({ amount, payoutAmount, ...conversion }: Conversion): ReportedConversion => ({
  ...conversion,
  quoteId: conversion.quoteId,
  amount: decodeMoney(amount),
  payoutAmount: decodeMoney(payoutAmount),
});

function decodeMoney(sent: WireMoney | undefined): Money {
  if (sent === undefined)
    throw new DomainError("INTERNAL", "the payment service sent a conversion without its amounts");
  return money(sent.amountMinor, sent.currency);
}
