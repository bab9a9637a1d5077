import type { FieldViolation } from "../../shared/kernel/errors";
import { isExternalId } from "../../shared/kernel/external-id";
import { accountCheckViolations } from "../domain/account-check";
import { differentFields } from "../domain/same-content";
import type { AccountTokenStore } from "../store/account-token-store";
import type { AccountCheckRequest } from "./check-account";

/** How a check of an account would be received. */
export interface AccountCheckFindings {
  isKnown: boolean;
  differentFields: readonly string[];
  violations: readonly FieldViolation[];
}

export type ValidateAccountCheck = (request: AccountCheckRequest) => Promise<AccountCheckFindings>;

/** Returns whether the id of a check was used, and with which different content, and which of its fields break a rule. Changes nothing. */
export const makeValidateAccountCheck =
  ({ accounts }: { accounts: Pick<AccountTokenStore, "findAnswer"> }): ValidateAccountCheck =>
  async ({ identity, check }) => {
    const earlier = isExternalId(identity.externalId) ? await accounts.findAnswer(identity) : undefined;
    return {
      isKnown: earlier !== undefined,
      differentFields: earlier === undefined ? [] : differentFields(earlier.content, identity.hashes),
      violations: accountCheckViolations(check),
    };
  };
