/** Why a rail refuses an instruction: an ISO 20022 reason code and its words. */
export interface Refusal {
  reasonCode: string;
  reason: string;
}

interface Scenario {
  effect: string;
  /** Given when the rail refuses the instruction at once. */
  refusal?: Refusal;
}

const paid: Scenario = { effect: "the rail accepts, pays after release and calls back PAID" };

const scenarios: ReadonlyMap<string, Scenario> = new Map([
  ["paid", paid],
  [
    "reject-account",
    { effect: "the rail refuses to prepare", refusal: { reasonCode: "AC03", reason: "account unknown" } },
  ],
]);

/** The scenario that a narrative asks for with `SIM:<name>` anywhere in it; an unknown name pays. */
export function scenarioOf(narrative: string): Scenario {
  const name = /SIM:([a-z0-9-]+)/.exec(narrative)?.[1];
  return (name === undefined ? undefined : scenarios.get(name)) ?? paid;
}

/** Everything that this world reacts to, for machines. */
export const worldValues = (): object => ({
  scenarios: [...scenarios].map(([name, { effect }]) => ({
    name,
    value: `SIM:${name}`,
    effect,
    default: name === "paid",
  })),
  rails: [{ rail: "pix", country: "BRA", currency: "BRL", keyTypes: ["EMAIL", "PHONE", "DOCUMENT", "EVP"] }],
});
