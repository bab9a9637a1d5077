import { systemIds } from "../kernel/ids";
import { makeCredential, parseCredential } from "./credential";

describe("credential", () => {
  it("names its kind, environment and public id", () => {
    const ids = { bytes: (count: number) => Buffer.alloc(count, 0xab) };

    const credential = makeCredential("agent", "sandbox", ids);

    expect(credential).toMatch(new RegExp(`^agent_sandbox_${"ab".repeat(8)}_${"ab".repeat(32)}[0-9a-f]{8}$`));
    expect(parseCredential(credential)).toEqual({ kind: "agent", env: "sandbox", id: "ab".repeat(8) });
  });

  it("is distinguished from a mistyped one, wherever the mistake is", () => {
    const credential = makeCredential("key", "local", systemIds);
    const digits = [...credential].flatMap((digit, at) => (/[0-9a-f]/.test(digit) && at > 10 ? [at] : []));

    for (const at of digits) {
      const other = credential[at] === "0" ? "1" : "0";
      expect(parseCredential(credential.slice(0, at) + other + credential.slice(at + 1))).toBeUndefined();
    }
  });

  it("is new every time", () => {
    expect(makeCredential("key", "local", systemIds)).not.toBe(makeCredential("key", "local", systemIds));
  });

  it.each([
    "",
    "key",
    "key_local_abc_def",
    `key_test_${"a".repeat(16)}_${"b".repeat(64)}`,
    `x${makeCredential("key", "local", systemIds)}`,
  ])("is not any other text: %s", (text) => {
    expect(parseCredential(text)).toBeUndefined();
  });
});
