import { systemIds } from "../kernel/ids";
import { makeSealer } from "./sealing";

const key = Buffer.alloc(32, 7);
const sealer = makeSealer(key, systemIds);
const context = "acme|subscriptions|1|secret";

describe("makeSealer", () => {
  it("opens what it sealed for the same place", () => {
    const sealed = sealer.seal("a secret", context);

    expect(sealed).not.toContain("a secret");
    expect(sealer.open(sealed, context).toString()).toBe("a secret");
  });

  it("refuses a text moved to another place", () => {
    const sealed = sealer.seal("a secret", context);

    expect(() => sealer.open(sealed, "acme|subscriptions|2|secret")).toThrow();
  });

  it("refuses a text with any bit changed", () => {
    const sealed = sealer.seal("a secret", context);
    const [form, keyId, packed = ""] = sealed.split(".");
    const bytes = Buffer.from(packed, "base64url");

    for (let index = 0; index < bytes.length; index += 1) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
      expect(() => sealer.open(`${form}.${keyId}.${changed.toString("base64url")}`, context)).toThrow();
    }
    expect(() => sealer.open(`${form}.${keyId}.`, context)).toThrow();
  });

  it("refuses a text of another key", () => {
    const other = makeSealer(Buffer.alloc(32, 8), systemIds);

    expect(() => sealer.open(other.seal("a secret", context), context)).toThrow("another key");
  });

  it("seals the same text differently each time", () => {
    expect(sealer.seal("a secret", context)).not.toBe(sealer.seal("a secret", context));
  });
});
