import { isValid } from "i18n-iso-countries";
import type { Clock } from "../../shared/kernel/clock";
import { DomainError } from "../../shared/kernel/errors";
import { isExternalId } from "../../shared/kernel/external-id";
import { fieldHashes } from "../../shared/kernel/json";
import { accountCheckAnswer, type Body, type CheckIdentity, parseAccountCheck } from "../domain/account-check";
import type { Linker, LinkOutcome } from "../domain/check-ports";
import { contentVersion, requireSameContent } from "../domain/same-content";
import type { AccountTokenStore, Claim } from "../store/account-token-store";

export interface CheckAccountDeps {
  accounts: Pick<AccountTokenStore, "findAnswer" | "claim" | "finish" | "giveUp">;
  linker: Linker;
  clock: Clock;
  pause(ms: number): Promise<void>;
}

export type CheckAccount = (tenant: string, body: Body) => Promise<{ answer: Buffer; replayed: boolean }>;

const patienceMs = 5_000;
const pollMs = 50;
const isAlpha2 = (code: string): boolean => /^[A-Z]{2}$/.test(code) && isValid(code);

/**
 * Checks an account once per tenant and externalPaymentId. The id is claimed before the provider is called, so that of two
 * requests at once one calls and the other answers from what it stores. An unknown outcome gives the claim back: nothing was
 * charged, and the same request may be sent again. Throws INVALID_ARGUMENT, IDEMPOTENCY_CONFLICT, REQUEST_RUNNING and
 * UNAVAILABLE.
 */
export const makeCheckAccount =
  (deps: CheckAccountDeps): CheckAccount =>
  async (tenant, body) => {
    const { externalPaymentId: externalId } = body.value;
    if (!isExternalId(externalId)) {
      // Without an id nothing can be looked up: all that is wrong is told at once.
      parseAccountCheck(body.value, isAlpha2);
      throw new DomainError("INTERNAL", "a check without its id has passed");
    }
    const identity = { tenant, externalId, hashes: fieldHashes(body) };
    const earlier = await deps.accounts.findAnswer(tenant, identity.externalId);
    if (earlier !== undefined) return replay(deps, identity);
    const { publicToken, accountId } = parseAccountCheck(body.value, isAlpha2);
    const claim = await deps.accounts.claim(identity);
    if (claim === undefined) return replay(deps, identity);
    const outcome = await deps.linker
      .openAccount(publicToken, accountId)
      .catch((): LinkOutcome => ({ kind: "unknown" }));
    if (outcome.kind === "unknown") {
      await deps.accounts.giveUp(claim);
      throw new DomainError("UNAVAILABLE", "the linking provider does not answer");
    }
    const answer = Buffer.from(render(claim, identity, outcome, deps.clock.now()));
    const isOurs = await deps.accounts.finish(claim, answer, outcome.kind === "linked" ? outcome.account : undefined);
    return isOurs ? { answer, replayed: false } : replay(deps, identity);
  };

function render(claim: Claim, { externalId }: CheckIdentity, outcome: LinkOutcome, createdAt: Date): string {
  const { paymentId, accountTokenId } = claim;
  const account = outcome.kind === "linked" ? { ...outcome.account, accountTokenId } : undefined;
  return accountCheckAnswer({ paymentId, externalId, createdAt }, account);
}

/** The answer that is stored, or that the request which is under way stores. */
async function replay({ accounts, pause }: CheckAccountDeps, identity: CheckIdentity) {
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += pollMs) {
    const stored = await accounts.findAnswer(identity.tenant, identity.externalId);
    if (stored !== undefined) requireSameContent({ version: contentVersion, hashes: stored.hashes }, identity.hashes);
    if (stored?.answer !== undefined) return { answer: stored.answer, replayed: true };
    await pause(pollMs);
  }
  throw new DomainError("REQUEST_RUNNING", "the same request is still running");
}
