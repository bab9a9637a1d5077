/** What compliance keeps apart of a payment's money, by one case. */
export interface Blocked {
  /** Id of the review that has blocked the payment. */
  caseId: string;
  /** What the case's account has, in minor units of the payment's currency. */
  heldMinor: bigint;
  /** What of it came out of the tenant's own money: so much of the tenant's promise has ended with it. */
  takenMinor: bigint;
  /** True once an authority has allowed that it goes on or back. */
  isReleased: boolean;
  /** Where an authority's order has sent the money; absent where there was none. */
  paidTo?: string;
}
