import { CommandError } from "../errors";
import type { Collection } from "./catalog";
import type { Change } from "./history";
import type { Index } from "./index-definition";

/**
 * The entries of a document, index by index in the order of the collection's list. The slot is empty if there are none and, both before and
 * after a change, if the change cannot touch the index.
 */
export type Keys = (Buffer[] | undefined)[];

export interface Write {
  before: Uint8Array | undefined;
  after: Uint8Array | undefined;
  beforeKeys: Keys;
  afterKeys: Keys;
}

/**
 * A view of the store with writes of its own. Every command outside a client's transaction runs in an implicit one that
 * begins and ends within the command, so no other command can intervene: its writes go straight to the database, in a part
 * that is undone when the command fails. Those of a client's transaction wait in memory until its commit.
 */
export interface Transaction {
  isImplicit: boolean;
  snapshot: number;
  startedAt: number;
  state: "open" | "committed" | "aborted";
  writes: Map<Collection, Map<string, Write>>;
  /** Set once its part of the database transaction has begun: what is undone in memory when it fails. */
  hasWritten: boolean;
  madeMultikey: Index[];
  /** For an implicit transaction: the images that old snapshots need. */
  changes: Change[];
  /** Unique entries taken (the key of the document) or given up (undefined) by this transaction. */
  uniques: Map<string, string | undefined>;
  held: string[];
  used: Set<Collection>;
  created: Map<string, Collection>;
  /** Resolved when the transaction has ended; writers outside transactions wait for it. */
  ended: Promise<void>;
  end(): void;
}

const alreadyEnded = { promise: Promise.resolve(), resolve: () => {} };

export function startTransaction(isImplicit: boolean, snapshot: number): Transaction {
  const { promise, resolve } = isImplicit ? alreadyEnded : Promise.withResolvers<void>();
  return {
    isImplicit,
    snapshot,
    startedAt: Date.now(),
    state: "open",
    writes: new Map(),
    hasWritten: false,
    madeMultikey: [],
    changes: [],
    uniques: new Map(),
    held: [],
    used: new Set(),
    created: new Map(),
    ended: promise,
    end: resolve,
  };
}

/** A command outside transactions met something that an open transaction holds. It runs again when that transaction has ended. */
export class Blocked extends Error {
  constructor(readonly holder: Transaction) {
    super("waiting for a transaction");
    this.name = "Blocked";
  }
}

export const writeConflict = () =>
  new CommandError("WriteConflict", "Caused by :: Write conflict during plan execution. Please retry your operation.");

export const keyText = (key: Buffer): string => key.toString("latin1");
export const keyBytes = (text: string): Buffer => Buffer.from(text, "latin1");

/** Entries that are only in the first list, and those only in the second. */
export function difference(old: Buffer[] = [], next: Buffer[] = []): [Buffer[], Buffer[]] {
  return [
    old.filter((entry) => !next.some((other) => other.equals(entry))),
    next.filter((entry) => !old.some((other) => other.equals(entry))),
  ];
}
