import { DomainError } from "../../shared/kernel/errors";
import type { Transact } from "../../shared/storage/mongo";
import { fileReport, type Review } from "../domain/review";
import type { ReviewStore } from "../store/review-store";

export interface FileReportDeps {
  transact: Transact;
  reviews: Pick<ReviewStore, "find" | "save">;
}

export type FileReport = (order: {
  tenant: string;
  reviewId: string;
  reference: string;
  author: string;
}) => Promise<Review>;

/** Stores the reference under which the authority was notified. Throws RECORD_NOT_FOUND, RECORD_CONFLICT and INVALID_ARGUMENT. */
export const makeFileReport =
  ({ transact, reviews }: FileReportDeps): FileReport =>
  ({ tenant, reviewId, reference, author }) =>
    transact(async (tx) => {
      const review = await reviews.find(reviewId, tx);
      if (review === undefined || review.tenant !== tenant) {
        throw new DomainError("RECORD_NOT_FOUND", "there is no such review");
      }
      const next = fileReport(review, reference, author);
      if (next !== review) await reviews.save(next, tx);
      return next;
    });
