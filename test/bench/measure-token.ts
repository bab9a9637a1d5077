import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { generateKeyPair, SignJWT } from "jose";
import { scopes } from "../../services/shared/kernel/scopes";
import { startFloor } from "./child";
import { format, type Goal } from "./goal";
import type { Load, LoadResult } from "./load";
import { rssMb } from "./process-figures";
import { interleave, median, pairRatio } from "./statistics";
import type { Subject } from "./subject";

const rounds = 5;
const seconds = 1.5;
const signersInFlight = 16;

type Rate = Pick<LoadResult, "perSecond" | "cpuMicros">;

/** Signs tokens as the auth service does, and nothing else, for some seconds. */
async function signingLoop(): Promise<Rate> {
  const { privateKey } = await generateKeyPair("RS256");
  const claims = { tenant: "demo", env: "local", scope: "payments fx schemas" };
  const end = performance.now() + seconds * 1_000;
  const before = process.cpuUsage();
  let signed = 0;
  const worker = async (): Promise<void> => {
    while (performance.now() < end) {
      await new SignJWT({ ...claims, jti: String(signed) }).setProtectedHeader({ alg: "RS256" }).sign(privateKey);
      signed += 1;
    }
  };
  await Promise.all(Array.from({ length: signersInFlight }, worker));
  const { user, system } = process.cpuUsage(before);
  return { perSecond: signed / seconds, cpuMicros: (user + system) / signed };
}

/** `POST /oauth/token` against oidc-provider in one process, and against a loop that only signs. */
export async function measureTokenEndpoint({ port, pid, platform }: Subject, load: Load): Promise<Goal[]> {
  const { clientId = "", clientSecret = "" } = platform.credentials.tenants[0] ?? {};
  const peer = await startFloor("oidc-peer", { clientId, clientSecret, scope: scopes.join(" "), audience: "corridor" });
  const form = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
  const jobOf = (path: string, facts: { port: number; pids: number[] }) =>
    ({
      kind: "http",
      requests: [
        {
          method: "POST",
          path,
          headers: { "content-type": "application/x-www-form-urlencoded" },
          body: new URLSearchParams(form).toString(),
        },
      ],
      includes: '"token_type":"Bearer"',
      inFlight: 32,
      seconds,
      ...facts,
    }) as const;
  const own = jobOf("/oauth/token", { port, pids: [pid("gateway"), pid("auth")] });
  const others = jobOf("/token", { port: Number(peer.captured), pids: [peer.pid] });
  const { ours, theirs, loop } = await interleave<"ours" | "theirs" | "loop", Rate>(
    { ours: () => load.run(own), theirs: () => load.run(others), loop: signingLoop },
    rounds,
  );
  const perSecond = (sample: Rate): number => sample.perSecond;
  const cpuMicros = (sample: Rate): number => sample.cpuMicros;
  const middle = (samples: readonly Rate[], read: (sample: Rate) => number): string =>
    format(median(samples.map(read)));
  const [ourMb, theirMb] = [rssMb(pid("auth")) + rssMb(pid("gateway")), rssMb(peer.pid)];
  await peer.stop();
  return [
    {
      id: "P10",
      what: "token endpoint / oidc-provider, 32 connections: rate",
      value: pairRatio(ours, theirs, perSecond),
      unit: "x",
      bar: { atLeast: 1.3 },
      isDue: false,
      seen: `${middle(ours, perSecond)}/s / ${middle(theirs, perSecond)}/s`,
    },
    {
      id: "P10",
      what: "token endpoint / oidc-provider: processor time of a token",
      value: pairRatio(ours, theirs, cpuMicros),
      unit: "x",
      bar: { atMost: 1 },
      isDue: false,
      seen: `${middle(ours, cpuMicros)} µs / ${middle(theirs, cpuMicros)} µs`,
    },
    {
      id: "P10",
      what: "memory of gateway and auth / oidc-provider",
      value: ourMb / theirMb,
      unit: "x",
      bar: { atMost: 0.6 },
      isDue: false,
      seen: `${format(ourMb)} MB / ${format(theirMb)} MB`,
    },
    {
      id: "P10",
      what: "token endpoint, 32 connections / signing loop: rate",
      value: pairRatio(ours, loop, perSecond),
      unit: "x",
      bar: { atLeast: 0.65 },
      isDue: false,
      seen: `${middle(ours, perSecond)}/s / ${middle(loop, perSecond)}/s`,
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
      what: "bearer check, processor time: first sight / seen before",
      value: firstMicros / againMicros,
      unit: "x",
      bar: { atLeast: 100 },
      isDue: true,
      seen: `${format(firstMicros)} µs / ${format(againMicros)} µs`,
    },
    {
      id: "P11",
      what: `memory after ${tokens} distinct tokens`,
      value: grownMb,
      unit: "MB",
      bar: { atMost: 64 },
      isDue: true,
      seen: `${format(beforeMb)} MB before`,
    },
  ];
}
