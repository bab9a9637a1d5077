import type { Fact } from "./fact";
import type { Posting } from "./payment";

const suspense = "platform/suspense";

/** What a provider collected, or paid less: the side of our account there. */
const inflow: ReadonlySet<Fact["kind"]> = new Set(["CAPTURED", "SETTLED"]);

/**
 * The entry for money that moved about no payment of ours: until a person knows whose it is, the other side waits in suspense.
 * Empty for facts that move nothing.
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
 * The facts whose money a correction may have taken out of suspense. It does not say which of a currency it means, so it settles
 * all of them: none may be given to a payment afterwards, as if its money still waited.
 */
export const correctedFacts = (facts: readonly Fact[], postings: readonly Posting[]): readonly Fact[] =>
  facts.filter(({ amount }) =>
    postings.some(({ account, currency }) => account === suspense && currency === amount?.currency),
  );
