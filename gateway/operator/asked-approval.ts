import { answer, instant, orNull, text } from "../contract/parts";

/** The header that names the approval of a command. */
export const approvalHeader = "x-approval";

export const askedApproval = answer("AskedApproval", "The approval that a command waits for.", {
  approval: text("Id of the approval. The command is carried out when it is sent again with it in `x-approval`."),
  expiresAt: orNull(instant("Until when another operator can agree.")),
});
