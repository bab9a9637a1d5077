import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { generateKeyPair, SignJWT } from "jose";
import { format, type Goal } from "./goal";
import type { Load } from "./load";
import { rssMb } from "./process-figures";
import { interleave, median, pairRatio } from "./statistics";
import type { Subject } from "./subject";

const rounds = 5;
const seconds = 1.5;
const signersInFlight = 16;

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

interface BearerFigures {
  firstMicros: number;
  againMicros: number;
  beforeMb: number;
  grownMb: number;
  tokens: number;
}

/** A bearer token that was seen before against one that was not, and what very many of them leave in memory. */
export async function measureBearer(): Promise<Goal[]> {
  const flags = ["--expose-gc", "--max-semi-space-size=8"];
  const script = join(__dirname, "bearer-subject.js");
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, script]);
  const { firstMicros, againMicros, beforeMb, grownMb, tokens } = JSON.parse(stdout) as BearerFigures;
  return [
    {
      id: "P11",
      what: "bearer check: first sight / seen before",
      value: firstMicros / againMicros,
      unit: "x",
      bar: { atLeast: 100 },
      isDue: false,
      seen: `${format(firstMicros)} µs / ${format(againMicros)} µs`,
    },
    {
      id: "P11",
      what: `memory after ${tokens} distinct tokens`,
      value: grownMb,
      unit: "MB",
      bar: { atMost: 64 },
      isDue: false,
      seen: `${format(beforeMb)} MB before`,
    },
  ];
}
