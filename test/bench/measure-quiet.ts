import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { customerPayload } from "../support/corridor-payloads";
import { freshId } from "../support/platform-client";
import { format, type Goal } from "./goal";
import { cpuMicros, writtenBytes } from "./process-figures";
import { type Counts, countsBetween, openStoreFigures, type StoreCounts, sum } from "./store-figures";
import type { Subject } from "./subject";

/** What a start leaves to be done behind it: schemas that are made ready one by one. */
const settleMs = 12_000;
const idleMs = 20_000;
const payouts = 60;
const warmUp = 60;
const crowd = 64;
const crowdWarmUp = 400;
const crowdPayouts = 2_400;
const patienceMs = 60_000;
/** What follows the last webhook of a payout: its delivery is noted, its message acknowledged. */
const restMs = 500;
const rows = 14;

/** All that the processes of a platform spent in a span of time. */
interface Spent {
  seconds: number;
  /** Processor time by process, µs. */
  cpu: Counts;
  /** Written to disk by process. */
  bytes: Counts;
  store: StoreCounts;
}

/** What a platform takes that has worked and has nothing to do: processor, store and disk of all its processes. */
export async function measureIdle(subject: Subject): Promise<Goal[]> {
  const world = await openQuietWorld(subject);
  for (let count = 0; count < 3; count += 1) await world.pay();
  await sleep(settleMs);
  const spent = await world.spend(() => sleep(idleMs));
  await world.stop();
  const { seconds, cpu, bytes, store } = spent;
  show("idle, per second", spent, seconds);
  const commands = sum(Object.values(store.commands)) / seconds;
  const seen = `${format(store.documents / seconds)} documents/s, over ${format(seconds)} s`;
  const common = { id: "N12", isDue: true, seen };
  return [
    {
      ...common,
      what: "idle: CPU of all processes, of one core",
      unit: "%",
      bar: { atMost: 3 },
      value: share(cpu, seconds),
    },
    { ...common, what: "idle: store commands", unit: "/s", bar: { atMost: 5 }, value: commands },
    {
      ...common,
      what: "idle: written to disk",
      unit: "kB/s",
      bar: { atMost: 5 },
      value: sum(Object.values(bytes)) / 1_000 / seconds,
    },
  ];
}

const share = (cpu: Spent["cpu"], seconds: number): number => sum(Object.values(cpu)) / seconds / 10_000;

/** What a wallet payout takes that is alone: each is sent when the last webhook of the one before has come. */
export async function measureAlone(subject: Subject): Promise<Goal[]> {
  const world = await openQuietWorld(subject);
  const payAll = async (count: number): Promise<number[]> => {
    const times: number[] = [];
    for (let paid = 0; paid < count; paid += 1) times.push(await world.pay());
    await sleep(restMs);
    return times;
  };
  await payAll(warmUp);
  let times: number[] = [];
  const spent = await world.spend(async () => {
    times = await payAll(payouts);
  });
  await world.stop();
  const { cpu, store } = spent;
  show("alone, per payout", spent, payouts);
  const slowest = times.toSorted((a, b) => a - b);
  const seen = `${format(sum(times) / payouts)} ms each from the request to its last webhook, the slowest ${format(slowest.at(-1) ?? 0)}`;
  const common = { id: "N11", isDue: true, seen };
  const commands = sum(Object.values(store.commands)) / payouts;
  return [
    {
      ...common,
      what: "a payout alone: CPU of all processes",
      unit: "ms",
      bar: { atMost: 12 },
      value: sum(Object.values(cpu)) / 1_000 / payouts,
    },
    { ...common, what: "a payout alone: store commands", unit: "", bar: { atMost: 20 }, value: commands },
    {
      ...common,
      what: "a payout alone: documents written",
      unit: "",
      bar: { atMost: 15 },
      value: store.documents / payouts,
    },
  ];
}

