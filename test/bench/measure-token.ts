import { generateKeyPair, SignJWT } from "jose";
import { makeVerifyBearer } from "../../gateway/verify-bearer";
import { systemClock } from "../../services/shared/clock";
import { format, type Goal } from "./goal";
import type { Load } from "./load";
import { rssMb } from "./process-figures";
import { interleave, median, pairRatio } from "./statistics";
import type { Subject } from "./subject";
import { makeTestKeys } from "./token-keys";

const rounds = 5;
const seconds = 1.5;
const signersInFlight = 16;
const distinctTokens = 100_000;

/** Signs tokens as the auth service does, and nothing else, for some seconds; returns how many in a second. */
async function signingLoop(): Promise<number> {
  const { privateKey } = await generateKeyPair("RS256");
  const claims = { tenant: "demo", env: "local", scope: "payments fx schemas" };
  const end = performance.now() + seconds * 1_000;
  let signed = 0;
  const worker = async (): Promise<void> => {
    while (performance.now() < end) {
      await new SignJWT({ ...claims, jti: String(signed) }).setProtectedHeader({ alg: "RS256" }).sign(privateKey);
      signed += 1;
    }
  };
  await Promise.all(Array.from({ length: signersInFlight }, worker));
  return signed / seconds;
}

/** `POST /oauth/token` against a loop that only signs. */
export async function measureTokenEndpoint({ port, pid, platform }: Subject, load: Load): Promise<Goal[]> {
  const [tenant] = platform.credentials.tenants;
  const form = { grant_type: "client_credentials", client_id: tenant?.clientId, client_secret: tenant?.clientSecret };
  const request = {
    method: "POST",
    path: "/oauth/token",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(form as Record<string, string>).toString(),
  };
  const job = {
    kind: "http",
    port,
    pids: [pid("gateway"), pid("auth")],
    requests: [request],
    includes: '"token_type":"Bearer"',
    inFlight: 32,
    seconds,
  } as const;
  const { a, b } = await interleave({ a: async () => (await load.run(job)).perSecond, b: signingLoop }, rounds);
  const memory = rssMb(pid("auth")) + rssMb(pid("gateway"));
  return [
    {
      id: "P10",
      what: "token endpoint, 32 connections / signing loop: rate",
      value: pairRatio(a, b, (value) => value),
      unit: "x",
      bar: { atLeast: 0.65 },
      isDue: false,
      seen: `${format(median(a))}/s / ${format(median(b))}/s; gateway and auth hold ${format(memory)} MB`,
    },
  ];
}

/** A bearer token that was seen before against one that was not, and what very many of them leave in memory. */
export async function measureBearer(): Promise<Goal[]> {
  const { keySet, sign, audience } = await makeTestKeys();
  const verify = makeVerifyBearer({ keySet, audience, environment: "local", clock: systemClock });
  const tokens: string[] = [];
  const batch = 200;
  while (tokens.length < distinctTokens) {
    const from = tokens.length;
    tokens.push(...(await Promise.all(Array.from({ length: batch }, (_unused, index) => sign(String(from + index))))));
  }
  for (const token of tokens.slice(0, 1_000)) await verify(token);
  global.gc?.();
  const memoryBefore = rssMb(process.pid);
  const startMs = performance.now();
  for (const token of tokens) await verify(token);
  const firstMicros = ((performance.now() - startMs) * 1_000) / tokens.length;
  global.gc?.();
  const grown = rssMb(process.pid) - memoryBefore;
  const [known = ""] = tokens.slice(-1);
  const againMs = performance.now();
  for (let count = 0; count < tokens.length; count += 1) await verify(known);
  const againMicros = ((performance.now() - againMs) * 1_000) / tokens.length;
  const seen = `${format(firstMicros)} µs / ${format(againMicros)} µs`;
  return [
    {
      id: "P11",
      what: "bearer check: first sight / seen before",
      value: firstMicros / againMicros,
      unit: "x",
      bar: { atLeast: 100 },
      isDue: false,
      seen,
    },
    {
      id: "P11",
      what: `memory after ${distinctTokens} distinct tokens`,
      value: grown,
      unit: "MB",
      bar: { atMost: 64 },
      isDue: false,
      seen: `${format(memoryBefore)} MB before`,
    },
  ];
}
