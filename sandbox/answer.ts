import { refuseWith } from "./refusals";

/** A provider's answer to one call, before a fault may delay or lose it. */
export interface Answer {
  status: number;
  body: object;
  /** HTML that is sent instead of a JSON body. */
  page?: string;
  /** The scenario leaves the caller waiting for an answer that never comes. */
  isLost?: boolean;
}

export const notFound: Answer = { status: 404, body: { error: "not_found" } };

/** The reference was used with other content. */
export const referenceConflict: Answer = refuseWith("reference_conflict");
