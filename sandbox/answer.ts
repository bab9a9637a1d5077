import { refuseWith } from "./refusals";

/** What a provider answers to one call, before a fault may delay or lose it. */
export interface Answer {
  status: number;
  body: object;
  /** A text that is sent instead of the body, which is then no JSON. */
  page?: string;
  /** The scenario lets the caller wait for an answer that never comes. */
  isLost?: boolean;
}

export const notFound: Answer = { status: 404, body: { error: "not_found" } };

/** The reference was used for something else. */
export const referenceConflict: Answer = refuseWith("reference_conflict");
