import { type KnownIds, makeKnownIds } from "../support/known-ids";
import { format, type Goal } from "./goal";
import { openConnection } from "./http-connection";
import { askJson, getRequest } from "./list-queries";
import type { PastIds } from "./listed-past";
import { median, quantile } from "./statistics";
import type { Subject } from "./subject";

const rounds = 40;
/** The first find connections that are not open yet. */
const warmUp = 5;
const nothing = "nobody-has-it";

/** Search by each kind of id, among all these payments, for a tenant and for an operator. */
export async function measureSearch(subject: Subject, past: PastIds, token: string, count: number): Promise<Goal[]> {
  const { platform, client, port } = subject;
  const { ids, numbers } = await makeKnownIds(platform, client);
  const asked = namesOf(past, { ids, numbers });
  const { operatorUrl, operatorToken } = platform.credentials;
  const doors = {
    "a tenant": { port, token },
    "an operator": { port: Number(new URL(operatorUrl).port), token: operatorToken },
  };
  const goals: Goal[] = [];
  for (const [door, { port: at, token: own }] of Object.entries(doors)) {
    const latencies = await timeEach(at, own, asked);
    const all = [...latencies.values()].flat();
    const slowest = [...latencies].map(([name, times]) => ({ name, p95: quantile(times, 0.95) }));
    const [worst] = slowest.toSorted((one, other) => other.p95 - one.p95);
    goals.push({
      id: "P30",
      what: `search by each of ${asked.size} kinds of id for ${door}, p95, ${count} payments`,
      value: worst?.p95 ?? Number.NaN,
      unit: "ms",
      bar: { atMost: 50 },
      isDue: true,
      seen: `the slowest, ${worst?.name}; all together p95 ${format(quantile(all, 0.95))}, median ${format(median(all))} ms`,
    });
  }
  return goals;
}

/** By name, what is looked for. */
function namesOf(past: PastIds, { ids, numbers }: KnownIds): Map<string, string> {
  const asked = new Map(Object.entries(past).map(([name, q]) => [`${name} of an old payment`, q]));
  for (const [name, { q }] of [...ids, ...numbers]) asked.set(name, q);
  return asked.set("an id of nothing", nothing);
}

async function timeEach(
  port: number,
  token: string,
  asked: ReadonlyMap<string, string>,
): Promise<Map<string, number[]>> {
  const connection = openConnection(port);
  const latencies = new Map([...asked.keys()].map((name) => [name, [] as number[]]));
  for (let round = 0; round < rounds + warmUp; round += 1) {
    for (const [name, q] of asked) {
      const request = getRequest(token, `/search?q=${encodeURIComponent(q)}`);
      const begunMs = performance.now();
      const { found, missing } = (await askJson(connection, request)) as { found: unknown[]; missing: unknown[] };
      if (round >= warmUp) latencies.get(name)?.push(performance.now() - begunMs);
      if ((found.length === 0) !== (q === nothing) || missing.length > 0) throw new Error(`${name}: ${q} is not found`);
    }
  }
  connection.close();
  return latencies;
}
