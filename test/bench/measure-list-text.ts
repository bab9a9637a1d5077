import type { Goal } from "./goal";
import { format } from "./goal";
import { rssMb } from "./process-figures";
import type { Subject } from "./subject";

/** The whole list as text: what it takes of memory above what is there at rest, and whether it holds everything. */
export async function measureText({ port, pid }: Subject, token: string, count: number, cents: bigint): Promise<Goal> {
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
  return {
    id: "P30",
    what: `list of ${count} payments as text: memory above idle`,
    value: Math.max(...above),
    unit: "MB",
    bar: { atMost: 64 },
    isDue: true,
    seen: `${names.map((name, at) => `${name} ${format(above[at] ?? 0)} above ${format(idle[at] ?? 0)}`).join(", ")}, ${format(seconds)} s`,
  };
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
