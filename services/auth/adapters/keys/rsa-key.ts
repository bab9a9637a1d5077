import { generateKeyPair } from "node:crypto";
import { promisify } from "node:util";
import { calculateJwkThumbprint, exportJWK } from "jose";
import type { SigningKey } from "../../domain/signing-key";

/** Makes an RSA-2048 key pair off the event loop, in a few hundred milliseconds. */
export async function makeRsaKey(number: number, signsFrom: Date): Promise<SigningKey> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)("rsa", { modulusLength: 2048 });
  const { n = "", e = "" } = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint({ kty: "RSA", n, e });
  return {
    number,
    kid,
    publicJwk: { kty: "RSA", n, e, kid, alg: "RS256", use: "sig" },
    privatePem: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    signsFrom,
  };
}
