import {
  type AuditRecord,
  auditKeysOf,
  chainEntries,
  emptyChain,
  isBeginSealed,
  sealBegin,
  walkChain,
} from "./audit-chain";

const keys = auditKeysOf([Buffer.alloc(32, 1)]);
const newer = auditKeysOf([Buffer.alloc(32, 2), Buffer.alloc(32, 1)]);
const entry = (outcome: string) => ({
  at: new Date("2026-01-01T00:00:00Z"),
  actor: "operator:ada",
  tenant: "demo",
  action: "POST /tenants",
  object: "",
  outcome,
  requestId: "r",
  address: "127.0.0.1",
  count: 1,
  session: "",
});
const records = chainEntries(keys, emptyChain, ["begun", "done", "begun", "done"].map(entry));

function brokenAt(stored: readonly AuditRecord[], walkKeys = keys): number | undefined {
  const walk = walkChain(walkKeys);
  stored.forEach(walk.step);
  return walk.brokenAt();
}

describe("the audit chain", () => {
  it("is whole when read as written, in one go or in parts", () => {
    const [first, ...rest] = records;
    const parts = chainEntries(keys, first ?? emptyChain, ["done", "begun", "done"].map(entry));

    expect(brokenAt(records)).toBeUndefined();
    expect(parts).toEqual(rest);
  });

  it("names a record of which any field was changed", () => {
    for (const [index, record] of records.entries()) {
      for (const field of Object.keys(record)) {
        const value = Reflect.get(record, field) as unknown;
        const changed =
          typeof value === "number" ? value + 9 : value instanceof Date ? new Date(0) : `${String(value)}x`;
        const stored = records.with(index, { ...record, [field]: changed });

        expect(brokenAt(stored)).toBe(index + 1);
      }
    }
  });

  it("names the place of a removed record, and the first of two swapped records", () => {
    for (const [index] of records.slice(0, -1).entries()) {
      expect(brokenAt(records.toSpliced(index, 1))).toBe(index + 1);
    }
    expect(brokenAt([0, 2, 1, 3].flatMap((index) => records[index] ?? []))).toBe(2);
  });

  it("cannot be made without the key", () => {
    const forged = chainEntries(auditKeysOf([Buffer.alloc(32, 2)]), emptyChain, ["begun"].map(entry));

    expect(brokenAt(forged)).toBe(1);
  });

  it("continues under a newer key, and is whole for as long as each record's key is known", () => {
    const [head = emptyChain] = records.slice(-1);
    const further = [...records, ...chainEntries(newer, head, ["begun", "done"].map(entry))];

    expect(brokenAt(further, newer)).toBeUndefined();
    expect(brokenAt(further, keys)).toBe(5);
    expect(brokenAt(further, auditKeysOf([Buffer.alloc(32, 2)]))).toBe(1);
    // The hash covers the key id.
    const [newKey = ""] = newer.all.keys();
    expect(brokenAt(further.with(0, { ...(further[0] as AuditRecord), key: newKey }), newer)).toBe(1);
  });

  it("accepts a begin only under the seal of its own keys, old or new", () => {
    const begin = { sequence: 4, hash: "h" };
    const sealed = { ...begin, seal: sealBegin(keys, begin) };

    expect(isBeginSealed(newer, sealed)).toBe(true);
    expect(isBeginSealed(newer, { ...sealed, sequence: 5 })).toBe(false);
    expect(isBeginSealed(auditKeysOf([Buffer.alloc(32, 3)]), sealed)).toBe(false);
  });
});
