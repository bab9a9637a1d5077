import type { ProviderManifest, Refusals } from "../../ports";

/** The rails of pushes. Those without a prepare step take the whole instruction with the release. */
export const railNames = ["pix", "bank", "upi", "dimo", "wallet", "card", "msn"] as const;

const withoutPrepare: readonly string[] = ["dimo"];

/** What a rail calls an instruction that it does not take: it has reserved nothing. */
export const malformed = { invalid_request: "FF01" } as const satisfies Refusals;
/** What a rail calls an instruction that lacks what its country asks for: it has reserved nothing either. */
export const incomplete = { incomplete_instruction: "RR04" } as const satisfies Refusals;
/** A rail's own decision comes with its status; the reason is an ISO 20022 external code. */
export const refused = "REFUSED";
/** One that comes without its reason. */
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
