import { createConnection } from "mongoose";
import { makePaymentColumns, type PaymentColumns } from "../../services/payment/domain/payment-columns";
import { decodeFilter } from "../../services/payment/handlers/payment-list-codec";
import { makeFilteredPaymentStore } from "../../services/payment/store/filtered-payment-store";
import { makePaymentListStore } from "../../services/payment/store/payment-list-store";
import { connectClient } from "../support/platform-client";
import { format, type Goal } from "./goal";
import { encodeRequest, type HttpConnection, openConnection } from "./http-connection";
import { type KnownIds, openPast, type PastStore, writePast } from "./listed-past";
import { rssMb, untilIdle } from "./process-figures";
import { interleave, median, pairRatio, quantile } from "./statistics";
import { type Subject, serverNames, startSubject } from "./subject";

const small = 1_000;
/** A million payments take minutes to write, so the whole bench does with a tenth of them. */
const sizes = { tenth: 100_000, whole: 1_000_000 };
const rounds = 5;
const callsARound = 8;
const limit = 25;

/** What lists are asked for: what nearly all payments have, and what one alone has, or none. */
const queries = {
  all: "",
  "common status": "status=CAPTURED",
  "common type and country": "type=PUSH&country=BRA",
  "common amounts": "minAmount=100&maxAmount=105",
  "common prefix": "idPrefix=order-",
  "rare reason": "reasonCode=AC03",
  "rare status and state": "status=DECLINED&state=Cancelled",
  "rare amount": "minAmount=9000000",
  "rare prefix and reason": "idPrefix=rare-&reasonCode=AC03",
  "old changes": "changedUntil=$OLD",
  "no such type": "type=PULLPUSH&currency=USD",
  "no such agent": "agentId=nobody",
  "no such currency": "currency=JPY",
} as const;

/**
 * Lists and search at the edge of a tenant with very many payments, against one with few; entries of indexes that a page reads; and
 * memory of a list as text.
 */
export async function measureLists(isWhole: boolean): Promise<Goal[]> {
  const count = isWhole ? sizes.whole : sizes.tenth;
  const subject = await startSubject();
  const past = await openPast(subject);
  try {
    const { ids, cents } = await writePast(past, "demo", count);
    await writePast(past, "other", small);
    // It fills its columns at its start.
    await subject.platform.process("payment").end("SIGTERM");
    await subject.platform.process("payment").start();
    const other = connectClient(subject.platform, "other");
    const tokens = { big: await subject.client.token(), small: await other.token() };
    await other.close();
    const filledMs = await untilFilled(subject, tokens.big);
    const { reads, columns } = await mostReads(past);
    return [
      ...(await measurePages(subject, tokens, count)),
      ...(await measureSearch(subject, ids, tokens.big, count)),
      {
        id: "P30",
        what: "entries of indexes for each payment of a page, at most",
        value: reads / limit,
        unit: "",
        bar: { atMost: 20 },
        isDue: true,
        seen: `${reads} for a page of ${limit}; columns of ${columns} payments filled ${format(filledMs)} ms after the start`,
      },
      ...(await measureText(subject, tokens.big, count, cents)),
    ];
  } finally {
    await past.mongo.stop();
    await subject.stop();
  }
}

const queryOf = (query: string): string => query.replace("$OLD", new Date(Date.now() - 31 * 86_400_000).toISOString());

const listOf = (token: string, query: string): string =>
  encodeRequest({
    method: "GET",
    path: `/v2/payments?limit=${limit}&${queryOf(query)}`.replace(/&$/, ""),
    headers: { authorization: `Bearer ${token}` },
  });

async function ask(connection: HttpConnection, request: string): Promise<Record<string, unknown>> {
  const { status, body } = await connection.send(request);
  if (status !== 200) throw new Error(`no list: ${status} ${body}`);
  return JSON.parse(body) as Record<string, unknown>;
}

