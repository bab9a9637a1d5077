import { type KeyPolicy, planKeys, type SigningKey } from "./signing-key";

const start = new Date("2026-01-01T00:00:00Z").getTime();
const hour = 3_600_000;
const policy: KeyPolicy = { lifeMs: 90 * 24 * hour, leadMs: 2 * hour, tokenLifeMs: hour };
const key = (number: number, hours: number): SigningKey => ({
  number,
  kid: `k${number}`,
  publicJwk: {},
  privatePem: "",
  signsFrom: new Date(start + hours * hour),
});
const plan = (keys: [SigningKey, ...SigningKey[]], hours: number) => {
  const { signing, published, isNextDue } = planKeys(keys, new Date(start + hours * hour), policy);
  return { signing: signing.kid, published: published.map(({ kid }) => kid), isNextDue };
};

describe("planKeys", () => {
  const one: [SigningKey] = [key(1, 0)];
  const two: [SigningKey, SigningKey] = [key(2, 100), key(1, 0)];

  it("publishes the next key before it signs", () => {
    expect(plan(two, 98)).toEqual({ signing: "k1", published: ["k2", "k1"], isNextDue: false });
  });

  it("keeps the old key until its last token has expired", () => {
    expect(plan(two, 100)).toMatchObject({ signing: "k2", published: ["k2", "k1"] });
    expect(plan(two, 100.9)).toMatchObject({ signing: "k2", published: ["k2", "k1"] });
    expect(plan(two, 101)).toMatchObject({ signing: "k2", published: ["k2"] });
  });

  it("requires the next key one lead time before the present one ends", () => {
    const end = 90 * 24;

    expect(plan(one, end - 2.01).isNextDue).toBe(false);
    expect(plan(one, end - 2).isNextDue).toBe(true);
    expect(plan(one, end + 500)).toEqual({ signing: "k1", published: ["k1"], isNextDue: true });
  });

  it("signs with the only key, even before its time", () => {
    expect(plan(one, -1)).toEqual({ signing: "k1", published: ["k1"], isNextDue: false });
  });
});
