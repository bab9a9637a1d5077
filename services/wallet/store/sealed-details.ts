import type { DataKeys, TenantKey } from "../../shared/storage/data-keys";
import type { WalletAccount, WalletDetails } from "../domain/account";
import type { CreditPayout, MoveFunds, OpenWallet, Transfer } from "../domain/command";
import type { Entry } from "../domain/entry";
import type { OpenRequest } from "../domain/wallet-request";

/** Text of each field of a request. */
type Fields = Readonly<Record<string, string>>;
type Hashes = Readonly<Record<string, string>>;

/** Seals callers' texts with their tenant's key before the ledger sees them, and opens them again. */
export interface SealedDetails {
  /** Returns what the ledger may keep of a request for a wallet. */
  sealWallet(request: OpenRequest): Promise<OpenWallet>;
  /** Returns the caller's details of a wallet. Throws when they were sealed with another key or for another wallet. */
  openWallet(account: WalletAccount): Promise<WalletDetails>;
  /** Returns what the ledger may keep of a request that moves money: its description is sealed for its entry. */
  sealCommand<C extends Omit<MoveFunds | Transfer | CreditPayout, "hashes">>(
    command: C,
    fields: Fields,
  ): Promise<C & { hashes: Hashes }>;
  /**
   * Returns the hashes of a request's fields as its entry has them. They are keyed, since a short text could be guessed from a bare hash.
   * The same fields under the same id always have the same hashes.
   */
  hashesOf(tenant: string, entryId: string, fields: Fields): Promise<Hashes>;
  /** Returns the caller's description. An entry that ends or reverses another one has the description of that one. */
  openDescription(entry: Pick<Entry, "tenant" | "id" | "parent" | "description">): Promise<string | undefined>;
}

const detailsPlace = (tenant: string, walletId: string): string => `${tenant}|accounts|${walletId}|details`;
const descriptionPlace = (tenant: string, entryId: string): string => `${tenant}|entries|${entryId}|description`;

const keyedHashes = (key: Pick<TenantKey, "index">, entryId: string, fields: Fields): Hashes =>
  Object.fromEntries(Object.entries(fields).map(([field, text]) => [field, key.index(entryId, field, text)]));

export const makeSealedDetails = (keys: Pick<DataKeys, "of">): SealedDetails => ({
  async sealWallet(request) {
    const key = await keys.of(request.tenant);
    const place = detailsPlace(request.tenant, request.walletId);
    return { ...request, details: key.seal(JSON.stringify(request.details), place) };
  },
  async openWallet({ tenant, id, wallet }) {
    const key = await keys.of(tenant);
    return JSON.parse(key.open(wallet.details, detailsPlace(tenant, id)).toString()) as WalletDetails;
  },
  async sealCommand(command, fields) {
    const { tenant, id, description } = command;
    const key = await keys.of(tenant);
    return {
      ...command,
      hashes: keyedHashes(key, id, fields),
      description: description === undefined ? undefined : key.seal(description, descriptionPlace(tenant, id)),
    };
  },
  hashesOf: async (tenant, entryId, fields) => keyedHashes(await keys.of(tenant), entryId, fields),
  async openDescription({ tenant, id, parent = id, description }) {
    if (description === undefined) return undefined;
    return (await keys.of(tenant)).open(description, descriptionPlace(tenant, parent)).toString();
  },
});
