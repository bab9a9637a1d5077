import { mongo } from "mongoose";

/** Ends the work on single payments right before or right after one of their saves, as a dying process does. */
export interface SaveFaults {
  /** `save` counts from 0, the insertion; each armed fault strikes once. */
  arm(externalId: string, when: "before" | "after", save: number): void;
  /** Number of faults that have struck. */
  struck(): number;
  /** Restores the driver. */
  restore(): void;
}

interface Armed {
  when: "before" | "after";
  save: number;
}

/** The error that the service gets instead of the store's answer. */
class LostWork extends Error {
  override name = "LostWork";
}

const methods = ["insertOne", "insertMany", "updateOne", "bulkWrite", "findOneAndUpdate", "replaceOne"] as const;

/**
 * Intercepts the driver's writes to payments in this process. To a payment, work that throws there is work of a process that
 * ended: only what the store has remains.
 */
export function watchSaves(): SaveFaults {
  const armed = new Map<string, Armed>();
  const externalIds = new Map<string, string>();
  const counts = new Map<string, number>();
  let struck = 0;
  const prototype = mongo.Collection.prototype as unknown as Record<string, (...words: unknown[]) => Promise<unknown>>;
  const originals = methods.map((name) => [name, prototype[name]] as const);

  const subjectOf = (method: string, words: unknown[]): string | undefined => {
    const first = Object(words[0]);
    if (method !== "insertOne") return externalIds.get(String(first["_id"]));
    const externalId = String(first["externalId"]);
    if (!armed.has(externalId)) return undefined;
    externalIds.set(String(first["_id"]), externalId);
    return externalId;
  };
  /** Documents and changes that are written together are lost together. */
  const membersOf = (method: string, words: unknown[]): (readonly [method: string, words: unknown[]])[] => {
    const all = Array.isArray(words[0]) ? (words[0] as unknown[]) : [];
    if (method === "insertMany") return all.map((document) => ["insertOne", [document]]);
    if (method !== "bulkWrite") return [[method, words]];
    // Changes of payments name the version; other writes are not saves.
    const filters = all.map((operation) => Object(Object(Object(operation)["updateOne"])["filter"]) as object);
    return filters.filter((filter) => "version" in filter).map((filter) => ["updateOne", [filter]]);
  };
  /** The fault that strikes now, if one does. */
  const faultAt = (method: string, words: unknown[]): Armed | undefined => {
    const subject = subjectOf(method, words);
    const fault = subject === undefined ? undefined : armed.get(subject);
    if (subject === undefined || fault === undefined) return undefined;
    const save = counts.get(subject) ?? 0;
    counts.set(subject, save + 1);
    if (save !== fault.save) return undefined;
    armed.delete(subject);
    return fault;
  };
  for (const [name, original] of originals) {
    if (original === undefined) throw new Error(`the driver has no ${name}`);
    prototype[name] = async function watched(this: { collectionName: string }, ...words: unknown[]): Promise<unknown> {
      if (this.collectionName !== "payments") return original.apply(this, words);
      const [fault] = membersOf(name, words).flatMap(([method, given]) => faultAt(method, given) ?? []);
      if (fault === undefined) return original.apply(this, words);
      struck += 1;
      if (fault.when === "after") await original.apply(this, words);
      throw new LostWork(`the work ended ${fault.when} save ${fault.save}`);
    };
  }
  return {
    arm: (externalId, when, save) => armed.set(externalId, { when, save }),
    struck: () => struck,
    restore() {
      for (const [name, original] of originals) if (original !== undefined) prototype[name] = original;
    },
  };
}
