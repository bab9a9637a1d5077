import { contentVersion, differentFields, requireSameContent } from "./same-content";

const hashes = { amount: "a", fxId: "b", sender: "c" };
const first = { version: contentVersion, hashes };

describe("the content of a request", () => {
  it("is the same as itself", () => {
    expect(differentFields(first, { ...hashes })).toEqual([]);
    expect(() => requireSameContent(first, { ...hashes })).not.toThrow();
  });

  it.each(Object.keys(hashes))("differs in %s alone", (name) => {
    expect(differentFields(first, { ...hashes, [name]: "other" })).toEqual([name]);
  });

  it("names every part that differs, is new or is gone, in order", () => {
    const { sender: _sender, ...others } = hashes;
    const again = { ...others, fxId: "x", agent: "y" };

    expect(() => requireSameContent(first, again)).toThrow(
      "externalPaymentId was used with different content: agent, fxId, sender",
    );
  });

  it("is not compared by a replica that does not know its version", () => {
    expect(() => differentFields({ version: contentVersion + 1, hashes }, hashes)).toThrow("too old");
  });
});
