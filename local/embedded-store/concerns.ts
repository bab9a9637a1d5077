import { Int32 } from "bson";
import { codeName, codes, demand, notSupported } from "./errors";
import { type Doc, isDoc } from "./values/bson";
import { toSafeInteger } from "./values/numbers";

const readLevels = ["local", "available", "majority", "linearizable", "snapshot"];

/** Every commit is durable and there is one node, so all levels mean the same; unsupported concerns are refused. */
export function checkReadConcern(concern: unknown, transaction: "none" | "first" | "later"): void {
  if (concern === undefined) return;
  demand(isDoc(concern), "TypeMismatch", "readConcern must be a document");
  const isAllowed = transaction !== "later";
  demand(isAllowed, "InvalidOptions", "Only the first command in a transaction may specify a readConcern");
  const unknown = Object.keys(concern).find((name) => !["level", "afterClusterTime", "provenance"].includes(name));
  if (unknown !== undefined) throw notSupported(`readConcern.${unknown}`);
  const level = concern["level"] ?? "local";
  const isKnown = typeof level === "string" && readLevels.includes(level);
  demand(
    isKnown,
    "BadValue",
    `Enumeration value '${JSON.stringify(level)}' for field 'readConcern.level' is not a valid value.`,
  );
  if (transaction === "none" && level === "snapshot") throw notSupported("a snapshot read outside a transaction");
  const isTooMuch = transaction === "first" && (level === "linearizable" || level === "available");
  demand(!isTooMuch, "InvalidOptions", `The readConcern level ${level} is not allowed in a transaction`);
}

/** The reply reports guarantees that one node cannot give, as MongoDB does; the write is still done. */
export function writeConcernError(concern: unknown): Doc | undefined {
  if (concern === undefined) return undefined;
  demand(isDoc(concern), "TypeMismatch", "writeConcern must be a document");
  const unknown = Object.keys(concern).find((name) => !["w", "j", "wtimeout", "fsync", "provenance"].includes(name));
  demand(unknown === undefined, "UnknownField", `BSON field 'writeConcern.${unknown}' is an unknown field.`);
  const { w } = concern;
  if (typeof w === "string" && w !== "majority")
    return failure(codes.UnknownReplWriteConcern, `No write concern mode named '${w}' found`);
  if ((toSafeInteger(w) ?? 1) > 1) return failure(codes.UnsatisfiableWriteConcern, "Not enough data-bearing nodes");
  return undefined;
}

const failure = (code: number, errmsg: string): Doc => ({ code: new Int32(code), codeName: codeName(code), errmsg });
