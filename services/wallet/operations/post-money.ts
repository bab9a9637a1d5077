import { hasReason } from "../../shared/kernel/errors";
import type { Posting, Release } from "../domain/command";
import type { Ledger } from "../ports";

export interface PostMoneyDeps {
  ledger: Ledger;
}

/** Money that a payment has moved, as one event told. */
export interface MoneyMoved {
  eventId: string;
  /** Id of the fact, which other events may tell again; empty where the event itself is the fact. */
  entryId: string;
  tenant: string;
  paymentId: string;
  /** What moved it, for example payout or fee. */
  kind: string;
  postings: readonly Posting[];
  releases: readonly Release[];
}

/** Throws IDEMPOTENCY_CONFLICT, after all else is posted, when a fact was posted before with other content. */
export type PostMoney = (moved: readonly MoneyMoved[]) => Promise<void>;

/**
 * Posts to platform accounts what payments have moved, each fact once: its id is the entry's. Sums do not depend on order,
 * so a message that came early or again needs no memory beside the journal.
 */
export const makePostMoney =
  ({ ledger }: PostMoneyDeps): PostMoney =>
  async (moved) => {
    const results = await Promise.allSettled(moved.map((one) => ledger.submit(commandOf(one))));
    const failures = results.flatMap((result) => (result.status === "rejected" ? [result.reason as unknown] : []));
    // What may be tried again comes first: a message is given up only when nothing else is left of it.
    const first = failures.find((failure) => !isFinal(failure)) ?? failures[0];
    if (first !== undefined)
      throw first instanceof Error ? first : new Error("money could not be posted", { cause: first });
  };

const isFinal = (error: unknown): boolean => hasReason(error, "IDEMPOTENCY_CONFLICT");

function commandOf({ eventId, entryId, tenant, paymentId, kind, postings, releases }: MoneyMoved) {
  // What only releases promises is a fact of its event alone.
  const id = postings.length === 0 || entryId === "" ? eventId : entryId;
  const hashes = { postings: contentOf(postings) };
  const facts = { externalId: paymentId, paymentId, label: kind, eventId, postings, releases };
  return { kind: "posting", id, tenant, hashes, ...facts } as const;
}

/** Postings as one text, by which a repeat is told from another entry under the same id. */
export const contentOf = (postings: readonly Posting[]): string =>
  postings.map(({ path, asset, minor }) => `${path} ${asset} ${minor}`).join("; ");
