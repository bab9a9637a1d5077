import { mongo } from "mongoose";
import type { ItemResult } from "../process/batch-calls";

/** A command to the store that takes longer no longer delays other groups, milliseconds. */
export const slowMs = 250;

export const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/** Returns an error of our own, because the store's error for a group has the code of one of its members. */
export const uncertain = (cause: unknown): { error: Error } & ItemResult<never> => ({
  error: new Error("the store did not say what of a group it has written", { cause }),
});

/** True when the driver itself could not send the group: nothing of it has left this process. */
export const wasNotSent = (error: unknown): boolean =>
  error instanceof mongo.BSON.BSONError || error instanceof mongo.MongoInvalidArgumentError;

const duplicateKey = 11_000;

/**
 * Returns the positions of the members that were refused as duplicates, if that is all that went wrong, and how many members found their
 * document.
 */
export function refusedBy(error: unknown): { places: ReadonlySet<number>; matched: number } | undefined {
  if (!(error instanceof mongo.MongoBulkWriteError)) return undefined;
  const errors = [error.writeErrors].flat();
  const isCertain = errors.length > 0 && errors.every(({ code }) => code === duplicateKey);
  if (!isCertain || error.result.getWriteConcernError() !== undefined) return undefined;
  return { places: new Set(errors.map(({ index }) => index)), matched: error.result.matchedCount };
}
