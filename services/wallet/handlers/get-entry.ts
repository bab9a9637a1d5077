import type { GetEntryRequest, GetEntryResponse } from "../../../proto/gen/corridor/wallet/v1/ledger";
import type { AccountStore } from "../store/account-store";
import type { EntryStore } from "../store/entry-store";
import { encodeEntry, entryNotFound } from "./ledger-codec";

export const getEntryHandler =
  (entries: Pick<EntryStore, "find">, accounts: Pick<AccountStore, "findMany">) =>
  async ({ entryId }: GetEntryRequest): Promise<GetEntryResponse> => {
    const entry = await entries.find(entryId);
    if (entry === undefined) throw entryNotFound();
    return { entry: encodeEntry(entry, await accounts.findMany(entry.moves.map(({ account }) => account))) };
  };
