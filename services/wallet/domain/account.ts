import { beginningOfTime } from "../../shared/kernel/clock";

/**
 * The lines of an account. `settled` holds the money; `debitHolds` is the part of it that open debits reserve;
 * `creditHolds` is announced but not there yet; `status` counts changes of the account itself and holds no money.
 */
export const lineNames = ["settled", "debitHolds", "creditHolds", "status"] as const;
export type LineName = (typeof lineNames)[number];

/** A running sum with its history: one row per change, numbered without gaps, each row sealed by the hash of the next. */
export interface Line {
  minor: bigint;
  /** Number of the latest row; 0 before the first. */
  seq: number;
  /** Hash of the latest row; empty before the first. */
  head: string;
}

export const walletStatuses = ["ACTIVE", "FROZEN", "CLOSED"] as const;
export type WalletStatus = (typeof walletStatuses)[number];

/** A caller's description of a wallet. The ledger keeps it sealed. */
export interface WalletDetails {
  ownerId: string;
  beneficiaryId: string;
  type: string;
  /** JSON text of the caller's own object. */
  additionalInfo: string | undefined;
}

/** Everything about a wallet except its money. */
export interface WalletFacts {
  status: WalletStatus;
  createdAt: Date;
  /** Its WalletDetails, sealed. */
  details: string;
}

/** An account of the ledger: a wallet, or one shard of a platform account. Only wallets have a floor, of zero. */
export interface Account {
  id: string;
  /** Slug of the tenant that it belongs to; empty for the platform's own. */
  tenant: string;
  /** Place in the chart of accounts, without asset and shard. */
  path: string;
  asset: string;
  /** Number of changes so far. */
  version: number;
  /** Time of the latest change. */
  lastAt: Date;
  lines: Readonly<Record<LineName, Line>>;
  wallet: WalletFacts | undefined;
}

export interface WalletAccount extends Account {
  wallet: WalletFacts;
}

const emptyLine: Line = { minor: 0n, seq: 0, head: "" };

/** An account without history. */
export const emptyAccount = (facts: Pick<Account, "id" | "tenant" | "path" | "asset" | "wallet">): Account => ({
  ...facts,
  version: 0,
  lastAt: beginningOfTime,
  lines: { settled: emptyLine, debitHolds: emptyLine, creditHolds: emptyLine, status: emptyLine },
});

/** What the wallet may spend, minor units. */
export const availableOf = ({ lines }: Account): bigint => lines.settled.minor - lines.debitHolds.minor;
/** Every open hold, debits and credits, minor units. */
export const heldOf = ({ lines }: Account): bigint => lines.debitHolds.minor + lines.creditHolds.minor;
/** Available and held together, minor units. */
export const totalOf = ({ lines }: Account): bigint => lines.settled.minor + lines.creditHolds.minor;

/** The closed set of the platform's accounts: no other path has an account. */
const platformPaths: readonly RegExp[] = [
  /^tenant\/[a-z0-9][a-z0-9._-]{0,63}\/(funding|external)$/i,
  /^provider\/[a-z0-9][a-z0-9._-]{0,63}\/clearing$/i,
  /^platform\/(fx|margin|fees|provider-fees|suspense|write-offs)$/,
  /^platform\/blocked\/[a-z0-9][a-z0-9._-]{0,63}$/i,
];

/** Path of the account that a wallet's credits come from and its debits go to; it may go below zero. */
export const externalPath = (tenant: string): string => `tenant/${tenant}/external`;

/** Path of all wallets of a tenant. */
export const walletsPath = (tenant: string): string => `tenant/${tenant}/wallets`;

/** The account that payouts to wallets come from. The payment posts the same amount to it, so its sum ends at zero. */
export const suspensePath = "platform/suspense";

/** True for a path that an account of the platform may have. */
export const isPlatformPath = (path: string): boolean => platformPaths.some((pattern) => pattern.test(path));

/** True for a tenant's funding account, whose promises are bound by the tenant's floor. */
export const isFundingPath = (path: string): boolean => isPlatformPath(path) && path.endsWith("/funding");

/** True for an account whose money is promised to payments. */
export const isPromisePath = (path: string): boolean =>
  isFundingPath(path) || (isPlatformPath(path) && path.startsWith("provider/"));

/** A platform account's shard as an empty account. */
export function platformAccount(path: string, asset: string, shard: number): Account {
  const [owner, name = ""] = path.split("/");
  const tenant = owner === "tenant" ? name : "";
  return emptyAccount({ id: `${path}/${asset}/${shard}`, tenant, path, asset, wallet: undefined });
}
