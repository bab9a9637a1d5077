import { readSignedCallback, signCallback } from "./callback-signature";

const secret = "s".repeat(32);
const body = '{"reference":"p"}';
const seconds = 1_800_000_000;
const clock = { now: () => new Date(seconds * 1_000) };
const refused = expect.objectContaining({ reason: "UNAUTHENTICATED" });

describe("a signed callback", () => {
  const read = (signature: string, facts: { provider?: string; secret?: string; body?: string } = {}) => {
    const { provider = "pix", secret: own = secret, body: text = body } = facts;
    return readSignedCallback({ provider, secret: own, clock }, signature, Buffer.from(text));
  };

  it("is read with its event and its body", () => {
    expect(read(signCallback(secret, "pix", "e-1", seconds, body))).toEqual({
      eventId: "e-1",
      value: { reference: "p" },
    });
  });

  it("is that of its own provider, event, time and body alone", () => {
    const signature = signCallback(secret, "pix", "e-1", seconds, body);

    expect(() => read(signature, { provider: "debits" })).toThrow(refused);
    expect(() => read(signature, { secret: "t".repeat(32) })).toThrow(refused);
    expect(() => read(signature, { body: '{"reference":"q"}' })).toThrow(refused);
    expect(() => read(signature.replace("e-1", "e-2"))).toThrow(refused);
    expect(() => read(signature.replace(`t=${seconds}`, `t=${seconds + 1}`))).toThrow(refused);
  });

  it("is refused without a secret, even when signed with an empty one", () => {
    expect(() => read(signCallback("", "pix", "e-1", seconds, body), { secret: "" })).toThrow(refused);
  });

  it("lives 300 seconds, from its time on and before it", () => {
    const signedAt = (at: number) => () => read(signCallback(secret, "pix", "e-1", at, body));

    expect(signedAt(seconds - 300)).not.toThrow();
    expect(signedAt(seconds + 300)).not.toThrow();
    expect(signedAt(seconds - 301)).toThrow(refused);
    expect(signedAt(seconds + 301)).toThrow(refused);
  });
});
