import type { StatementBreak } from "../../../proto/gen/corridor/wallet/v1/statement";
import type { Break } from "../store/statement-store";

const sideOf = (side: Break["ours"]) => (side === undefined ? undefined : { currency: side.asset, minor: side.minor });

export const encodeStatementBreak = ({ id, paymentIds, ours, theirs, ...one }: Break): StatementBreak => ({
  ...one,
  breakId: id,
  paymentIds: [...paymentIds],
  ours: sideOf(ours),
  theirs: sideOf(theirs),
});
