import type { TakePromiseBlockRequest, TakePromiseBlockResponse } from "../../../proto/gen/corridor/wallet/v1/ledger";
import { invalid } from "../../shared/kernel/errors";
import { isFundingPath } from "../domain/account";
import type { TakePromiseBlock } from "../operations/take-promise-block";
import { requirePromiseAccount } from "./ledger-codec";

const mostWanted = 10n ** 15n;

export const takePromiseBlockHandler =
  (takePromiseBlock: TakePromiseBlock) =>
  async (request: TakePromiseBlockRequest): Promise<TakePromiseBlockResponse> => {
    requireWhole(request);
    const { blockId, holder, account, currency, wantedMinor, leastMinor, figure } = request;
    const { granted, available, counter, unreturned } = await takePromiseBlock({
      id: blockId,
      holder,
      path: account,
      asset: currency,
      wanted: wantedMinor,
      least: leastMinor,
      figure: figure && { available: figure.availableMinor, released: figure.releasedMinor },
    });
    return {
      grantedMinor: granted,
      availableMinor: available,
      releasedMinor: counter,
      unreturnedBlockIds: [...unreturned],
    };
  };

function requireWhole(request: TakePromiseBlockRequest): void {
  const { blockId, holder, account, currency, wantedMinor, leastMinor, figure } = request;
  requirePromiseAccount(account, currency);
  const rules: [boolean, string, string][] = [
    [/^[A-Za-z0-9._:-]{1,100}$/.test(blockId), "blockId", "must be 1 to 100 of A-Z a-z 0-9 . _ : -"],
    [/^[A-Za-z0-9._:/-]{1,100}$/.test(holder), "holder", "must be 1 to 100 of A-Z a-z 0-9 . _ : - /"],
    [wantedMinor >= 1n && wantedMinor <= mostWanted, "wantedMinor", "must be from 1 to 10^15"],
    [leastMinor >= 1n && leastMinor <= wantedMinor, "leastMinor", "must be from 1 to wantedMinor"],
    [figure === undefined || !isFundingPath(account), "figure", "is for accounts of providers only"],
    [figure === undefined || figure.releasedMinor >= 0n, "figure.releasedMinor", "must be 0 or more"],
  ];
  const violations = rules.flatMap(([holds, field, message]) => (holds ? [] : [{ field, message }]));
  if (violations.length > 0) throw invalid(violations);
}
