import type { ListBreaksRequest, ListBreaksResponse } from "../../../proto/gen/corridor/wallet/v1/statement";
import { invalid } from "../../shared/kernel/errors";
import type { StatementStore } from "../store/statement-store";
import { encodeStatementBreak } from "./statement-codec";

const usual = 50;
const most = 200;

export const listBreaksHandler =
  (statements: Pick<StatementStore, "breaks">) =>
  async ({ after = "", limit }: ListBreaksRequest): Promise<ListBreaksResponse> => {
    if (limit < 0 || limit > most) throw invalid([{ field: "limit", message: `must be from 1 to ${most}` }]);
    const size = limit === 0 ? usual : limit;
    const found = await statements.breaks("unresolved", after, size + 1);
    const breaks = found.slice(0, size);
    return {
      breaks: breaks.map(encodeStatementBreak),
      next: found.length > size ? breaks.at(-1)?.id : undefined,
    };
  };
