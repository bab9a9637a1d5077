import { hash } from "node:crypto";
import { parseInstant } from "./clock";
import { invalid } from "./errors";
import type { TenantScope } from "./tenant-scope";

/** Where a page of a list ended. */
export interface ListPlace {
  createdAt: Date;
  id: string;
}

/** Names a list by kind, scope and filter. A cursor is valid in its own list only. */
export function listName(kind: string, scope: TenantScope, filter: object): string {
  const asked = Object.entries(filter)
    .filter(([, value]) => value !== undefined && value !== false)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  const whose = scope === "all tenants" ? [] : [scope.tenant];
  const text = JSON.stringify([kind, whose, asked], (_name, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  );
  return hash("sha256", text, "base64url").slice(0, 16);
}

/** Writes a place as the cursor that callers pass back. */
export const writeListCursor = (list: string, { createdAt, id }: ListPlace): string =>
  Buffer.from(`${createdAt.toISOString()} ${id} ${list}`).toString("base64url");

/** Reads a cursor. Throws INVALID_ARGUMENT when it is not one of this list. */
export function readListCursor(list: string, cursor: string): ListPlace {
  const [at = "", id = "", of = ""] = Buffer.from(cursor, "base64url").toString("utf8").split(" ");
  const createdAt = parseInstant(at);
  if (createdAt === undefined || !/^[0-9a-f-]{36}$/.test(id)) {
    throw invalid([{ field: "after", message: "must be the cursor of a page" }]);
  }
  if (of !== list) {
    throw invalid([{ field: "after", message: "must be the cursor of a page of this list, with the same filters" }]);
  }
  return { createdAt, id };
}
