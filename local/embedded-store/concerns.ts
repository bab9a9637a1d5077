import { Int32 } from "bson";
import { CommandError, codeName, codes, notSupported } from "./errors";
import { type Doc, isDoc, isNumber } from "./values/bson";
import { toSafeInteger } from "./values/numbers";

const readLevels = new Set(["local", "available", "majority", "linearizable", "snapshot"]);

/** Every commit is durable and there is one node, so all levels mean the same; what cannot be kept is refused. */
export function checkReadConcern(command: Doc, transaction: "none" | "first" | "later"): void {
  const concern = command["readConcern"];
  if (concern === undefined) return;
  if (!isDoc(concern)) throw new CommandError("TypeMismatch", "readConcern must be a document");
  if (transaction === "later") {
    throw new CommandError("InvalidOptions", "Only the first command in a transaction may specify a readConcern");
  }
  const unknown = Object.keys(concern).find((name) => !["level", "afterClusterTime", "provenance"].includes(name));
  if (unknown !== undefined) throw notSupported(`readConcern.${unknown}`);
  const level = concern["level"] ?? "local";
  if (typeof level !== "string" || !readLevels.has(level)) {
    const shown = typeof level === "string" ? level : "of another type";
    throw new CommandError(
      "BadValue",
      `Enumeration value '${shown}' for field 'readConcern.level' is not a valid value.`,
    );
  }
  if (transaction === "none" && level === "snapshot") throw notSupported("a snapshot read outside a transaction");
  if (transaction === "first" && (level === "linearizable" || level === "available")) {
    throw new CommandError("InvalidOptions", `The readConcern level ${level} is not allowed in a transaction`);
  }
}

/** What one node cannot promise is said in the reply, as MongoDB does; the write is done all the same. */
export function writeConcernError(command: Doc): Doc | undefined {
  const concern = command["writeConcern"];
  if (concern === undefined) return undefined;
  if (!isDoc(concern)) throw new CommandError("TypeMismatch", "writeConcern must be a document");
  const unknown = Object.keys(concern).find((name) => !["w", "j", "wtimeout", "fsync", "provenance"].includes(name));
  if (unknown !== undefined)
    throw new CommandError("UnknownField", `BSON field 'writeConcern.${unknown}' is an unknown field.`);
  const w = concern["w"];
  if (typeof w === "string" && w !== "majority")
    return failure(codes.UnknownReplWriteConcern, `No write concern mode named '${w}' found`);
  const nodes = isNumber(w) ? toSafeInteger(w) : undefined;
  if (nodes !== undefined && nodes > 1)
    return failure(codes.UnsatisfiableWriteConcern, "Not enough data-bearing nodes");
  return undefined;
}

const failure = (code: number, errmsg: string): Doc => ({ code: new Int32(code), codeName: codeName(code), errmsg });
