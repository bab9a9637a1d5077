import { parseInstant } from "../../shared/clock";
import { type FieldViolation, invalid } from "../../shared/errors";
import { externalIdRule, isExternalId } from "../../shared/external-id";
import { derivedUuid } from "../../shared/ids";
import { fieldTexts, type JsonObject, type JsonValue, type ParsedJson } from "../../shared/json";
import { type Decimal, parseDecimal } from "../../shared/money";
import type { WalletDetails } from "./account";
import { assetDigits } from "./asset";
import { type Direction, type MoveFunds, type OpenWallet, type Transfer, transferVoidId } from "./command";

/** A request body, with the text of its numbers. */
export interface Body {
  value: JsonObject;
  numbers: ParsedJson["numbers"];
}

/** A request for a wallet, before its details are sealed. */
export type OpenRequest = Omit<OpenWallet, "details"> & { details: WalletDetails };

/** A request that has an id of its caller, and the command it asks for or what is wrong with it. */
export interface KeyedRequest<C> {
  tenant: string;
  /** Id of the entry that it becomes; undefined when its id cannot be one. */
  id: string | undefined;
  /** Text of each field, by which a repeat is told from another request. */
  fields: Readonly<Record<string, string>>;
  command: Omit<C, "hashes"> | { violations: readonly FieldViolation[] };
}

/** Largest amount of one request, in whole units. */
const maxUnits = 999_999_999_999n;

/** Id of the transaction that a tenant makes under an id of its own. */
const transactionId = (tenant: string, externalId: string): string =>
  derivedUuid("wallet-transaction", tenant, externalId);
/** Id of the transfer that a tenant makes under an id of its own. */
const transferId = (tenant: string, externalId: string): string => derivedUuid("wallet-transfer", tenant, externalId);
/** Id of the credit of a payment's payout. */
export const payoutId = (tenant: string, paymentId: string): string => derivedUuid("wallet-payout", tenant, paymentId);

/** The command that reverses the transfer made under the caller's id. */
export const voidTransferOf = (tenant: string, externalId: string) => {
  const id = transferId(tenant, externalId);
  return { kind: "transfer-void", id: transferVoidId(id), tenant, transferId: id } as const;
};

/** Reads the fields of a body and keeps every failure. */
function reader({ value, numbers }: Body) {
  const violations: FieldViolation[] = [];
  const fail = (field: string, message: string): void => {
    violations.push({ field, message });
  };
  return {
    violations,
    fail,
    text(field: string, maxLength = 255): string {
      const text = value[field];
      const isText = typeof text === "string" && text.trim() !== "" && text.length <= maxLength;
      if (!isText) fail(field, `is required and must be text of at most ${maxLength} characters`);
      return isText ? text : "";
    },
    optionalText(field: string, maxLength: number): string | undefined {
      const text = value[field] ?? undefined;
      if (text === undefined) return undefined;
      const isText = typeof text === "string" && text.length <= maxLength;
      if (!isText) fail(field, `must be text of at most ${maxLength} characters`);
      return isText ? text : undefined;
    },
    externalId(): string {
      const id = value["externalId"];
      const isId = isExternalId(id);
      if (!isId) fail("externalId", `is required and ${externalIdRule}`);
      return isId ? id : "";
    },
    amount(): Decimal {
      const decimal = typeof value["amount"] === "number" ? parseDecimal(numbers.get("amount") ?? "") : undefined;
      const isAmount = decimal !== undefined && decimal.digits > 0n && isWithin(decimal);
      if (!isAmount) fail("amount", `is required and must be a plain number above 0, at most ${maxUnits}`);
      return isAmount ? decimal : { digits: 0n, scale: 0 };
    },
  };
}

const isWithin = ({ digits, scale }: Decimal): boolean => digits <= maxUnits * 10n ** BigInt(scale);

/** A given instant; undefined when none was given, null when it cannot be read. */
function instantOf(value: JsonValue | undefined): Date | undefined | null {
  if (value === undefined) return undefined;
  return typeof value === "string" ? (parseInstant(value) ?? null) : null;
}

/** Reads `POST /wallets`. */
export function parseOpenWallet(tenant: string, walletId: string, body: Body): OpenRequest {
  const fields = reader(body);
  const asset = fields.text("accountAsset", 10);
  const ownerId = fields.text("ownerId");
  const beneficiaryId = fields.text("beneficiaryId");
  const type = fields.text("type", 64);
  const info = body.value["additionalInfo"] ?? undefined;
  const isObject = info === undefined || (typeof info === "object" && !Array.isArray(info));
  if (!isObject) fields.fail("additionalInfo", "must be an object");
  if (asset !== "" && assetDigits(asset) === undefined) {
    fields.fail("accountAsset", "must be a currency of ISO 4217 or a known asset code");
  }
  if (fields.violations.length > 0) throw invalid(fields.violations);
  const additionalInfo = info === undefined ? undefined : JSON.stringify(info);
  const details = { ownerId, beneficiaryId, type, additionalInfo };
  return { kind: "open", id: `${walletId}/open`, tenant, walletId, asset, details };
}

/** Reads `POST /wallets/transaction`. What depends on the wallet is decided with the wallet. */
export function parseTransaction(tenant: string, body: Body): KeyedRequest<MoveFunds> {
  const fields = reader(body);
  const { value } = body;
  const walletId = fields.text("walletId");
  const externalId = fields.externalId();
  const amount = fields.amount();
  const directions: readonly Direction[] = ["DEBIT", "CREDIT"];
  const direction = directions.find((candidate) => candidate === value["paymentType"]);
  if (direction === undefined) fields.fail("paymentType", "is required and must be DEBIT or CREDIT");
  const description = fields.optionalText("description", 1_024);
  const isHold = value["hold"] ?? false;
  if (typeof isHold !== "boolean") fields.fail("hold", "must be true or false");
  const expiresAt = instantOf(value["expiresAt"] ?? undefined);
  if (expiresAt === null) fields.fail("expiresAt", "must be an ISO 8601 time with its offset");
  if (expiresAt !== undefined && isHold !== true) fields.fail("expiresAt", "is for holds only");

  const id = externalId === "" ? undefined : transactionId(tenant, externalId);
  const texts = fieldTexts(body);
  const { violations } = fields;
  if (id === undefined || direction === undefined || violations.length > 0)
    return { tenant, id, fields: texts, command: { violations } };
  const request = { walletId, externalId, amount, direction, description };
  const hold = { isHold: isHold === true, expiresAt: expiresAt ?? undefined };
  return { tenant, id, fields: texts, command: { kind: "funds", id, tenant, ...request, ...hold } };
}

/** Reads `POST /wallets/transfer`. */
export function parseTransfer(tenant: string, body: Body): KeyedRequest<Transfer> {
  const fields = reader(body);
  const from = fields.text("fromWallet");
  const to = fields.text("toWallet");
  if (from !== "" && from === to) fields.fail("toWallet", "must not be fromWallet");
  const externalId = fields.externalId();
  const amount = fields.amount();
  const description = fields.optionalText("description", 1_024);

  const id = externalId === "" ? undefined : transferId(tenant, externalId);
  const texts = fieldTexts(body);
  const { violations } = fields;
  if (id === undefined || violations.length > 0) return { tenant, id, fields: texts, command: { violations } };
  const request = { externalId, from, to, amount, description };
  return { tenant, id, fields: texts, command: { kind: "transfer", id, tenant, ...request } };
}
