import { makeCredentialHasher } from "./credential-hash";

const [old, next] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)] as const;

describe("makeCredentialHasher", () => {
  const hasher = makeCredentialHasher([old]);

  it("matches a credential with its own hash only", () => {
    const stored = hasher.hash("key_local_1_2");

    expect(hasher.matches("key_local_1_2", stored)).toBe(true);
    expect(hasher.matches("key_local_1_3", stored)).toBe(false);
    expect(stored).not.toContain("key_local");
  });

  it("matches nothing when no hash is stored, not even the decoy's own text", () => {
    expect(hasher.matches("", undefined)).toBe(false);
  });

  it("depends on the pepper", () => {
    const other = makeCredentialHasher([next]);

    expect(other.matches("key_local_1_2", hasher.hash("key_local_1_2"))).toBe(false);
  });

  it("matches hashes of any pepper in the ring, hashes under the newest, and distinguishes the two", () => {
    const ring = makeCredentialHasher([next, old]);
    const [before, after] = [hasher.hash("c"), ring.hash("c")];

    expect(ring.matches("c", before)).toBe(true);
    expect(ring.matches("c", after)).toBe(true);
    expect(ring.matches("d", before)).toBe(false);
    expect(after).toBe(makeCredentialHasher([next]).hash("c"));
    expect([before, after].map(ring.ageOf)).toEqual(["older", "newest"]);
  });

  it("matches nothing under a removed pepper, and no text that is not a hash", () => {
    const ring = makeCredentialHasher([next]);
    const stored = hasher.hash("c");

    expect(ring.ageOf(stored)).toBe("unknown");
    expect(ring.matches("c", stored)).toBe(false);
    const [id = ""] = ring.hash("c").split(".");
    for (const text of ["", ".", id, `${id}.`, `${id}.AA`, `x.${ring.hash("c").split(".")[1]}`]) {
      expect(ring.matches("c", text)).toBe(false);
    }
  });
});
