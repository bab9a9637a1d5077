import { assetDigits } from "../../shared/kernel/assets";
import { readCallerText } from "../../shared/kernel/caller-text";
import { type FieldViolation, invalid } from "../../shared/kernel/errors";
import { externalIdRule, isExternalId } from "../../shared/kernel/external-id";
import { derivedUuid } from "../../shared/kernel/ids";
import type { Decimal } from "../../shared/kernel/money";
import type { WalletDetails } from "./account";
import { type Direction, type MoveFunds, type OpenWallet, type Transfer, transferVoidId } from "./command";
import { newestForm } from "./receipt";

/** A requested wallet. */
export interface OpenIntent extends WalletDetails {
  asset: string;
}

/** A requested debit or credit. A missing or unreadable field is undefined or empty text. */
export interface TransactionIntent {
  externalId: string;
  walletId: string;
  amount: Decimal | undefined;
  direction: Direction | undefined;
  description: string | undefined;
  hold: MoveFunds["hold"];
}

/** A requested transfer. A missing or unreadable field is undefined or empty text. */
export interface TransferIntent {
  externalId: string;
  from: string;
  to: string;
  amount: Decimal | undefined;
  description: string | undefined;
}

/** A request for a wallet, before its details are sealed. */
export type OpenRequest = Omit<OpenWallet, "details"> & { details: WalletDetails };

/** A request with its caller's id, and either its command or the reason why it is refused. */
export interface KeyedRequest<C> {
  tenant: string;
  /** Id of the entry that it becomes; undefined when the caller's id is invalid. */
  id: string | undefined;
  /** Text of each field that it has; distinguishes a repeat from another request. */
  fields: Readonly<Record<string, string>>;
  command: Omit<C, "hashes"> | { violations: readonly FieldViolation[] };
}

/** The parts of a request beside its content. */
export interface RequestFrame {
  tenant: string;
  /** Text of each field that it has. */
  fields: Readonly<Record<string, string>>;
  /** Form in which the caller renders the receipt. */
  answerForm: number;
}

/** Largest amount of one request, in whole units. */
const maxUnits = 999_999_999_999n;

/** Id of the transaction that a tenant creates under its own id. */
export const transactionId = (tenant: string, externalId: string): string =>
  derivedUuid("wallet-transaction", tenant, externalId);
/** Id of the transfer that a tenant creates under its own id. */
export const transferId = (tenant: string, externalId: string): string =>
  derivedUuid("wallet-transfer", tenant, externalId);
/** Id of the credit of a payment's payout. */
export const payoutId = (tenant: string, paymentId: string): string => derivedUuid("wallet-payout", tenant, paymentId);

/** The command that reverses the transfer made under the caller's id. */
export const voidTransferOf = (tenant: string, externalId: string, answerForm: number) => {
  const id = transferId(tenant, externalId);
  return { kind: "transfer-void", id: transferVoidId(id), tenant, transferId: id, answerForm } as const;
};

/** Refuses forms that no gateway renders. */
export function requireForm(answerForm: number): number {
  const violations = formViolations(answerForm);
  if (violations.length > 0) throw invalid(violations);
  return answerForm;
}

const formViolations = (answerForm: number): FieldViolation[] =>
  answerForm >= 0 && answerForm <= newestForm
    ? []
    : [{ field: "answerForm", message: `must be from 0 to ${newestForm}` }];

/** Checks fields and keeps every failure. */
function checker(violations: FieldViolation[] = []) {
  const fail = (field: string, message: string): void => {
    violations.push({ field, message });
  };
  const checkText = (field: string, text: string): void => {
    const read = readCallerText(text, field);
    if ("problem" in read) fail(field, read.problem);
  };
  return {
    violations,
    fail,
    text(field: string, text: string, maxLength = 255): void {
      const isText = text.trim() !== "" && text.length <= maxLength;
      if (isText) checkText(field, text);
      else fail(field, `is required and must be text of at most ${maxLength} characters`);
    },
    description(text = ""): void {
      const maxLength = 1_024;
      if (text.length > maxLength) fail("description", `must be text of at most ${maxLength} characters`);
      else checkText("description", text);
    },
    externalId(id: string): void {
      if (!isExternalId(id)) fail("externalId", `is required and ${externalIdRule}`);
    },
    amount(amount: Decimal | undefined): void {
      const isAmount = amount !== undefined && amount.digits > 0n && isWithin(amount);
      if (!isAmount) fail("amount", `is required and must be a plain number above 0, at most ${maxUnits}`);
    },
  };
}

const isWithin = ({ digits, scale }: Decimal): boolean => digits <= maxUnits * 10n ** BigInt(scale);

/** Checks a request for a wallet. Throws INVALID_ARGUMENT with every field that breaks a rule. */
export function requireOpenRequest(tenant: string, walletId: string, intent: OpenIntent): OpenRequest {
  const { asset, ...details } = intent;
  const fields = checker();
  fields.text("accountAsset", asset, 10);
  fields.text("ownerId", details.ownerId);
  fields.text("beneficiaryId", details.beneficiaryId);
  fields.text("type", details.type, 64);
  if (asset !== "" && assetDigits(asset) === undefined) {
    fields.fail("accountAsset", "must be a currency of ISO 4217 or a known asset code");
  }
  if (fields.violations.length > 0) throw invalid(fields.violations);
  return { kind: "open", id: `${walletId}/open`, tenant, walletId, asset, details };
}

/** Checks a debit or credit. Rules that depend on the wallet are checked later. */
export function readTransaction(frame: RequestFrame, intent: TransactionIntent): KeyedRequest<MoveFunds> {
  const { tenant, fields, answerForm } = frame;
  const { externalId, walletId, amount, direction, description, hold } = intent;
  const check = checker(formViolations(answerForm));
  check.text("walletId", walletId);
  check.externalId(externalId);
  check.amount(amount);
  if (direction === undefined) check.fail("paymentType", "is required and must be DEBIT or CREDIT");
  check.description(description);

  const id = isExternalId(externalId) ? transactionId(tenant, externalId) : undefined;
  const { violations } = check;
  if (id === undefined || amount === undefined || direction === undefined || violations.length > 0) {
    return { tenant, id, fields, command: { violations } };
  }
  const request = { externalId, walletId, amount, direction, description, hold, answerForm };
  return { tenant, id, fields, command: { kind: "funds", id, tenant, ...request } };
}

/** Checks a transfer. Rules that depend on the wallets are checked later. */
export function readTransfer(frame: RequestFrame, intent: TransferIntent): KeyedRequest<Transfer> {
  const { tenant, fields, answerForm } = frame;
  const { externalId, from, to, amount, description } = intent;
  const check = checker(formViolations(answerForm));
  check.text("fromWallet", from);
  check.text("toWallet", to);
  if (from !== "" && from === to) check.fail("toWallet", "must not be fromWallet");
  check.externalId(externalId);
  check.amount(amount);
  check.description(description);

  const id = isExternalId(externalId) ? transferId(tenant, externalId) : undefined;
  const { violations } = check;
  if (id === undefined || amount === undefined || violations.length > 0) {
    return { tenant, id, fields, command: { violations } };
  }
  const request = { externalId, from, to, amount, description, answerForm };
  return { tenant, id, fields, command: { kind: "transfer", id, tenant, ...request } };
}
