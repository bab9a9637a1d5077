/** The part of a payment's money that compliance keeps apart, by one case. */
export interface Blocked {
  /** Id of the review that blocked the payment. */
  caseId: string;
  /** Balance of the case's account, in minor units of the payment's currency. */
  heldMinor: bigint;
  /** The part of the balance that came out of the tenant's own money: the tenant's promise has ended by that amount. */
  takenMinor: bigint;
  /** True once an authority has allowed the money to go on or back. */
  isReleased: boolean;
  /** Account that an authority's order sent the money to; absent when there was no order. */
  paidTo?: string;
}
