import type { VerifyLedgerRequest, VerifyLedgerResponse } from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import type { StartVerification } from "../operations/start-verification";

export const verifyLedgerHandler =
  (startVerification: StartVerification) =>
  async ({ verificationId }: VerifyLedgerRequest): Promise<VerifyLedgerResponse> => {
    const { id, findings, accounts, entries, rows, checkpoints, anchors, ...times } =
      await startVerification(verificationId);
    return {
      verificationId: id,
      ...times,
      accounts: BigInt(accounts),
      entries: BigInt(entries),
      rows: BigInt(rows),
      checkpoints: BigInt(checkpoints),
      anchors: BigInt(anchors),
      findings: findings.map(({ fault, record, detail }) => ({ fault, record, detail })),
    };
  };
