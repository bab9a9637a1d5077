import { CommandError } from "../errors";
import type { Doc } from "../values/bson";
import type { Collection } from "./catalog";
import type { Index } from "./index-definition";
import { valuesBehind } from "./index-keys";

export function duplicateKey({ namespace }: Collection, { name, fields, spec }: Index, doc: Doc, entry: Buffer) {
  const values = valuesBehind(fields, doc, entry);
  const keyValue = Object.fromEntries(fields.map((field, at): [string, unknown] => [field.name, values[at] ?? null]));
  return duplicateKeyError(namespace, name, spec["key"], keyValue);
}

export function duplicateKeyError(namespace: string, name: string, keyPattern: unknown, keyValue: Doc): CommandError {
  const shown = Object.entries(keyValue).map(([field, value]) => `${field}: ${show(value)}`);
  const message = `E11000 duplicate key error collection: ${namespace} index: ${name} dup key: { ${shown.join(", ")} }`;
  return new CommandError("DuplicateKey", message, { keyPattern, keyValue });
}

const show = (value: unknown): string => (typeof value === "string" ? JSON.stringify(value) : String(value));
