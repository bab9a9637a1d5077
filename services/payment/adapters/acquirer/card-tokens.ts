import { textOf } from "../../../shared/crypto/callback-signature";
import type { ProviderCall } from "../../../shared/http/provider-call";
import type { CardTokens } from "../../domain/check-ports";

/** Remembers tokens that the acquirer knows as cards, so that the next payment with one need not ask. */
const capacity = 10_000;

/** Looks up card tokens at the acquirer, over HTTP and JSON. The token goes into the body because paths are logged and bodies are not. */
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
