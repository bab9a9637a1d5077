import { reasonCodes } from "../../services/shared/kernel/reason-codes";
import { reasonMembers } from "../contract/reasons";
import type { DocumentSchema } from "../route";

/** The members of every reason, for schemas that have them. */
export const reasonFields: Readonly<Record<keyof typeof reasonMembers, DocumentSchema>> = reasonMembers;

export const reasonNames = Object.keys(reasonFields);

/** The list in words, for the OpenAPI document. */
export const reasonCodeWords = `Reason codes: ${Object.entries(reasonCodes)
  .map(([code, { sentence }]) => `${code}: ${sentence}`)
  .join(" ")} Another value is the provider's own code.`;
