import type { Clock } from "../../shared/kernel/clock";
import { hasReason, invalid } from "../../shared/kernel/errors";
import type { Ids } from "../../shared/kernel/ids";
import type { JsonObject } from "../../shared/kernel/json";
import {
  type AccountFacts,
  type AccountPurpose,
  isOfRecipient,
  type PayoutAccount,
  readFundingAccount,
  readRecipientAccount,
} from "../domain/payout-account";
import type { Participants, Schemas } from "../ports";
import type { PayoutAccountStore } from "../store/payout-account-store";

export interface AddPayoutAccountDeps {
  accounts: Pick<PayoutAccountStore, "add">;
  participants: Participants;
  schemas: Pick<Schemas, "check">;
  clock: Clock;
  ids: Pick<Ids, "uuid">;
}

export interface AddPayoutAccountCommand {
  tenant: string;
  agentId: string;
  participantId: string;
  purpose: AccountPurpose;
  body: JsonObject;
}

export type AddPayoutAccount = (command: AddPayoutAccountCommand) => Promise<PayoutAccount>;

/** Keeps a payment method of a participant; a recipient's only if the schema of its country takes it. */
export const makeAddPayoutAccount =
  (deps: AddPayoutAccountDeps): AddPayoutAccount =>
  async ({ body, ...owner }) => {
    const facts = owner.purpose === "FUNDING" ? readFundingAccount(body) : await readRecipient(deps.schemas, body);
    await deps.participants.require(owner.tenant, owner.participantId);
    const account = { id: deps.ids.uuid(), ...owner, ...facts, createdAt: deps.clock.now() };
    await deps.accounts.add(account);
    return account;
  };

async function readRecipient(schemas: Pick<Schemas, "check">, body: JsonObject): Promise<AccountFacts> {
  const facts = readRecipientAccount(body);
  try {
    const violations = (await schemas.check(facts.countryCode, body)).filter(isOfRecipient);
    if (violations.length > 0) throw invalid(violations);
    return facts;
  } catch (error) {
    if (!hasReason(error, "COUNTRY_UNSUPPORTED")) throw error;
    const field = "recipient.paymentMethod.countryCode";
    throw invalid([{ field, message: "must be the alpha-3 code of a country that is served" }]);
  }
}
