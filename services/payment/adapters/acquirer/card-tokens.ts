import { textOf } from "../../../shared/crypto/callback-signature";
import type { ProviderCall } from "../../../shared/http/provider-call";
import type { CardTokens } from "../../domain/check-ports";

/** Tokens that are known to be cards, so that the next payment with one need not ask. */
const capacity = 10_000;

/** Card tokens at the acquirer, over HTTP and JSON. A token in the body, unlike one in a path, comes into no log. */
export function makeCardTokens(call: ProviderCall): CardTokens {
  const known = new Set<string>();
  return {
    async mayExist(cardToken) {
      if (known.has(cardToken)) return true;
      const answer = await call("POST", "/acquirer/cards", { cardToken });
      if (answer === undefined) return true;
      if (textOf(answer.body, "cardToken") !== cardToken) return true;
      if (answer.status === 200) remember(known, cardToken);
      return !(answer.status === 422 && textOf(answer.body, "error") === "unknown_token");
    },
  };
}

function remember(known: Set<string>, cardToken: string): void {
  const [oldest] = known;
  if (known.size >= capacity && oldest !== undefined) known.delete(oldest);
  known.add(cardToken);
}
