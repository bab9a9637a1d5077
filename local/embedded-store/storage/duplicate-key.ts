import { CommandError } from "../errors";
import type { Doc } from "../values/bson";
import type { Collection, Index } from "./catalog";
import { valuesBehind } from "./index-keys";

export function duplicateKey(collection: Collection, index: Index, doc: Doc, entry: Buffer): CommandError {
  const values = valuesBehind(index, doc, entry);
  const keyValue: Doc = {};
  index.fields.forEach(({ name }, at) => {
    keyValue[name] = values[at] ?? null;
  });
  return duplicateKeyError(collection.namespace, index.name, index.spec["key"], keyValue);
}

export function duplicateKeyError(namespace: string, name: string, keyPattern: unknown, keyValue: Doc): CommandError {
  const shown = Object.keys(keyValue)
    .map((field) => `${field}: ${show(keyValue[field])}`)
    .join(", ");
  return new CommandError(
    "DuplicateKey",
    `E11000 duplicate key error collection: ${namespace} index: ${name} dup key: { ${shown} }`,
    {
      keyPattern,
      keyValue,
    },
  );
}

const show = (value: unknown): string => (typeof value === "string" ? JSON.stringify(value) : String(value));
