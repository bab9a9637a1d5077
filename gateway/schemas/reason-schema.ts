import { reasonCodes } from "../../services/shared/kernel/reason-codes";
import { enumSchema, textSchema } from "./document-schema";

/** Why, where something is not as it was asked for. All three are there, or none. */
export const reasonFields = {
  reasonCode: textSchema(
    "Why it is not as it was asked for: an external code of ISO 20022, or the card scheme's response code; absent while it is.",
    { pattern: "^[A-Z0-9]{2,4}$", examples: ["AC03", "51"] },
  ),
  whoseMove: enumSchema("Who can do something about it.", ["payer", "recipient", "platform", "provider"]),
  reasonMessage: textSchema("The reason in one sentence."),
};

export const reasonNames = Object.keys(reasonFields);

/** The list in words, for the OpenAPI document. */
export const reasonCodeWords = `Reason codes: ${Object.entries(reasonCodes)
  .map(([code, { sentence }]) => `${code}: ${sentence}`)
  .join(" ")} Another value is the provider's own code.`;
