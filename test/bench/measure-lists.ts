import { connectClient } from "../support/platform-client";
import { format, type Goal } from "./goal";
import { openConnection } from "./http-connection";
import { askJson, isRare, listRequest, type QueryName, queryNames, queryOf } from "./list-queries";
import { openPast, writePast } from "./listed-past";
import { measureListLag } from "./measure-list-lag";
import { measureReads } from "./measure-list-reads";
import { measureText } from "./measure-list-text";
import { measureSearch } from "./measure-search";
import { untilIdle } from "./process-figures";
import { interleave, median, pairRatio, quantile } from "./statistics";
import { type Subject, serverNames, startSubject } from "./subject";

const small = 1_000;
/**
 * A million payments take minutes to write, so the whole bench does with a tenth of them. With those of the small tenant they are as
 * many as columns keep: with more the oldest, which is the rare one, would be forgotten.
 */
const sizes = { tenth: 100_000, whole: 1_000_000 - small };
const rounds = 5;
const callsARound = 8;

/**
 * Lists and search at the edge of a tenant with very many payments, against one with few; entries of indexes that a page reads; how far
 * what is kept in memory is behind; and memory of a list as text.
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
    const filled = await measureFilling(subject, tokens.big, count);
    // First, while nothing else has made the processes any larger.
    const text = await measureText(subject, tokens.big, count, cents);
    return [
      filled,
      text,
      ...(await measurePages(subject, tokens, count)),
      await measureReads(past),
      ...(await measureSearch(subject, ids, tokens.big, count)),
      await measureListLag(subject, tokens.big),
    ];
  } finally {
    await past.mongo.stop();
    await subject.stop();
  }
}

/** Waits until what is rare is on the first page, which shows that the columns are filled. */
async function measureFilling({ port, pid }: Subject, token: string, count: number): Promise<Goal> {
  const begunMs = performance.now();
  const connection = openConnection(port);
  const request = listRequest(token, queryOf("rare reason", ""));
  const longestMs = Math.max(300_000, count);
  for (;;) {
    const { status, body } = await connection.send(request);
    if (status === 200 && (JSON.parse(body) as { next: unknown }).next === null) break;
    if (performance.now() - begunMs > longestMs) throw new Error("the columns are not filled");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  connection.close();
  const value = performance.now() - begunMs;
  // The payment service is another process than the one at the start.
  await untilIdle(serverNames.map(pid));
  return {
    id: "P30",
    what: `columns of ${count} payments filled after a start`,
    value,
    unit: "ms",
    isDue: false,
    seen: "",
  };
}

/** The cursor of a page far behind the first. */
async function deepCursor(port: number, token: string, rows: number): Promise<string> {
  const connection = openConnection(port);
  let next: string | undefined;
  for (let seen = 0; seen < rows; seen += 200) {
    const query = next === undefined ? "" : `after=${encodeURIComponent(next)}`;
    next = (await askJson(connection, listRequest(token, query, 200)))["next"] as string;
  }
  connection.close();
  return next ?? "";
}

/** How deep a deep page is, at most. */
const deepest = 50_000;

type Times = Record<QueryName, number[]>;

async function measurePages(
  { port }: Subject,
  tokens: Record<"big" | "small", string>,
  count: number,
): Promise<Goal[]> {
  const connection = openConnection(port);
  const deep = {
    big: await deepCursor(port, tokens.big, Math.min(count / 2, deepest)),
    small: await deepCursor(port, tokens.small, small / 2),
  };
  const time = async (who: "big" | "small"): Promise<Times> => {
    const times = Object.fromEntries(queryNames.map((name) => [name, []])) as unknown as Times;
    for (let call = 0; call < callsARound; call += 1) {
      for (const name of queryNames) {
        const request = listRequest(tokens[who], queryOf(name, deep[who]));
        const begunMs = performance.now();
        const { next } = await askJson(connection, request);
        times[name].push(performance.now() - begunMs);
        if (next !== null && isRare(name)) throw new Error(`${name} is not on the first page`);
      }
    }
    return times;
  };
  const samples = await interleave({ big: () => time("big"), small: () => time("small") }, rounds);
  connection.close();
  const p99 = (times: Times): number => quantile(Object.values(times).flat(), 0.99);
  const [big, few] = [samples.big.map(p99), samples.small.map(p99)];
  return [
    {
      id: "P30",
      what: `page of any list, p99: ${count} payments / ${small}`,
      value: pairRatio(samples.big, samples.small, p99),
      unit: "x",
      bar: { atMost: 1.5 },
      isDue: true,
      seen: `${format(median(big))} against ${format(median(few))} ms, ${queryNames.length} ways to ask`,
    },
    ...(["first page", "deep page", "rare reason", "rare amount", "no such currency"] as const).map((name) => {
      const [all, others] = [
        samples.big.flatMap((times) => times[name]),
        samples.small.flatMap((times) => times[name]),
      ];
      return {
        id: "P30",
        what: `${name}, p95, ${count} payments`,
        value: quantile(all, 0.95),
        unit: "ms" as const,
        isDue: false,
        seen: `median ${format(median(all))} ms; with ${small} payments p95 ${format(quantile(others, 0.95))} ms`,
      };
    }),
  ];
}
