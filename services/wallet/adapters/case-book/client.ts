import {
  CaseKind,
  type CaseServiceService,
  DifferenceClass,
  PaymentLeg,
} from "../../../../proto/gen/corridor/payment/v1/case_service";
import { absolute } from "../../../shared/kernel/assets";
import type { Rpc } from "../../../shared/rpc/rpc";
import type { CaseBook } from "../../ports";
import type { Break } from "../../store/statement-store";

/** The payment service's book of cases. The break's id is the key, so a break has one case: its payment's, where it has one. */
export const makeCaseBook = (cases: Pick<Rpc<typeof CaseServiceService>, "openCase">): CaseBook => ({
  async open(found) {
    const { id, provider, reference, paymentIds, ours, theirs, detail, foundAt } = found;
    const amounts = [ours, theirs].flatMap((side) =>
      side === undefined || side.minor === 0n ? [] : [{ amountMinor: absolute(side.minor), currency: side.asset }],
    );
    const { caseId } = await cases.openCase({
      key: `reconciliation/${id}/${foundAt.getTime()}`.slice(0, 255),
      kind: CaseKind.RECONCILIATION_BREAK,
      tenant: "",
      provider,
      paymentIds: [...paymentIds],
      amounts,
      text: `${found.class}: ${detail}`.slice(0, 2_000),
      evidence: "",
      reference: reference.slice(0, 255),
      difference: differenceOf(found),
    });
    return caseId;
  },
});

const legs = { pull: PaymentLeg.PULL, payout: PaymentLeg.PAYOUT } as const;

const differenceOf = ({ id, leg, ours, theirs, lineIds, entryIds, ...found }: Break) => ({
  breakId: id,
  class: DifferenceClass[found.class],
  provider: found.provider,
  reference: found.reference,
  leg: leg === undefined ? PaymentLeg.UNSPECIFIED : legs[leg],
  ours: ours && { amountMinor: ours.minor, currency: ours.asset },
  theirs: theirs && { amountMinor: theirs.minor, currency: theirs.asset },
  lineIds: [...lineIds],
  entryIds: [...entryIds],
  foundAt: found.foundAt,
});
