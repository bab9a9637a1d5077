import type { GetCaseRequest, GetCaseResponse } from "../../../proto/gen/corridor/payment/v1/case_service";
import { DomainError } from "../../shared/kernel/errors";
import type { CaseStore } from "../store/case-store";
import { encodeCase } from "./case-codec";

/** Reads straight from the store; no decision is involved. */
export const getCaseHandler =
  (cases: Pick<CaseStore, "find">) =>
  async ({ caseId }: GetCaseRequest): Promise<GetCaseResponse> => {
    const found = await cases.find(caseId);
    if (found === undefined) throw new DomainError("RECORD_NOT_FOUND", "there is no such case");
    return { case: encodeCase(found) };
  };
