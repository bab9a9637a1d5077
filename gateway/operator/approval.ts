import { text } from "../contract/parts";

/** How the second operator hands the first one's wish back, in the body of either call. */
export const approvalMember = text("What the first operator's call answered; absent from that call.");

/** What the first operator's call answers. */
export const approvalAnswer = text("For the second operator, good for a day; absent when it is decided.");
