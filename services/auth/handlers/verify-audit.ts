import type { VerifyAuditRequest, VerifyAuditResponse } from "../../../proto/gen/corridor/auth/v1/audit_service";
import type { VerifyAudit } from "../operations/verify-audit";

export const verifyAuditHandler =
  (verifyAudit: VerifyAudit) =>
  async ({ sequence, hash }: VerifyAuditRequest): Promise<VerifyAuditResponse> => {
    const kept = sequence === undefined ? undefined : { sequence: Number.parseInt(String(sequence), 10), hash };
    const { count, head, brokenAt, anchors } = await verifyAudit(kept);
    return {
      count: BigInt(count),
      head,
      brokenAt: brokenAt === undefined ? undefined : BigInt(brokenAt),
      anchors: anchors.count,
      anchorFaults: anchors.faults.map(({ detail }) => detail),
    };
  };