/** Waits until what is rare is on the first page, which shows that the columns are filled. */
async function untilFilled({ port, pid }: Subject, token: string): Promise<number> {
  const begunMs = performance.now();
  const connection = openConnection(port);
  for (;;) {
    const { status, body } = await connection.send(listOf(token, queries["rare reason"]));
    if (status === 200 && (JSON.parse(body) as { next: unknown }).next === null) break;
    if (performance.now() - begunMs > 300_000) throw new Error("the columns are not filled");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  connection.close();
  const filledMs = performance.now() - begunMs;
  // The payment service is another process than the one at the start.
  await untilIdle(serverNames.map(pid));
  return filledMs;
}

async function measurePages(
  { port }: Subject,
  tokens: Record<"big" | "small", string>,
  count: number,
): Promise<Goal[]> {
  const connection = openConnection(port);
  const time = async (token: string): Promise<number[]> => {
    const latencies: number[] = [];
    for (let call = 0; call < callsARound; call += 1) {
      for (const query of Object.values(queries)) {
        const request = listOf(token, query);
        const begunMs = performance.now();
        const { next } = await ask(connection, request);
        latencies.push(performance.now() - begunMs);
        if (next !== null && /AC03|DECLINED|JPY|nobody/.test(query)) throw new Error(`${query} is not served at once`);
      }
    }
    return latencies;
  };
  const samples = await interleave({ big: () => time(tokens.big), small: () => time(tokens.small) }, rounds);
  connection.close();
  const p99 = (of: readonly number[]): number => quantile(of, 0.99);
  const [big, few] = [samples.big.map(p99), samples.small.map(p99)];
  return [
    {
      id: "P30",
      what: `page of any list, p99: ${count} payments / ${small}`,
      value: pairRatio(samples.big, samples.small, p99),
      unit: "x",
      bar: { atMost: 1.5 },
      isDue: true,
      seen: `${format(median(big))} against ${format(median(few))} ms, medians ${format(median(samples.big.flat()))} and ${format(median(samples.small.flat()))}`,
    },
  ];
}

const searches = 40;

async function measureSearch(
  { port, platform }: Subject,
  ids: KnownIds,
  token: string,
  count: number,
): Promise<Goal[]> {
  const { operatorUrl, operatorToken } = platform.credentials;
  const doors = {
    tenant: { port, token },
    operator: { port: Number(new URL(operatorUrl).port), token: operatorToken },
  };
  const goals: Goal[] = [];
  for (const [name, door] of Object.entries(doors)) {
    const connection = openConnection(door.port);
    const latencies: number[] = [];
    for (let call = 0; call < searches; call += 1) {
      for (const id of [...Object.values(ids), "nobody-has-it"]) {
        const headers = { authorization: `Bearer ${door.token}` };
        const begunMs = performance.now();
        const { found } = await ask(connection, encodeRequest({ method: "GET", path: `/search?q=${id}`, headers }));
        // The first calls find connections that are not open yet.
        if (call > 4) latencies.push(performance.now() - begunMs);
        if ((found as unknown[]).length !== (id === "nobody-has-it" ? 0 : 1))
          throw new Error(`${id} is not found once`);
      }
    }
    connection.close();
    goals.push({
      id: "P30",
      what: `search by any id for a ${name}, p95, ${count} payments`,
      value: quantile(latencies, 0.95),
      unit: "ms",
      bar: { atMost: 50 },
      isDue: true,
      seen: `median ${format(median(latencies))} ms, p99 ${format(quantile(latencies, 0.99))} ms`,
    });
  }
  return goals;
}

/** The most entries that a page of any of the queries reads, as the store has sent them. */
async function mostReads({ mongo, keys }: PastStore): Promise<{ reads: number; columns: number }> {
  const columns = makePaymentColumns();
  for await (const batch of makeFilteredPaymentStore(mongo.connection).all()) for (const one of batch) columns.put(one);
  const { host, port } = mongo.connection;
  const options = { dbName: mongo.connection.name, useBigInt64: true, monitorCommands: true, directConnection: true };
  const watched = await createConnection(`mongodb://${host}:${port}`, options).asPromise();
  let read = 0;
  watched.getClient().on("commandSucceeded", ({ reply }) => {
    const { firstBatch, nextBatch } = (reply as { cursor?: Record<string, unknown[]> }).cursor ?? {};
    read += (firstBatch ?? nextBatch ?? []).length;
  });
  const store = makePaymentListStore(watched, keys, () => columns);
  const most = Math.max(...(await readsOfEach(store, columns, () => read)));
  await watched.close();
  return { reads: most, columns: columns.count() };
}

async function readsOfEach(
  store: ReturnType<typeof makePaymentListStore>,
  _columns: PaymentColumns,
  total: () => number,
): Promise<number[]> {
  const reads: number[] = [];
  for (const query of Object.values(queries)) {
    const asked = Object.fromEntries(new URLSearchParams(queryOf(query)));
    const { state: transactionState, country: countryCode, minAmount, maxAmount, changedUntil, ...rest } = asked;
    const whole = (text: string | undefined) => (text === undefined ? undefined : { unscaled: BigInt(text), scale: 0 });
    const amounts = { minAmount: whole(minAmount), maxAmount: whole(maxAmount) };
    const times = { changedUntil: changedUntil === undefined ? undefined : new Date(changedUntil) };
    const filter = decodeFilter({ transactionState, countryCode, ...rest, ...amounts, ...times } as never);
    for (const scope of [{ tenant: "demo" }, "all tenants"] as const) {
      const before = total();
      await store.list(scope, filter, { after: undefined, limit, withPeople: true, now: new Date() });
      reads.push(total() - before);
    }
  }
  return reads;
}

/** The whole list as text: what it takes of memory above what is there at rest, and whether it holds everything. */
async function measureText({ port, pid }: Subject, token: string, count: number, cents: bigint): Promise<Goal[]> {
  const names = ["gateway", "payment"] as const;
  const idle = names.map((name) => rssMb(pid(name)));
  const most = [...idle];
  const watch = setInterval(() => {
    for (const [at, name] of names.entries()) most[at] = Math.max(most[at] ?? 0, rssMb(pid(name)));
  }, 25);
  const begunMs = performance.now();
  const headers = { authorization: `Bearer ${token}`, accept: "text/csv" };
  const sums = await fetch(`http://127.0.0.1:${port}/v2/payments`, { headers })
    .then(sumOf)
    .finally(() => clearInterval(watch));
  const seconds = (performance.now() - begunMs) / 1_000;
  if (sums.rows !== count || sums.cents !== cents)
    throw new Error(`the text has ${sums.rows} rows of ${sums.cents} cents`);
  const above = names.map((_, at) => (most[at] ?? 0) - (idle[at] ?? 0));
  return [
    {
      id: "P30",
      what: `list of ${count} payments as text: memory above idle`,
      value: Math.max(...above),
      unit: "MB",
      bar: { atMost: 64 },
      isDue: true,
      seen: `${names.map((name, at) => `${name} ${format(above[at] ?? 0)} above ${format(idle[at] ?? 0)}`).join(", ")}, ${format(seconds)} s`,
    },
  ];
}

async function sumOf(answer: Response): Promise<{ rows: number; cents: bigint }> {
  const sums = { rows: 0, cents: 0n };
  let rest = "";
  let column = -1;
  const decoder = new TextDecoder();
  for await (const part of answer.body ?? []) {
    const lines = (rest + decoder.decode(part as Uint8Array, { stream: true })).split("\r\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const cells = line.split(",");
      if (column < 0) {
        column = cells.indexOf("amount");
        continue;
      }
      sums.rows += 1;
      sums.cents += BigInt(Math.round(Number(cells[column]) * 100));
    }
  }
  return sums;
}
