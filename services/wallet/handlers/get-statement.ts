import type { GetStatementRequest, GetStatementResponse } from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import type { ReadStatement } from "../operations/read-statement";
import { encodeLine, requirePage } from "./wallet-codec";

export const getStatementHandler =
  (readStatement: ReadStatement) =>
  async ({ page, size, ...query }: GetStatementRequest): Promise<GetStatementResponse> => {
    requirePage({ page, size });
    const { wallet, lines, totalEntries } = await readStatement({ ...query, page, size });
    const entries = lines.map((line) => encodeLine(line, wallet.asset));
    return { walletId: query.walletId, entries, page, size, totalEntries: BigInt(totalEntries) };
  };
