import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { PaymentServiceService } from "../../proto/gen/corridor/payment/v1/payment_service";
import { noTracing } from "../../services/shared/process/tracing";
import { makeRpcClient } from "../../services/shared/rpc/rpc-client";
import { encodeRequest, type HttpAnswer, type HttpRequest, openConnection } from "./http-connection";
import type { HttpJob, LoadJob, LoadReply, LoadResult, RpcJob } from "./load";
import { cpuMicros, untilIdle } from "./process-figures";
import { quantile } from "./statistics";

/** Sends request number `index`; throws when its answer is wrong. */
type Send = (index: number) => Promise<void>;

interface Lanes {
  /** One for each request that may be under way. */
  sends: Send[];
  close(): Promise<void>;
}

async function run(job: LoadJob): Promise<LoadResult> {
  const { sends, close } = job.kind === "http" ? await openHttp(job) : await openRpc(job);
  const { pids, seconds = Number.POSITIVE_INFINITY, count = Number.POSITIVE_INFINITY, perSecond } = job;
  const latencies: number[] = [];
  const cpuBefore = pids.map(cpuMicros);
  const startedAt = performance.now();
  const endAt = startedAt + seconds * 1_000;
  let next = 0;
  const work = async (send: Send): Promise<void> => {
    while (next < count && performance.now() < endAt) {
      const index = next;
      next += 1;
      const dueAt = perSecond === undefined ? performance.now() : startedAt + (index / perSecond) * 1_000;
      if (dueAt > performance.now()) await sleep(dueAt - performance.now());
      await send(index);
      latencies.push(performance.now() - dueAt);
    }
  };
  await Promise.all(sends.map(work));
  const elapsed = (performance.now() - startedAt) / 1_000;
  if (job.includesBackground === true) await untilIdle(pids);
  const secondsToIdle = (performance.now() - startedAt) / 1_000;
  const cpu = pids.reduce((sum, pid, at) => sum + cpuMicros(pid) - (cpuBefore[at] ?? 0), 0);
  await close();
  const answered = latencies.length;
  return {
    answered,
    seconds: elapsed,
    perSecond: answered / elapsed,
    meanMs: latencies.reduce((sum, value) => sum + value, 0) / answered,
    p99Ms: quantile(latencies, 0.99),
    cpuMicros: cpu / answered,
    secondsToIdle,
  };
}

async function openHttp({ port, inFlight, requests, quote, includes, count = 0 }: HttpJob): Promise<Lanes> {
  const quotes = quote === undefined ? [] : await takeQuotes(port, quote, count, inFlight);
  const makers = requests.map(makeMaker);
  const connections = Array.from({ length: inFlight }, () => openConnection(port));
  const sends = connections.map(
    ({ send }): Send =>
      async (index) => {
        const request = makers[index % makers.length]?.(quotes[index] ?? "") ?? "";
        requireAnswer(await send(request), includes);
      },
  );
  return {
    sends,
    async close() {
      for (const connection of connections) connection.close();
    },
  };
}

/** Makes the text of a request; one whose body has no place for an id is made once. */
function makeMaker(request: HttpRequest): (quote: string) => string {
  const { body } = request;
  const fixed = encodeRequest(request);
  if (body?.includes("$ID") !== true) return () => fixed;
  return (quote) => encodeRequest({ ...request, body: body.replace("$ID", randomUUID()).replace("$QUOTE", quote) });
}

function requireAnswer({ status, body }: HttpAnswer, includes: string): void {
  if (status === 200 && body.includes(includes)) return;
  throw new Error(`a wrong answer: ${status} ${body.slice(0, 500)}`);
}

async function takeQuotes(port: number, request: HttpRequest, count: number, inFlight: number): Promise<string[]> {
  const quotes: string[] = [];
  const text = encodeRequest(request);
  let asked = 0;
  const work = async (): Promise<void> => {
    const connection = openConnection(port);
    while (asked < count) {
      asked += 1;
      const answer = await connection.send(text);
      requireAnswer(answer, '"fxId"');
      quotes.push(/"fxId":"([^"]+)"/.exec(answer.body)?.[1] ?? "");
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: inFlight }, work));
  return quotes;
}

async function openRpc({ target, tenant, externalPaymentId, inFlight }: RpcJob): Promise<Lanes> {
  const tracing = noTracing;
  const client = makeRpcClient(PaymentServiceService, {
    target,
    tls: undefined,
    timeoutMs: 5_000,
    retryable: [],
    tracing,
  });
  const send: Send = async () => {
    const { payment } = await client.getPayment({ tenant, externalPaymentId });
    if (payment?.externalPaymentId !== externalPaymentId) throw new Error("a wrong payment");
  };
  await send(0);
  return { sends: Array.from({ length: inFlight }, () => send), close: client.stop };
}

process.on("message", (job: LoadJob) => {
  const reply = (answer: LoadReply): void => void process.send?.(answer);
  run(job).then(
    (result) => reply({ result }),
    (error: unknown) => reply({ error: `load on ${JSON.stringify(job).slice(0, 200)}: ${String(error)}` }),
  );
});
