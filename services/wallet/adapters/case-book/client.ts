import { CaseKind, type CaseServiceService } from "../../../../proto/gen/corridor/payment/v1/case_service";
import type { Rpc } from "../../../shared/rpc/rpc";
import type { CaseBook } from "../../ports";

const absolute = (minor: bigint): bigint => (minor < 0n ? -minor : minor);

/** The payment service's book of cases. The break's id is the key, so a break has one case: its payment's, where it has one. */
export const makeCaseBook = (cases: Pick<Rpc<typeof CaseServiceService>, "openCase">): CaseBook => ({
  async open({ id, class: kind, provider, reference, paymentIds, ours, theirs, detail, foundAt }) {
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
      text: `${kind}: ${detail}`.slice(0, 2_000),
      evidence: "",
      reference: reference.slice(0, 255),
    });
    return caseId;
  },
});
