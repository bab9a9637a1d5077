import { setTimeout as sleep } from "node:timers/promises";
import { format, type Goal } from "./goal";
import type { Load } from "./load";
import { pssMb, rssMb, untilIdle } from "./process-figures";
import { lookUp, oneMadePayment, paymentJob, type Subject, serverNames } from "./subject";

const settleMs = 3_000;
const requests = 100_000;
const payments = 2_000;
const longestSeconds = 75;

/** What each process holds a few seconds after its start, its share of what is shared included. */
export async function measureIdleMemory(subject: Subject): Promise<Goal[]> {
  await sleep(settleMs);
  return [worst("idle PSS of the largest process", subject, pssMb, 80, "")];
}

/** What each process holds after 100,000 requests through the gateway: look-ups, schemas, and payments carried out. */
export async function measureLoadedMemory(subject: Subject, load: Load): Promise<Goal[]> {
  const { port, pids, headers } = subject;
  const id = await oneMadePayment(subject);
  const paid = await load.run(await paymentJob(subject, { count: payments, inFlight: 64 }));
  const schema = { method: "GET", path: "/schema/BRA", headers };
  const cheap = { kind: "http", port, pids, inFlight: 64 } as const;
  const left = requests - 2 * payments;
  const halves = { count: left / 2, seconds: longestSeconds / 2 };
  const found = await load.run({ ...cheap, ...halves, requests: [lookUp(headers, id)], includes: id });
  const read = await load.run({ ...cheap, ...halves, requests: [schema], includes: "json-schema.org" });
  const sent = 2 * paid.answered + found.answered + read.answered;
  await untilIdle(pids);
  const note = sent < requests ? ` after only ${sent} requests, the time was up` : ` after ${sent} requests`;
  return [worst("RSS of the largest process after 10^5 requests", subject, rssMb, 220, note)];
}

function worst(what: string, subject: Subject, read: (pid: number) => number, atMost: number, note: string): Goal {
  const figures = serverNames.map((name) => ({ name, value: read(subject.pid(name)) }));
  const seen = `${figures.map(({ name, value }) => `${name} ${format(value)}`).join(", ")}${note}`;
  const value = Math.max(...figures.map(({ value }) => value));
  return { id: "P15", what, value, unit: "MB", bar: { atMost }, isDue: true, seen };
}
