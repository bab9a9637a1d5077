import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Clock ticks of /proc/<pid>/stat are hundredths of a second on every Linux that Node runs on. */
const microsPerTick = 10_000;

/** Processor time of a process since its start, all threads, µs. From the scheduler's accounts, else from its ticks. */
export function cpuMicros(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const nanos = threads.map((thread) => Number.parseInt(readProc(`${pid}/task/${thread}/schedstat`), 10));
    return nanos.reduce((sum, value) => sum + value, 0) / 1_000;
  } catch {
    const stat = readProc(`${pid}/stat`);
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * microsPerTick;
  }
}

const readProc = (path: string): string => readFileSync(`/proc/${path}`, "latin1");

const megabytes = (text: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(text)?.[1]) / 1_024;

/** Memory of a process, its share of what it shares included, MB. */
export const pssMb = (pid: number): number => megabytes(readProc(`${pid}/smaps_rollup`), "Pss");

/** Resident memory of a process, everything that it shares included, MB. */
export const rssMb = (pid: number): number => megabytes(readProc(`${pid}/status`), "VmRSS");

/** The most resident memory that a process ever had, MB. */
export const peakRssMb = (pid: number): number => megabytes(readProc(`${pid}/status`), "VmHWM");

/** What a process has caused to be written to disk since its start, bytes. */
export const writtenBytes = (pid: number): number =>
  Number(/^write_bytes: (\d+)/m.exec(readProc(`${pid}/io`))?.[1] ?? Number.NaN);

/** The environment that a process was started with. */
export function environmentOf(pid: number): Record<string, string> {
  const pairs = readProc(`${pid}/environ`).split("\0").filter(Boolean);
  return Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]));
}

const idleWindowMs = 500;
/** Share of one core that the platform's polling may take while it counts as idle. */
const idleShare = 0.12;
/** What a round leaves takes long on a machine that does much else; a bench that breaks off there says nothing. */
const longestWaitMs = 120_000;

/** Waits until processes have nothing to do any more: what a round started in the background belongs to that round. */
export async function untilIdle(pids: readonly number[]): Promise<void> {
  const total = (): number => pids.map(cpuMicros).reduce((sum, value) => sum + value, 0);
  const giveUpAt = performance.now() + longestWaitMs;
  for (let before = total(); ; ) {
    await sleep(idleWindowMs);
    const now = total();
    if (now - before < idleWindowMs * 1_000 * idleShare) return;
    if (performance.now() > giveUpAt) throw new Error(`the processes are still busy after ${longestWaitMs} ms`);
    before = now;
  }
}
