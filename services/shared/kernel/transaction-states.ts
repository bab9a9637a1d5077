/** Every transaction status that a webhook may carry. The spelling is the one that callers see. */
export type TransactionState =
  | "Created"
  | "PaymentProcessing"
  | "WaitingChallenge3ds"
  | "PaymentAuthorized"
  | "PaymentDeclined"
  | "PaymentCaptured"
  | "WaitingSettlement"
  | "PaymentSettled"
  | "ProcessingPayout"
  | "PayoutAccepted"
  | "PayoutHold"
  | "PayoutReleased"
  | "PayoutRejected"
  | "ManualReview"
  | "ReviewApproved"
  | "ReviewRejected"
  | "WaitingPayout"
  | "Paid"
  | "Completed"
  | "Cancelled"
  | "CancelRequested"
  | "Refunded"
  | "Voided"
  | "Error"
  | "PendingReversalApproval"
  | "BlockedPendingReview";

/**
 * The moves that a transaction may make; anything else is a bug. A state without moves is terminal.
 * A refused cancel or reversal goes back to the state it was asked in, so those two also list the states they are entered from.
 * Which of the listed moves is right at a given moment (nothing pulled yet, authorised, captured) is the payment service's decision.
 */
export const transactionMoves: Record<TransactionState, readonly TransactionState[]> = {
  Created: ["PaymentProcessing", "ProcessingPayout", "CancelRequested", "Error"],
  PaymentProcessing: ["WaitingChallenge3ds", "PaymentAuthorized", "PaymentDeclined", "Error"],
  WaitingChallenge3ds: ["PaymentAuthorized", "PaymentDeclined", "Cancelled"],
  PaymentAuthorized: ["ProcessingPayout", "PaymentCaptured", "Voided", "CancelRequested"],
  PaymentDeclined: [],
  PaymentCaptured: ["WaitingPayout", "WaitingSettlement", "PendingReversalApproval", "Refunded", "Completed"],
  WaitingSettlement: ["PaymentSettled", "PendingReversalApproval"],
  PaymentSettled: ["WaitingPayout", "Completed", "PendingReversalApproval"],
  ProcessingPayout: ["PayoutAccepted", "PayoutHold", "PayoutRejected", "Error"],
  PayoutAccepted: ["ReviewApproved", "ManualReview", "BlockedPendingReview", "CancelRequested"],
  PayoutHold: ["PayoutReleased", "PayoutRejected", "CancelRequested"],
  PayoutReleased: ["PayoutAccepted"],
  PayoutRejected: ["Voided", "PendingReversalApproval", "Cancelled"],
  ManualReview: ["ReviewApproved", "ReviewRejected"],
  ReviewApproved: ["PaymentCaptured", "WaitingPayout", "CancelRequested"],
  ReviewRejected: ["Voided", "PendingReversalApproval", "Cancelled"],
  WaitingPayout: ["Paid", "PayoutRejected", "CancelRequested", "Error"],
  Paid: ["Completed", "PayoutRejected"],
  Completed: ["PendingReversalApproval", "Refunded"],
  Cancelled: [],
  CancelRequested: [
    "Cancelled",
    "Voided",
    "PendingReversalApproval",
    "Created",
    "PaymentAuthorized",
    "PayoutHold",
    "PayoutAccepted",
    "ReviewApproved",
    "WaitingPayout",
  ],
  Refunded: [],
  Voided: [],
  Error: [],
  PendingReversalApproval: [
    "Refunded",
    "Voided",
    "PaymentCaptured",
    "WaitingSettlement",
    "PaymentSettled",
    "PayoutRejected",
    "ReviewRejected",
    "CancelRequested",
    "Completed",
  ],
  BlockedPendingReview: ["ManualReview", "ReviewRejected"],
};
