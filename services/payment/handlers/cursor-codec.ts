import { parseInstant } from "../../shared/kernel/clock";
import { invalid } from "../../shared/kernel/errors";
import type { Place } from "../store/transaction-store";

/** Writes the place where a page of payments ended; callers send it back. */
export const writeCursor = ({ createdAt, id }: Place): string =>
  Buffer.from(`${createdAt.toISOString()} ${id}`).toString("base64url");

/** Reads a cursor. Throws INVALID_ARGUMENT for text that is not one. */
export function readCursor(cursor: string): Place {
  const [at = "", id = ""] = Buffer.from(cursor, "base64url").toString("utf8").split(" ");
  const createdAt = parseInstant(at);
  if (createdAt === undefined || !/^[0-9a-f-]{36}$/.test(id)) {
    throw invalid([{ field: "after", message: "must be the cursor of a page" }]);
  }
  return { createdAt, id };
}
