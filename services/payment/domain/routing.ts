import { invalid } from "../../shared/errors";
import type { PushCommand } from "./payment-request";

/** Rail by payout method. A method without a row is offered by the corridor's schema and served by no rail yet. */
const railByMethod: Readonly<Record<string, string>> = { PIX: "pix" };

/** The rail that pays a command out. Throws INVALID_ARGUMENT when no rail serves its method. */
export function railFor({ method }: PushCommand): string {
  const rail = railByMethod[method.type];
  if (rail !== undefined) return rail;
  throw invalid([
    { field: "recipient.paymentMethod.type", message: `must be one of ${Object.keys(railByMethod).join(", ")}` },
  ]);
}
