import { createLocalJWKSet, exportJWK, generateKeyPair, SignJWT } from "jose";
import type { Keys } from "./key-set";
import { makeVerifyBearer } from "./verify-bearer";

const seconds = (at: Date): number => Math.floor(at.getTime() / 1_000);

async function makeKey(kid: string) {
  const { publicKey, privateKey } = await generateKeyPair("RS256");
  const jwk = { ...(await exportJWK(publicKey)), kid, alg: "RS256" };
  const find = createLocalJWKSet({ keys: [jwk] });
  return { keys: { issuer: "iss", document: Buffer.alloc(0), find }, privateKey, kid };
}

describe("makeVerifyBearer", () => {
  const start = new Date("2026-02-03T04:05:06Z");
  let now = start;
  const clock = { now: () => now };
  let first: Awaited<ReturnType<typeof makeKey>>;
  let second: Awaited<ReturnType<typeof makeKey>>;
  let published: Keys;
  let lookUps = 0;
  const keySet = {
    current() {
      lookUps += 1;
      return Promise.resolve(first.keys);
    },
    afterUnknownKey: () => Promise.resolve(published),
  };

  beforeAll(async () => {
    [first, second] = await Promise.all([makeKey("one"), makeKey("two")]);
  });
  beforeEach(() => {
    now = start;
    published = first.keys;
    lookUps = 0;
  });

  const sign = ({ privateKey, kid }: typeof first, lifeSeconds = 3_600): Promise<string> =>
    new SignJWT({ sub: "c-1", jti: "t-1", tenant: "demo", env: "local", scope: "fx payments", secret_id: "s-1" })
      .setProtectedHeader({ alg: "RS256", typ: "at+jwt", kid })
      .setIssuer("iss")
      .setAudience("api")
      .setExpirationTime(seconds(start) + lifeSeconds)
      .sign(privateKey);
  const make = () => makeVerifyBearer({ keySet, audience: "api", environment: "local", clock }).verify;
  const pass = (count: number): void => {
    now = new Date(start.getTime() + count * 1_000);
  };

  it("verifies a token once a minute", async () => {
    const verify = make();
    const token = await sign(first);

    expect(await verify(token)).toEqual({
      id: "t-1",
      tenant: "demo",
      client: "c-1",
      secretId: "s-1",
      scopes: new Set(["fx", "payments"]),
      thumbprint: undefined,
    });
    pass(59);
    await verify(token);
    expect(lookUps).toBe(1);
    pass(60);
    await verify(token);
    expect(lookUps).toBe(2);
  });

  it("takes no token for one that it knows because they share a signature", async () => {
    const verify = make();
    const [header = "", payload = "", signature = ""] = (await sign(first)).split(".");
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as object;
    const changed = Buffer.from(JSON.stringify({ ...claims, tenant: "other" })).toString("base64url");
    expect(await verify([header, payload, signature].join("."))).toMatchObject({ tenant: "demo" });

    await expect(verify([header, changed, signature].join("."))).rejects.toMatchObject({ reason: "UNAUTHENTICATED" });
    expect(await verify([header, payload, signature].join("."))).toMatchObject({ tenant: "demo" });
  });

  it.each([
    ["padding", (token: string) => `${token}==`],
    ["padding in the middle", (token: string) => token.replace(".", "=.")],
    [
      "bits that are left over",
      (token: string) => token.slice(0, -1) + String.fromCharCode(token.charCodeAt(token.length - 1) + 1),
    ],
    ["a line feed in it", (token: string) => `${token.slice(0, 9)}\n${token.slice(9)}`],
  ])("takes a token in its one spelling alone: not with %s", async (_name, spell) => {
    const verify = make();
    const token = await sign(first);
    const other = spell(token);
    expect(other).not.toBe(token);

    await expect(verify(other)).rejects.toMatchObject({ reason: "UNAUTHENTICATED" });
    expect(await verify(token)).toMatchObject({ tenant: "demo" });
  });

  it("allows clocks to differ by 30 s, also for a token that it knows", async () => {
    const verify = make();
    const token = await sign(first, 10);
    await verify(token);

    pass(39);
    await verify(token);
    pass(41);
    await expect(verify(token)).rejects.toMatchObject({ reason: "UNAUTHENTICATED" });
  });

  it("looks for a new key when a token names an unknown one", async () => {
    const verify = make();
    const token = await sign(second);
    await expect(verify(token)).rejects.toMatchObject({ reason: "UNAUTHENTICATED" });

    published = second.keys;
    expect(await verify(token)).toMatchObject({ tenant: "demo" });
  });

  it("does not take a failure to get the keys for a bad token", async () => {
    const failing = { ...keySet, current: () => Promise.reject(new Error("away")) };
    const { verify } = makeVerifyBearer({ keySet: failing, audience: "api", environment: "local", clock });

    await expect(verify(await sign(first))).rejects.toThrow("away");
  });
});
