import type { Decimal as WireDecimal } from "../../../proto/gen/corridor/common/v1/money";
import {
  type CheckTransactionResponse,
  TransferIntent,
  WalletTransactionIntent,
} from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import type { Decimal } from "../../shared/kernel/money";
import { type FingerprintRows, fingerprint } from "../../shared/rpc/fingerprint";
import type { MoveFunds, Transfer } from "../domain/command";
import { type KeyedRequest, readTransaction, readTransfer } from "../domain/wallet-request";
import type { RequestCheck } from "../operations/check-request";
import { composed, directionCodec } from "./wallet-codec";

/** Most decimals of an amount on the wire. */
const maxScale = 18;

const transactionRows: FingerprintRows<WalletTransactionIntent> = {
  // The request is found by its id, so the id never differs.
  externalId: () => ({}),
  walletId: ({ walletId }) => ({ walletId: { walletId } }),
  amount: ({ amount }) => ({ amount: { amount } }),
  direction: ({ direction }) => ({ paymentType: { direction } }),
  description: ({ description }) => ({ description: { description } }),
  hold: ({ hold }) => ({
    hold: { hold: hold && { expiresAt: undefined } },
    expiresAt: { hold: hold?.expiresAt && hold },
  }),
};

const transferRows: FingerprintRows<TransferIntent> = {
  externalId: () => ({}),
  fromWallet: ({ fromWallet }) => ({ fromWallet: { fromWallet } }),
  toWallet: ({ toWallet }) => ({ toWallet: { toWallet } }),
  amount: ({ amount }) => ({ amount: { amount } }),
  description: ({ description }) => ({ description: { description } }),
};

/** A request as received. */
interface Received<M> {
  tenant: string;
  intent: M | undefined;
  answerForm: number;
}

/** The fields of a transaction's fingerprint. */
const transactionFields = (intent: WalletTransactionIntent): Record<string, string> =>
  fingerprint(WalletTransactionIntent, transactionRows, intent);

/** The fields of a transfer's fingerprint. */
const transferFields = (intent: TransferIntent): Record<string, string> =>
  fingerprint(TransferIntent, transferRows, intent);

export function decodeTransaction({
  tenant,
  intent: given,
  answerForm,
}: Received<WalletTransactionIntent>): KeyedRequest<MoveFunds> {
  const intent = canonical(given ?? WalletTransactionIntent.decode(new Uint8Array()));
  const { externalId, walletId, amount, direction, description, hold } = intent;
  const frame = { tenant, answerForm, fields: transactionFields(intent) };
  return readTransaction(frame, {
    externalId,
    walletId,
    amount: decodeDecimal(amount),
    direction: directionCodec.decode(direction),
    description: description === "" ? undefined : description,
    hold: hold && { expiresAt: hold.expiresAt },
  });
}

export function decodeTransfer({
  tenant,
  intent: given,
  answerForm,
}: Received<TransferIntent>): KeyedRequest<Transfer> {
  const intent = canonical(given ?? TransferIntent.decode(new Uint8Array()));
  const { externalId, fromWallet, toWallet, amount, description } = intent;
  const frame = { tenant, answerForm, fields: transferFields(intent) };
  return readTransfer(frame, {
    externalId,
    from: fromWallet,
    to: toWallet,
    amount: decodeDecimal(amount),
    description: description === "" ? undefined : description,
  });
}

/** The canonical form of a message: amounts without trailing zeros, text in composed form. */
const canonical = <M extends { amount: WireDecimal | undefined; description: string }>(intent: M): M => ({
  ...intent,
  amount: withoutZeros(intent.amount),
  description: composed(intent.description),
});

function withoutZeros(decimal: WireDecimal | undefined): WireDecimal | undefined {
  if (decimal === undefined || decimal.scale < 0 || decimal.scale > maxScale) return decimal;
  let { unscaled, scale } = decimal;
  while (scale > 0 && unscaled % 10n === 0n) {
    unscaled /= 10n;
    scale -= 1;
  }
  return { unscaled, scale };
}

/** The decimal; undefined for one that is missing, negative or not within the wire's bounds. */
function decodeDecimal(decimal: WireDecimal | undefined): Decimal | undefined {
  if (decimal === undefined) return undefined;
  const { unscaled, scale } = decimal;
  return unscaled < 0n || scale < 0 || scale > maxScale ? undefined : { digits: unscaled, scale };
}

export const encodeCheck = ({ isKnown, differentFields, violations }: RequestCheck): CheckTransactionResponse => ({
  isKnown,
  differentFields: [...differentFields],
  violations: [...violations],
});
