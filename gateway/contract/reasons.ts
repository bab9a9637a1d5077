import { oneOf, text } from "./parts";
import type { Schema } from "./schema";

/** The reason for an outcome other than the requested one. All three members are present, or none. */
export const reasonMembers = {
  reasonCode: {
    ...text(
      "Why it is not as it was asked for: an external code of ISO 20022, or the card scheme's response code; absent while it is.",
    ),
    pattern: "^[A-Z0-9]{2,4}$",
    examples: ["AC03", "51"],
  },
  whoseMove: oneOf("Who can do something about it.", ["payer", "recipient", "platform", "provider"]),
  reasonMessage: text("The reason in one sentence."),
} as const satisfies Record<string, Schema>;
