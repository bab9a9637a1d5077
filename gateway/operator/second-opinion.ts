import { createHmac, timingSafeEqual } from "node:crypto";
import type { Clock } from "../../services/shared/clock";
import { DomainError } from "../../services/shared/errors";
import { textSchema } from "../schemas/document-schema";

/** Makes two operators agree on one decision, without storing anything. */
export interface SecondOpinion {
  /** What the first operator hands to the second: it says who wanted what until when, and cannot be made up. */
  ask(operator: string, decision: string): string;
  /** Throws RECORD_CONFLICT unless another operator asked for exactly this within a day. */
  check(approval: string, operator: string, decision: string): void;
}

/** How the second operator hands the first one's wish back, in the body of either call. */
export const approvalField = textSchema("What the first operator's call answered; absent from that call.");

const validSeconds = 24 * 60 * 60;

/** The secret is the same in every replica and known to no operator. */
export function makeSecondOpinion(secret: string, clock: Clock): SecondOpinion {
  const seal = (text: string): string => createHmac("sha256", secret).update(text).digest("base64url");
  const nowSeconds = (): number => Math.floor(clock.now().getTime() / 1_000);
  return {
    ask(operator, decision) {
      const until = String(nowSeconds() + validSeconds);
      return `${operator}.${until}.${seal(JSON.stringify([operator, until, decision]))}`;
    },
    check(approval, operator, decision) {
      const [first = "", until = "", mac = ""] = approval.split(".");
      const expected = Buffer.from(seal(JSON.stringify([first, until, decision])));
      const isGenuine = mac.length === expected.length && timingSafeEqual(Buffer.from(mac), expected);
      if (!isGenuine || Number.parseInt(until, 10) < nowSeconds()) {
        throw new DomainError("RECORD_CONFLICT", "the approval is not one of this decision, or too old");
      }
      if (first === operator) throw new DomainError("RECORD_CONFLICT", "a second operator must decide");
    },
  };
}