/** What a wallet payout takes among many: as many as before are on their way at any time. Shows who spends what. */
export async function measureCosts(subject: Subject): Promise<Goal[]> {
  const world = await openQuietWorld(subject);
  const payAll = async (count: number): Promise<void> => {
    let left = count;
    const payOn = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        await world.pay();
      }
    };
    await Promise.all(Array.from({ length: crowd }, payOn));
    await sleep(restMs);
  };
  await payAll(crowdWarmUp);
  const spent = await world.spend(() => payAll(crowdPayouts));
  await world.stop();
  const { cpu, bytes, store, seconds } = spent;
  show(`${crowd} in flight, per payout`, spent, crowdPayouts);
  const each = (counts: Counts): number => sum(Object.values(counts)) / crowdPayouts;
  const seen = `${format(crowdPayouts / (seconds - restMs / 1_000))} payouts/s, to the last webhook of each`;
  const common = { isDue: true, seen };
  return [
    {
      ...common,
      id: "N1",
      what: "a payout: CPU of all processes",
      unit: "ms",
      bar: { atMost: 4 },
      value: each(cpu) / 1e3,
    },
    {
      ...common,
      id: "N2",
      what: "a payout: documents written",
      unit: "",
      bar: { atMost: 10 },
      value: store.documents / crowdPayouts,
    },
    {
      ...common,
      id: "N2",
      what: "a payout: written to disk",
      unit: "kB",
      bar: { atMost: 60 },
      value: each(bytes) / 1e3,
    },
    {
      ...common,
      id: "N3",
      what: "a payout: store commands",
      unit: "",
      bar: { atMost: 2 },
      value: each(store.commands),
    },
  ];
}

interface QuietWorld {
  /** Pays into a wallet and returns when the last webhook has come, with the time that it took, ms. */
  pay(): Promise<number>;
  spend(work: () => Promise<void>): Promise<Spent>;
  stop(): Promise<void>;
}

/** A subscription to an endpoint in this process, a wallet, and the counts of the store. */
async function openQuietWorld(subject: Subject): Promise<QuietWorld> {
  const { client, platform, headers } = subject;
  const waiting = new Map<string, () => void>();
  const endpoint = await startEndpoint(dirname(subject.env("webhook")["WEBHOOK_CA_FILE"] ?? ""), (externalId) => {
    waiting.get(externalId)?.();
    waiting.delete(externalId);
  });
  const figures = await openStoreFigures(platform.mongoUri);
  const unsubscribe = await subscribe(subject, endpoint.url);
  const order = { accountAsset: "KES", ownerId: "quiet", beneficiaryId: "quiet", type: "PERSONAL" };
  const wallet = await client.send("POST", "/wallets", { ...headers }, JSON.stringify(order));
  const recipient = customerPayload("KEN", { type: "WALLET", wallet: { walletId: String(wallet.body["walletId"]) } });
  return {
    async pay() {
      const externalPaymentId = freshId();
      const startedAt = performance.now();
      const told = new Promise<void>((resolve) => waiting.set(externalPaymentId, resolve));
      const reply = await client.send(
        "POST",
        "/v2/payment",
        { ...headers },
        JSON.stringify({ ...recipient, externalPaymentId }),
      );
      if (reply.status !== 200) throw new Error(`no payout: ${reply.status} ${reply.text}`);
      await orLate(told, externalPaymentId);
      return performance.now() - startedAt;
    },
    async spend(work) {
      const pids = platform.processes.flatMap((one) =>
        one.pid() === undefined ? [] : [[one.name, one.pid() ?? 0] as const],
      );
      const cpuNow = () => pids.map(([name, pid]) => [name, cpuMicros(pid)] as const);
      const bytesNow = () => pids.map(([name, pid]) => [name, writtenBytes(pid)] as const);
      const before = { store: await figures.read(), cpu: cpuNow(), bytes: bytesNow(), at: performance.now() };
      await work();
      const seconds = (performance.now() - before.at) / 1_000;
      const cpu = cpuNow().map(([name, micros], at) => [name, micros - (before.cpu[at]?.[1] ?? 0)] as const);
      const bytes = bytesNow().map(([name, count], at) => [name, count - (before.bytes[at]?.[1] ?? 0)] as const);
      const byProcess = { cpu: Object.fromEntries(cpu), bytes: Object.fromEntries(bytes) };
      return { seconds, ...byProcess, store: countsBetween(before.store, await figures.read()) };
    },
    async stop() {
      await unsubscribe();
      await figures.stop();
      await endpoint.stop();
    },
  };
}

