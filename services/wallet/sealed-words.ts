import type { TenantKey } from "../shared/data-keys";
import type { WalletAccount, WalletDetails } from "./domain/account";
import type { CreditPayout, MoveFunds, OpenWallet, Transfer } from "./domain/command";
import type { Entry } from "./domain/entry";
import type { OpenRequest } from "./domain/wallet-request";

type Sealing = Pick<TenantKey, "seal" | "index">;
type Opening = Pick<TenantKey, "open">;
/** Text of each field of a request. */
type Fields = Readonly<Record<string, string>>;

const detailsPlace = (tenant: string, walletId: string): string => `${tenant}|accounts|${walletId}|details`;
const wordsPlace = (tenant: string, entryId: string): string => `${tenant}|entries|${entryId}|description`;

/** What the ledger may keep of a request for a wallet. */
export const sealDetails = (key: Sealing, request: OpenRequest): OpenWallet => ({
  ...request,
  details: key.seal(JSON.stringify(request.details), detailsPlace(request.tenant, request.walletId)),
});

/** What its caller said of a wallet. Throws when it was sealed with another key or for another wallet. */
export const openDetails = (key: Opening, { tenant, id, wallet }: WalletAccount): WalletDetails =>
  JSON.parse(key.open(wallet.details, detailsPlace(tenant, id)).toString()) as WalletDetails;

/**
 * What the ledger may keep of a request that moves money: its words are sealed for its entry, and the hashes of its fields are
 * keyed, since short words could be guessed from bare ones. The same fields under the same id have the same hashes again.
 */
export const sealCommand = <C extends Omit<MoveFunds | Transfer | CreditPayout, "hashes">>(
  key: Sealing,
  command: C,
  fields: Fields,
): C & Pick<Entry, "hashes"> => ({
  ...command,
  hashes: keyedHashes(key, command.id, fields),
  description:
    command.description === undefined
      ? undefined
      : key.seal(command.description, wordsPlace(command.tenant, command.id)),
});

/** The hashes of a request's fields as its entry has them. */
export const keyedHashes = (key: Sealing, entryId: string, fields: Fields): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([field, text]) => [field, key.index(entryId, field, text)]));

/** The words of an entry that moved a wallet's money. An entry that ends or reverses another has that one's words. */
export function openDescription(
  key: Opening,
  { tenant, id, parent = id, description }: Pick<Entry, "tenant" | "id" | "parent" | "description">,
): string | undefined {
  return description === undefined ? undefined : key.open(description, wordsPlace(tenant, parent)).toString();
}

/** What the request was answered, byte for byte: the stored answer shows the words as they are sealed. */
export function openAnswer(key: Opening, entry: Entry): string {
  const { answer, description } = entry;
  if (description === undefined) return answer;
  return answer.replace(JSON.stringify(description), () => JSON.stringify(openDescription(key, entry)));
}
