import type { Money } from "../../../proto/gen/corridor/common/v1/money";
import {
  Direction,
  type OpenWalletIntent,
  type StatementEntry,
  type Wallet,
  WalletStatus,
} from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import { enumCodec } from "../../shared/kernel/enum-codec";
import { invalid } from "../../shared/kernel/errors";
import { decodeUtf8, parseJsonObject } from "../../shared/kernel/json";
import { readText } from "../../shared/kernel/text";
import { availableOf, heldOf, type WalletStatus as StatusWord, totalOf, type WalletAccount } from "../domain/account";
import type { Direction as DirectionWord } from "../domain/command";
import type { AssetAmount } from "../domain/receipt";
import type { OpenIntent } from "../domain/wallet-request";
import type { StatementLine } from "../operations/read-statement";
import type { SealedDetails } from "../store/sealed-details";

export const directionCodec = enumCodec<Direction, DirectionWord>({
  [Direction.UNSPECIFIED]: undefined,
  [Direction.DEBIT]: "DEBIT",
  [Direction.CREDIT]: "CREDIT",
  [Direction.UNRECOGNIZED]: undefined,
});

export const statusCodec = enumCodec<WalletStatus, StatusWord>({
  [WalletStatus.UNSPECIFIED]: undefined,
  [WalletStatus.ACTIVE]: "ACTIVE",
  [WalletStatus.FROZEN]: "FROZEN",
  [WalletStatus.CLOSED]: "CLOSED",
  [WalletStatus.UNRECOGNIZED]: undefined,
});

export const encodeAmount = ({ minor, asset }: AssetAmount): Money => ({ amountMinor: minor, currency: asset });

/** Text in the form in which it is stored. Invalid text is returned unchanged and refused later. */
export const composed = (text: string): string => readText(text) ?? text;

const noWallet: OpenWalletIntent = {
  accountAsset: "",
  ownerId: "",
  beneficiaryId: "",
  type: "",
  additionalInfoJson: Buffer.alloc(0),
};

export function decodeOpenIntent(intent: OpenWalletIntent = noWallet): OpenIntent {
  const { accountAsset, ownerId, beneficiaryId, type, additionalInfoJson } = intent;
  return {
    asset: accountAsset,
    ownerId: composed(ownerId),
    beneficiaryId: composed(beneficiaryId),
    type: composed(type),
    additionalInfo: additionalInfoJson.length === 0 ? undefined : decodeInfo(additionalInfoJson),
  };
}

/** Most bytes of a caller's own object. */
const maxInfoBytes = 65_536;

/** Reads a caller's own object by the rules of request bodies; refusals name the path within it. */
function decodeInfo(json: Uint8Array): string {
  if (json.length > maxInfoBytes) throw refusedInfo(`must be at most ${maxInfoBytes} bytes long`);
  const { value } = parseJsonObject(`{"additionalInfo":${decodeUtf8(json)}}`);
  const info = value["additionalInfo"];
  const isObject = typeof info === "object" && info !== null && !Array.isArray(info);
  // Text that closes the enclosing object would add other keys.
  if (!isObject || Object.keys(value).length !== 1) throw refusedInfo("must be an object");
  return JSON.stringify(info);
}

const refusedInfo = (message: string) => invalid([{ field: "additionalInfo", message }]);

/** A wallet with its caller's details, opened. */
export type ShowWallet = (account: WalletAccount) => Promise<Wallet>;

export const makeShowWallet =
  (sealed: Pick<SealedDetails, "openWallet">): ShowWallet =>
  async (account) => {
    const { additionalInfo = "", ...details } = await sealed.openWallet(account);
    const { status, createdAt } = account.wallet;
    const facts = { walletId: account.id, accountAsset: account.asset, status: statusCodec.encode(status), createdAt };
    return { ...facts, ...details, additionalInfoJson: Buffer.from(additionalInfo) };
  };

export function encodeBalance(account: WalletAccount) {
  const { asset } = account;
  return {
    available: encodeAmount({ minor: availableOf(account), asset }),
    held: encodeAmount({ minor: heldOf(account), asset }),
    total: encodeAmount({ minor: totalOf(account), asset }),
  };
}

export function encodeLine({ row, entry, description }: StatementLine, asset: string): StatementEntry {
  const isDebit = row.minor < 0n;
  return {
    // A confirmed hold appears on the statement under the id of its original transaction.
    transactionId: entry.kind === "confirm" ? (entry.parent ?? entry.id) : entry.id,
    externalId: entry.externalId,
    direction: directionCodec.encode(isDebit ? "DEBIT" : "CREDIT"),
    amount: encodeAmount({ minor: isDebit ? -row.minor : row.minor, asset }),
    description,
    balanceAfter: encodeAmount({ minor: row.after, asset }),
    createdAt: row.at,
  };
}

/** Largest page of a statement. */
const maxSize = 200;

export function requirePage({ page, size }: { page: number; size: number }): void {
  const violations = [];
  if (page < 0) violations.push({ field: "page", message: "must be 0 or more" });
  if (size < 1 || size > maxSize) violations.push({ field: "size", message: `must be from 1 to ${maxSize}` });
  if (violations.length > 0) throw invalid(violations);
}
