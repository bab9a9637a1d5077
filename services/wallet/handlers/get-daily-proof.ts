import type { GetDailyProofRequest, GetDailyProofResponse } from "../../../proto/gen/corridor/wallet/v1/statement";
import { DomainError } from "../../shared/kernel/errors";
import type { ProofStore } from "../store/proof-store";

export const getDailyProofHandler =
  (proofs: Pick<ProofStore, "find">) =>
  async ({ day }: GetDailyProofRequest): Promise<GetDailyProofResponse> => {
    const proof = await proofs.find(day);
    if (proof === undefined) throw new DomainError("RECORD_NOT_FOUND", "there is no proof of this day");
    const { madeAt, lines, accounts, breaks } = proof;
    return {
      day,
      madeAt,
      lines: lines.map(({ asset, customers, blocked, held, own, unassigned, difference }) => ({
        currency: asset,
        customersMinor: customers,
        heldMinor: held,
        ownMinor: own,
        unassignedMinor: unassigned,
        blockedMinor: blocked,
        differenceMinor: difference,
      })),
      accounts: accounts.map(({ path, asset, minor }) => ({ account: path, currency: asset, minor })),
      unresolvedBreaks: BigInt(Object.values(breaks).reduce((sum, count) => sum + count, 0)),
    };
  };
