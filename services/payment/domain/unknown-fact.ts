import type { Fact } from "./fact";
import type { Posting } from "./payment";

const suspense = "platform/suspense";

/** Kinds of facts that bring money into our account at the provider. */
const inflow: ReadonlySet<Fact["kind"]> = new Set(["CAPTURED", "SETTLED"]);

/**
 * Returns the entry for money that moved under a reference of no payment of ours: the other side waits in suspense until a person knows
 * whose money it is. Empty for facts that move nothing.
 */
export function suspensePostings(fact: Fact): readonly Posting[] {
  const { amount, provider, kind, role } = fact;
  if (amount === undefined || amount.minor === 0n) return [];
  const clearing = `provider/${provider}/clearing`;
  const isIn = inflow.has(kind) || (role === "payout" && kind === "RETURNED");
  const minor = isIn ? -amount.minor : amount.minor;
  return [
    { account: clearing, currency: amount.currency, minor },
    { account: suspense, currency: amount.currency, minor: -minor },
  ];
}

/**
 * Returns the facts whose money a correction may have taken out of suspense. A correction does not say which fact of a currency it
 * settles, so it settles all of them: none of them may later be given to a payment as if its money still waited.
 */
export const correctedFacts = (facts: readonly Fact[], postings: readonly Posting[]): readonly Fact[] =>
  facts.filter(({ amount }) =>
    postings.some(({ account, currency }) => account === suspense && currency === amount?.currency),
  );
