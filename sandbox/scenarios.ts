/** A provider's decision against an order: an ISO 20022 reason code and its text. */
export interface Decision {
  reasonCode: string;
  reason: string;
}

/** The sandbox's treatment of one payment. */
export interface Scenario {
  effect: string;
  /** The outcome of the payment, as its caller sees it. */
  ends: string;
  /** The rail refuses the order at once. */
  refusal?: Decision;
  /** The rail holds the order, and a little later accepts or refuses it. */
  hold?: { refusal?: Decision };
  /** Time from release to PAID, in place of the rail's own. */
  settleAfterMs?: number;
  /** The money comes back shortly after PAID. */
  isReturned?: boolean;
  /** The first release is never answered, and is or is not executed. */
  lostRelease?: "executed" | "forgotten";
  /** PAID is reported twice, or before an older RELEASED. */
  report?: "twice" | "reversed";
  /** Screening asks for a review and decides it a little later. */
  review?: "APPROVED" | "REJECTED";
}

const accountUnknown: Decision = { reasonCode: "AC03", reason: "account unknown" };
const regulatory: Decision = { reasonCode: "RR04", reason: "held by the rail's compliance and refused" };
const paid: Scenario = { effect: "the rail accepts, pays after release and calls back PAID", ends: "CAPTURED" };

export const scenarios: ReadonlyMap<string, Scenario> = new Map<string, Scenario>([
  ["paid", paid],
  ["slow", { effect: "paid 5 seconds after release, by the sandbox clock", ends: "CAPTURED", settleAfterMs: 5_000 }],
  ["hold-release", { effect: "the rail holds the order, then accepts it", ends: "CAPTURED", hold: {} }],
  [
    "hold-reject",
    { effect: "the rail holds the order, then refuses it", ends: "DECLINED RR04", hold: { refusal: regulatory } },
  ],
  ["reject-account", { effect: "the rail refuses the order", ends: "DECLINED AC03", refusal: accountUnknown }],
  [
    "return-after-paid",
    {
      effect: "the money comes back shortly after it was paid",
      ends: "REFUNDED AC04, after CAPTURED",
      isReturned: true,
    },
  ],
  [
    "review-approve",
    { effect: "screening asks for a review, which is approved", ends: "CAPTURED", review: "APPROVED" },
  ],
  [
    "review-reject",
    { effect: "screening asks for a review, which is rejected", ends: "DECLINED RR04", review: "REJECTED" },
  ],
  [
    "timeout-then-paid",
    { effect: "the first release executes and is never answered", ends: "CAPTURED", lostRelease: "executed" },
  ],
  [
    "timeout-then-absent",
    {
      effect: "the first release is lost and the rail forgets the order",
      ends: "ERROR AB06",
      lostRelease: "forgotten",
    },
  ],
  ["duplicate-callback", { effect: "the PAID callback is sent twice", ends: "CAPTURED", report: "twice" }],
  [
    "out-of-order",
    { effect: "the PAID callback comes before an older RELEASED one", ends: "CAPTURED", report: "reversed" },
  ],
]);

/** The scenario of a narrative with `SIM:<name>` anywhere in it; an unknown name pays. */
export function scenarioOf(narrative: string): Scenario {
  const name = /SIM:([a-z0-9-]+)/.exec(narrative)?.[1];
  return (name === undefined ? undefined : scenarios.get(name)) ?? paid;
}
