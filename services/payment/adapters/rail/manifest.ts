import type { ProviderManifest, Refusals } from "../../ports";

/** The rails of pushes. Those without a prepare step receive the whole instruction with the release. */
export const railNames = ["pix", "bank", "upi", "dimo", "wallet", "card", "msn"] as const;

const withoutPrepare: readonly string[] = ["dimo"];

/** Refusal of a malformed instruction: the rail has reserved nothing. */
export const malformed = { invalid_request: "FF01" } as const satisfies Refusals;
/** Refusal of an instruction that lacks something its country requires: the rail has reserved nothing. */
export const incomplete = { incomplete_instruction: "RR04" } as const satisfies Refusals;
/** Code of a rail's own decision, which comes with its status; the reason is an ISO 20022 external code. */
export const refused = "REFUSED";
/** Stands in for the reason when a rail gives none with its decision. */
export const ownDecision = { [refused]: "MS03" } as const satisfies Refusals;

export const railManifest = (name: string, finalityWindowMs: number): ProviderManifest => ({
  name,
  role: "payout",
  hasPrepare: !withoutPrepare.includes(name),
  keepsPrepared: !withoutPrepare.includes(name),
  hasCancel: true,
  callbacks: "signed",
  finalityWindowMs,
  refusals: {
    prepare: { ...malformed, ...incomplete, ...ownDecision },
    release: { ...malformed, ...incomplete, ...ownDecision },
    cancel: {},
  },
  statement: "api",
});
