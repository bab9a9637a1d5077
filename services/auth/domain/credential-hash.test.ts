import { makeCredentialHasher } from "./credential-hash";

describe("makeCredentialHasher", () => {
  const hasher = makeCredentialHasher(Buffer.alloc(32, 1));

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
    const other = makeCredentialHasher(Buffer.alloc(32, 2));

    expect(other.matches("key_local_1_2", hasher.hash("key_local_1_2"))).toBe(false);
  });
});