async function orLate(told: Promise<void>, externalId: string): Promise<void> {
  const late = new AbortController();
  const giveUp = sleep(patienceMs, undefined, { signal: late.signal }).then(() => {
    throw new Error(`the last webhook of ${externalId} has not come`);
  });
  giveUp.catch(() => {});
  await Promise.race([told, giveUp]).finally(() => late.abort());
}

/** An endpoint that takes every webhook and records which payments have ended. */
async function startEndpoint(folder: string, onEnd: (externalId: string) => void) {
  const files = { cert: readFileSync(join(folder, "localhost.crt")), key: readFileSync(join(folder, "localhost.key")) };
  const server = createServer(files, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      response.writeHead(200).end();
      const event: unknown = JSON.parse(Buffer.concat(chunks).toString());
      const { newStatus, externalTransactionId } = Object(event) as Record<string, unknown>;
      if (newStatus === "Completed") onEnd(String(externalTransactionId));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://localhost:${port}/quiet`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Registers an endpoint of the tenant `demo`, with a secret. Returns what takes it away again. */
async function subscribe({ client, platform }: Subject, url: string): Promise<() => Promise<unknown>> {
  const tenant = platform.credentials.tenants.find((one) => one.tenant === "demo");
  const agent = tenant?.agents.find(({ status }) => status === "ACTIVE");
  const headers = { "content-type": "application/json", "x-api-key": tenant?.apiKey ?? "" };
  const path = "/organizations/demo/webhooks";
  const body = JSON.stringify({ url, events: ["TransactionStatusChanged"] });
  const created = await client.send("POST", path, headers, body);
  const own = `${path}/${String(created.body["id"])}`;
  const asAgent = { ...headers, "x-agent-id": agent?.agentId ?? "", "x-agent-api-key": agent?.apiKey ?? "" };
  const secret = await client.send("POST", `${own}/secret`, asAgent);
  if (secret.status !== 200) throw new Error(`no subscription: ${created.text} ${secret.text}`);
  return () => client.send("DELETE", own, headers);
}

/** Collections of which less happens for each payout, or in each second, are left out. */
const leastShown = 0.02;

const weightOf = (counts: Counts): number => (counts["documents"] ?? 0) + sum(Object.values(counts));

/** Each run has databases of its own. */
const withoutPrefix = (namespace: string): string => namespace.replace(/^.*?_/u, "");

/** Who spends what: processes, commands and collections, the largest first. */
function show(title: string, { cpu, bytes, store, seconds }: Spent, parts: number): void {
  const list = (counts: Counts, scale: number): string =>
    Object.entries(counts)
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, rows)
      .map(([name, count]) => `${name} ${format(count / parts / scale)}`)
      .join(", ");
  console.log(`#   ${title}, in ${format(seconds)} s`);
  console.log(`#   CPU, ms: ${list(cpu, 1_000)}`);
  console.log(`#   disk, kB: ${list(bytes, 1_000)}; documents: ${format(store.documents / parts)}`);
  console.log(`#   commands: ${list(store.commands, 1)}`);
  const collections = Object.entries(store.collections).toSorted(([, a], [, b]) => weightOf(b) - weightOf(a));
  for (const [name, counts] of collections.filter(([, one]) => weightOf(one) / parts >= leastShown))
    console.log(`#     ${withoutPrefix(name).padEnd(36)} ${list(counts, 1)}`);
}
