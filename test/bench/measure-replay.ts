import { freshId, pushBody } from "../support/platform-client";
import { format, type Goal } from "./goal";
import { encodeRequest, type HttpRequest, openConnection } from "./http-connection";
import type { Load, LoadResult } from "./load";
import { acceptAlone } from "./measure-payment";
import { interleave, median, pairRatio } from "./statistics";
import type { Subject } from "./subject";

const rounds = 5;
const count = 400;
const inFlight = 64;
const callers = 1_000;

const cpu = ({ cpuMicros }: LoadResult): number => cpuMicros;

/** A request that was accepted before, sent again, against the first time; and a thousand equal requests at once. */
export async function measureReplay(subject: Subject, load: Load): Promise<Goal[]> {
  const request = await knownRequest(subject);
  const { port, pids } = subject;
  const again = {
    kind: "http",
    port,
    pids,
    requests: [request],
    includes: '"status":"PENDING"',
    count,
    inFlight,
  } as const;
  await load.run(again);
  const { first, replay } = await interleave(
    { first: () => acceptAlone(subject, load, count), replay: () => load.run(again) },
    rounds,
  );
  const answers = await differentAnswers(port, await knownRequest(subject));
  return [
    {
      id: "P19",
      what: "replay / first call: CPU",
      value: pairRatio(replay, first, cpu),
      unit: "x",
      bar: { atMost: 0.7 },
      isDue: true,
      seen: `${format(median(replay.map(cpu)))} against ${format(median(first.map(cpu)))} µs`,
    },
    {
      id: "P19",
      what: `${callers} equal requests at once: different answers`,
      value: answers.size,
      unit: "x",
      bar: { atMost: 1 },
      isDue: true,
      seen: `${callers} answers, one of them ${[...answers][0]?.slice(0, 80)}`,
    },
  ];
}

/** A payment with an id and a quote of its own. */
async function knownRequest({ client, headers }: Subject): Promise<HttpRequest> {
  const body = JSON.stringify(pushBody(freshId(), await client.quote()));
  return { method: "POST", path: "/v2/payment", headers, body };
}

async function differentAnswers(port: number, request: HttpRequest): Promise<ReadonlySet<string>> {
  const text = encodeRequest(request);
  const connections = Array.from({ length: callers }, () => openConnection(port));
  const answers = await Promise.all(connections.map(({ send }) => send(text)));
  for (const connection of connections) connection.close();
  return new Set(answers.map(({ status, body }) => `${status} ${body}`));
}
