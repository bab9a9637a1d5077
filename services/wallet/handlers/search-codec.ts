import { type Found, FoundKind } from "../../../proto/gen/corridor/common/v1/search_service";
import type { FoundRecord } from "../store/search-store";

const kinds: Readonly<Record<FoundRecord["kind"], FoundKind>> = {
  wallet: FoundKind.WALLET,
  transaction: FoundKind.WALLET_TRANSACTION,
  transfer: FoundKind.TRANSFER,
};

export const encodeFound = ({ kind, ...found }: FoundRecord): Found => ({
  ...found,
  kind: kinds[kind],
  parentId: undefined,
});
