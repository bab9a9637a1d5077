import { createLocalJWKSet, exportJWK, generateKeyPair, SignJWT } from "jose";
import type { KeySet } from "../../gateway/key-set";
import { makeVerifyBearer } from "../../gateway/verify-bearer";
import { systemClock } from "../../services/shared/kernel/clock";
import { rssMb } from "./process-figures";

/** Verifies very many tokens, each for the first time, then one of them as often; prints the figures. */
const distinctTokens = 100_000;
const together = 200;
const [issuer, audience] = ["http://127.0.0.1:8080", "corridor"];

async function makeKeys() {
  const { publicKey, privateKey } = await generateKeyPair("RS256");
  const jwk = { ...(await exportJWK(publicKey)), kid: "bench", alg: "RS256", use: "sig" };
  const keys = { issuer, document: Buffer.alloc(0), find: createLocalJWKSet({ keys: [jwk] }) };
  const keySet: Pick<KeySet, "current" | "afterUnknownKey"> = {
    current: () => Promise.resolve(keys),
    afterUnknownKey: () => Promise.resolve(keys),
  };
  const claims = {
    sub: "bench",
    tenant: "demo",
    env: "local",
    scope: "payments fx schemas persons checks",
    secret_id: "bench",
  };
  const sign = (jti: string): Promise<string> =>
    new SignJWT({ ...claims, jti })
      .setProtectedHeader({ alg: "RS256", typ: "at+jwt", kid: "bench" })
      .setIssuer(issuer)
      .setAudience(audience)
      .setExpirationTime("1h")
      .sign(privateKey);
  return { keySet, sign };
}

/** Processor time of one check, µs: the same on a machine that has other things to do. */
async function timed(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / distinctTokens;
}

async function main(): Promise<void> {
  const { keySet, sign } = await makeKeys();
  const { verify } = makeVerifyBearer({ keySet, audience, environment: "local", clock: systemClock });
  const tokens: string[] = [];
  while (tokens.length < distinctTokens) {
    const from = tokens.length;
    const signed = await Promise.all(Array.from({ length: together }, (_unused, at) => sign(String(from + at))));
    // A signed token is a chain of parts, which its first reader would copy: that is not the verifier's memory.
    tokens.push(...signed.map((token) => Buffer.from(token).toString("latin1")));
  }
  const { verify: warmUp } = makeVerifyBearer({ keySet, audience, environment: "local", clock: systemClock });
  for (const token of tokens.slice(0, 5_000)) await warmUp(token);
  global.gc?.();
  const beforeMb = rssMb(process.pid);
  const firstMicros = await timed(async () => {
    for (const token of tokens) await verify(token);
  });
  global.gc?.();
  const grownMb = rssMb(process.pid) - beforeMb;
  // Each request brings its own copy of the text.
  const known = Buffer.from(tokens.at(-1) ?? "");
  const copies = Array.from({ length: distinctTokens }, () => known.toString("latin1"));
  const againMicros = await timed(async () => {
    for (const copy of copies) await verify(copy);
  });
  process.stdout.write(JSON.stringify({ firstMicros, againMicros, beforeMb, grownMb, tokens: distinctTokens }));
}

void main();
