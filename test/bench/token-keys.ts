import { createLocalJWKSet, exportJWK, generateKeyPair, SignJWT } from "jose";
import type { KeySet } from "../../gateway/key-set";

/** A key set of one key, and tokens that it verifies. */
export async function makeTestKeys() {
  const { publicKey, privateKey } = await generateKeyPair("RS256");
  const jwk = { ...(await exportJWK(publicKey)), kid: "bench", alg: "RS256", use: "sig" };
  const [issuer, audience] = ["http://127.0.0.1:8080", "corridor"];
  const keys = { issuer, document: Buffer.alloc(0), find: createLocalJWKSet({ keys: [jwk] }) };
  const keySet: KeySet = { current: () => Promise.resolve(keys), afterUnknownKey: () => Promise.resolve(keys) };
  const claims = { sub: "bench", tenant: "demo", env: "local", scope: "payments fx schemas persons checks" };
  const sign = (jti: string): Promise<string> =>
    new SignJWT({ ...claims, jti })
      .setProtectedHeader({ alg: "RS256", typ: "at+jwt", kid: "bench" })
      .setIssuer(issuer)
      .setAudience(audience)
      .setExpirationTime("1h")
      .sign(privateKey);
  return { keySet, sign, audience };
}
