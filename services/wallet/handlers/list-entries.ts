import type { ListEntriesRequest, ListEntriesResponse } from "../../../proto/gen/corridor/wallet/v1/ledger";
import { invalid } from "../../shared/kernel/errors";
import { isPlatformPath } from "../domain/account";
import type { ListEntries } from "../operations/list-entries";
import type { AccountStore } from "../store/account-store";
import { decodePlace, encodeEntry, encodePlace } from "./ledger-codec";

const usual = 50;
const most = 200;

export const listEntriesHandler =
  (listEntries: ListEntries, accounts: Pick<AccountStore, "findMany">) =>
  async (request: ListEntriesRequest): Promise<ListEntriesResponse> => {
    const { from, until } = request;
    const after = request.after === undefined ? undefined : decodePlace(request.after);
    const limit = requireLimit(request.limit);
    const { entries, next } = await listEntries({ of: requireSubject(request), from, until, after, limit });
    const names = await accounts.findMany(entries.flatMap(({ moves }) => moves.map(({ account }) => account)));
    return {
      entries: entries.map((entry) => encodeEntry(entry, names)),
      next: next === undefined ? undefined : encodePlace(next),
    };
  };

function requireLimit(limit: number): number {
  if (limit < 0 || limit > most) throw invalid([{ field: "limit", message: `must be from 1 to ${most}` }]);
  return limit === 0 ? usual : limit;
}

function requireSubject({ account, currency, paymentId }: ListEntriesRequest) {
  if (paymentId !== undefined && account === undefined && currency === undefined) return { paymentId };
  if (account === undefined || paymentId !== undefined) {
    throw invalid([{ field: "account", message: "or paymentId is required, and not both" }]);
  }
  if (!isPlatformPath(account)) throw invalid([{ field: "account", message: "must be an account of the platform" }]);
  return { path: account, asset: currency };
}
