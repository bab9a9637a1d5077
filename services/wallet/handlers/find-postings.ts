import type { FindPostingsRequest, FindPostingsResponse } from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import { invalid } from "../../shared/kernel/errors";
import type { EntryStore } from "../store/entry-store";

const most = 1_000;

/** Reads straight from the store; no decision is involved. */
export const findPostingsHandler =
  (entries: Pick<EntryStore, "findMany">) =>
  async ({ entryIds, asOf }: FindPostingsRequest): Promise<FindPostingsResponse> => {
    if (entryIds.length > most) throw invalid([{ field: "entryIds", message: "must be at most 1,000" }]);
    const found = await entries.findMany(entryIds);
    const posted = [...found.values()].filter(({ at }) => asOf === undefined || at <= asOf);
    return { entryIds: posted.map(({ id }) => id) };
  };
