import { createHmac, createPublicKey, createSign, generateKeyPairSync } from "node:crypto";
import { type HttpAnswer, httpCall } from "../gateway/http-call";
import { goodClaims, makeTestKey } from "../gateway/peers";
import { startTestGateway, type TestGateway } from "../gateway/test-gateway";

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const header = { alg: "RS256", typ: "at+jwt", kid: "key-1" };
const now = (): number => Math.floor(Date.now() / 1_000);
const thief = generateKeyPairSync("rsa", { modulusLength: 2048 });
const thiefJwk = { ...thief.publicKey.export({ format: "jwk" }), alg: "RS256", use: "sig" };

/** A token signed with a key that is not ours, under any header. */
function signedByThief(head: object, claims: object = goodClaims(), digest = "sha256"): string {
  const input = `${part(head)}.${part(claims)}`;
  return `${input}.${createSign(digest).update(input).sign(thief.privateKey, "base64url")}`;
}

/** A token whose "signature" is an HMAC under a key that is public. */
function signedByHmac(secret: string | Buffer, alg = "HS256"): string {
  const input = `${part({ ...header, alg })}.${part(goodClaims())}`;
  return `${input}.${createHmac("sha256", secret).update(input).digest("base64url")}`;
}

describe("forged tokens", () => {
  let platform: TestGateway;

  beforeAll(async () => {
    platform = await startTestGateway({});
  });

  const call = (token: string): Promise<HttpAnswer> =>
    httpCall(platform.port, "/v2/payment/order-1", { headers: { authorization: `Bearer ${token}` } });
  const good = (claims: object = {}, head: object = {}): Promise<string> =>
    platform.key.sign({ ...goodClaims(), ...claims }, { ...head });
  /** A good token with one of its three parts replaced. */
  const altered = async (index: number, make: (text: string) => string): Promise<string> => {
    const parts = (await good()).split(".");
    return parts.with(index, make(parts[index] ?? "")).join(".");
  };
  const publicPem = (): string =>
    createPublicKey({ key: platform.key.publicJwk, format: "jwk" }).export({ type: "spki", format: "pem" }).toString();

  const forgeries: readonly [string, () => string | Promise<string>][] = [
    ["no signature, alg none", () => `${part({ ...header, alg: "none" })}.${part(goodClaims())}.`],
    ["no signature, alg None", () => `${part({ ...header, alg: "None" })}.${part(goodClaims())}.`],
    ["no signature, alg absent", () => `${part({ typ: "at+jwt", kid: "key-1" })}.${part(goodClaims())}.`],
    ["an empty signature", () => altered(2, () => "")],
    ["HMAC under the public key in PEM", () => signedByHmac(publicPem())],
    ["HMAC under the public key in PEM, trimmed", () => signedByHmac(publicPem().trim())],
    ["HMAC under the modulus", () => signedByHmac(Buffer.from(String(platform.key.publicJwk.n), "base64url"))],
    ["HMAC under the JWK", () => signedByHmac(JSON.stringify(platform.key.publicJwk))],
    ["HMAC under an empty secret", () => signedByHmac("\0")],
    ["HMAC that says RS256", () => signedByHmac(publicPem(), "RS256")],
    ["another key under a known id", () => signedByThief(header)],
    ["another key under an unknown id", () => signedByThief({ ...header, kid: "key-2" })],
    ["another key without an id", () => signedByThief({ alg: "RS256", typ: "at+jwt" })],
    ["another key that it brings along (jwk)", () => signedByThief({ ...header, kid: "t", jwk: thiefJwk })],
    ["another key by address (jku)", () => signedByThief({ ...header, kid: "t", jku: "https://thief.example/jwks" })],
    ["another key by address (x5u)", () => signedByThief({ ...header, kid: "t", x5u: "https://thief.example/c" })],
    ["another key by certificate (x5c)", () => signedByThief({ ...header, kid: "t", x5c: ["MIIB"] })],
    ["an id that is a path", () => signedByThief({ ...header, kid: "../../dev/null" })],
    ["RS512 by another key", () => signedByThief({ ...header, alg: "RS512" }, goodClaims(), "sha512")],
    ["PS256 on the header of a good signature", () => altered(0, () => part({ ...header, alg: "PS256" }))],
    ["other claims under a good signature", () => altered(1, () => part(goodClaims({ tenant: "other" })))],
    [
      "one bit of the signature changed",
      () => altered(2, (text) => (text.startsWith("A") ? "B" : "A") + text.slice(1)),
    ],
    ["a fourth part", async () => `${await good()}.${part({})}`],
    ["two signatures", () => altered(2, (text) => `${text},${text}`)],
    ["JSON serialization", async () => part({ payload: (await good()).split(".")[1], signatures: [] })],
    ["a critical extension", () => platform.key.sign(goodClaims(), { crit: ["x"], x: 1 }, { x: true })],
    ["another type", () => good({}, { typ: "JWT" })],
    ["another audience", () => good({ aud: "corridor-kyc" })],
    ["another issuer", () => good({ iss: "http://127.0.0.1:8080/" })],
    ["another environment", () => good({ env: "production" })],
    ["a life that is over", () => good({ exp: now() - 31 })],
    ["a life that has not begun", () => good({ nbf: now() + 120 })],
    ["no expiry", () => good({ exp: undefined })],
    ["an expiry that is text", () => good({ exp: String(now() + 60) })],
    ["no tenant", () => good({ tenant: undefined })],
    ["no subject", () => good({ sub: undefined })],
    ["a list of scopes", () => good({ scope: ["payments"] })],
    ["another tenant's certificate", () => good({ cnf: { "x5t#S256": "A".repeat(43) } })],
    ["a binding that nobody knows", () => good({ cnf: { jkt: "A".repeat(43) } })],
    ["another token's key with the same id", async () => (await makeTestKey("key-1")).sign(goodClaims())],
  ];

  it("are at least thirty, beside a good one that is let in", async () => {
    expect(forgeries.length).toBeGreaterThanOrEqual(30);
    expect((await call(await good())).status).toBe(500);
  });

  it.each(forgeries)("are refused: %s", async (_name, make) => {
    const token = await make();
    const [first, second] = [await call(token), await call(token)];

    for (const answer of [first, second]) {
      expect(answer).toMatchObject({ status: 401, json: { code: "AUTH_001" } });
      expect(answer.headers["www-authenticate"]).toBe('Bearer realm="corridor", error="invalid_token"');
    }
  });
});
