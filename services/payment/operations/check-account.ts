import type { Clock } from "../../shared/kernel/clock";
import { DomainError } from "../../shared/kernel/errors";
import {
  type AccountCheck,
  type AccountCheckFacts,
  type AccountCheckReceipt,
  accountCheckViolations,
  type CheckIdentity,
  masked,
} from "../domain/account-check";
import { requireNone } from "../domain/check-fields";
import type { Linker, LinkOutcome } from "../domain/check-ports";
import { requireSameContent } from "../domain/same-content";
import type { AccountTokenStore, Claim } from "../store/account-token-store";

export interface CheckAccountDeps {
  accounts: Pick<AccountTokenStore, "findAnswer" | "claim" | "finish" | "giveUp">;
  linker: Linker;
  clock: Clock;
  pause(ms: number): Promise<void>;
}

/** A check as its caller has requested it. */
export interface AccountCheckRequest {
  identity: CheckIdentity;
  check: AccountCheck;
}

export type CheckAccount = (
  request: AccountCheckRequest & { form: number },
) => Promise<{ receipt: AccountCheckReceipt; replayed: boolean }>;

const patienceMs = 5_000;
const pollMs = 50;

/**
 * Checks an account once per tenant and externalPaymentId. The id is claimed before the provider is called, so that of two concurrent
 * requests one calls the provider, and the other answers from what the first one stores. An unknown outcome releases the claim: nothing
 * was charged, and the same request may be sent again. Throws INVALID_ARGUMENT, IDEMPOTENCY_CONFLICT, REQUEST_RUNNING and UNAVAILABLE.
 */
export const makeCheckAccount =
  (deps: CheckAccountDeps): CheckAccount =>
  async ({ identity, check, form }) => {
    const earlier = await deps.accounts.findAnswer(identity);
    if (earlier !== undefined) return replay(deps, identity);
    requireNone(accountCheckViolations(check));
    const claim = await deps.accounts.claim(identity);
    if (claim === undefined) return replay(deps, identity);
    const outcome = await deps.linker
      .openAccount(check.publicToken, check.accountId)
      .catch((): LinkOutcome => ({ kind: "unknown" }));
    if (outcome.kind === "unknown") {
      await deps.accounts.giveUp(claim);
      throw new DomainError("UNAVAILABLE", "the linking provider does not answer");
    }
    const facts = { form, checkedAt: deps.clock.now(), account: verifiedAccount(claim, outcome) };
    const isOurs = await deps.accounts.finish(claim, facts, outcome.kind === "linked" ? outcome.account : undefined);
    if (!isOurs) return replay(deps, identity);
    return { receipt: { ...facts, paymentId: claim.paymentId, externalId: identity.externalId }, replayed: false };
  };

function verifiedAccount({ accountTokenId }: Claim, outcome: LinkOutcome): AccountCheckFacts["account"] {
  if (outcome.kind !== "linked") return undefined;
  const { accessToken, name, accountNumber, routingNumber } = outcome.account;
  const numbers = { accountNumberMasked: masked(accountNumber), routingNumberMasked: masked(routingNumber) };
  return { accountTokenId, accessToken, name, ...numbers };
}

/** Returns the answer that is stored, or that a request which is under way stores. */
async function replay({ accounts, pause }: CheckAccountDeps, identity: CheckIdentity) {
  const { externalId, hashes } = identity;
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += pollMs) {
    const stored = await accounts.findAnswer(identity);
    if (stored !== undefined) requireSameContent(stored.content, hashes);
    if (stored?.facts !== undefined) {
      return { receipt: { ...stored.facts, paymentId: stored.paymentId, externalId }, replayed: true };
    }
    await pause(pollMs);
  }
  throw new DomainError("REQUEST_RUNNING", "the same request is still running");
}
