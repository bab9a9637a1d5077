import type { Clock } from "../../shared/kernel/clock";
import type { FieldViolation } from "../../shared/kernel/errors";
import { invalid } from "../../shared/kernel/errors";
import type { Ids } from "../../shared/kernel/ids";
import { requireNone } from "../domain/check-fields";
import {
  destinationFacts,
  type FundingSource,
  fundingFacts,
  fundingViolations,
  isWhole,
  missingParts,
  type PayoutAccount,
  type PayoutDestination,
  tokensOfFunding,
} from "../domain/payout-account";
import type { DetailsRules, Participants } from "../ports";
import type { PayoutAccountStore } from "../store/payout-account-store";
import { type KnownTokensDeps, requireKnownTokens } from "./known-tokens";

export interface AddPayoutAccountDeps extends KnownTokensDeps {
  accounts: Pick<PayoutAccountStore, "add">;
  participants: Participants;
  rules: Pick<DetailsRules, "checkRecipient">;
  clock: Clock;
  ids: Pick<Ids, "uuid">;
}

/** The account to be kept; a part that could not be read is missing. */
export type GivenAccount =
  | { purpose: "FUNDING"; source: FundingSource | undefined }
  | { purpose: "RECIPIENT"; destination: PayoutDestination; violations: readonly FieldViolation[] };

export interface AddPayoutAccountCommand {
  tenant: string;
  agentId: string;
  participantId: string;
  given: GivenAccount;
}

export type AddPayoutAccount = (command: AddPayoutAccountCommand) => Promise<PayoutAccount>;

/**
 * Keeps a payment method of a participant: a source of money only if its token is known, a recipient's account only if the schema of its
 * country accepts it.
 */
export const makeAddPayoutAccount =
  (deps: AddPayoutAccountDeps): AddPayoutAccount =>
  async ({ given, ...owner }) => {
    const facts = await factsOf(deps.rules, given);
    await deps.participants.require(owner.tenant, owner.participantId);
    if (given.purpose === "FUNDING") await requireKnownTokens(deps, owner.tenant, tokensOfFunding(given.source));
    const account = { id: deps.ids.uuid(), ...owner, ...facts, createdAt: deps.clock.now() };
    await deps.accounts.add(account);
    return account;
  };

async function factsOf(rules: AddPayoutAccountDeps["rules"], given: GivenAccount) {
  if (given.purpose === "FUNDING") {
    const violations = fundingViolations(given.source);
    if (given.source === undefined || violations.length > 0) throw invalid(violations);
    return fundingFacts(given.source);
  }
  const { destination, violations } = given;
  if (!isWhole(destination)) throw invalid([...violations, ...missingParts(destination)]);
  requireNone([...violations, ...(await rules.checkRecipient(destination))]);
  return destinationFacts(destination);
}
