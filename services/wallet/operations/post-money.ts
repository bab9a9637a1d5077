import { hasReason } from "../../shared/kernel/errors";
import type { Posting, Release } from "../domain/command";
import type { Ledger } from "../ports";

export interface PostMoneyDeps {
  ledger: Ledger;
}

/** Money that a payment has moved, as one event reports it. */
export interface MoneyMoved {
  eventId: string;
  /** Id of the fact, which other events may repeat; empty where the event itself is the fact. */
  entryId: string;
  tenant: string;
  paymentId: string;
  /** The reason of the movement, for example payout or fee. */
  kind: string;
  postings: readonly Posting[];
  releases: readonly Release[];
}

/** Throws IDEMPOTENCY_CONFLICT, after all else is posted, when a fact was posted before with other content. */
export type PostMoney = (moved: readonly MoneyMoved[]) => Promise<void>;

/**
 * Posts to platform accounts what payments have moved, each fact once: the fact's id is the entry's. Sums do not depend on
 * order, so early or repeated messages need no record beside the journal.
 */
export const makePostMoney =
  ({ ledger }: PostMoneyDeps): PostMoney =>
  async (moved) => {
    const results = await Promise.allSettled(moved.map((one) => ledger.submit(commandOf(one))));
    const failures = results.flatMap((result) => (result.status === "rejected" ? [result.reason as unknown] : []));
    // A retryable failure comes first: a message is given up only when every remaining failure is final.
    const first = failures.find((failure) => !isFinal(failure)) ?? failures[0];
    if (first !== undefined)
      throw first instanceof Error ? first : new Error("money could not be posted", { cause: first });
  };

const isFinal = (error: unknown): boolean => hasReason(error, "IDEMPOTENCY_CONFLICT");

function commandOf({ eventId, entryId, tenant, paymentId, kind, postings, releases }: MoneyMoved) {
  // A message that only releases promises is identified by its event.
  const id = postings.length === 0 || entryId === "" ? eventId : entryId;
  const hashes = { postings: contentOf(postings) };
  const facts = { externalId: paymentId, paymentId, label: kind, eventId, postings, releases };
  return { kind: "posting", id, tenant, hashes, ...facts } as const;
}

/** Postings as one text; distinguishes a repeat from another entry under the same id. */
export const contentOf = (postings: readonly Posting[]): string =>
  postings.map(({ path, asset, minor }) => `${path} ${asset} ${minor}`).join("; ");
