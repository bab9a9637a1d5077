import { makeSearchable, screenSubject } from "../../../services/identity/domain/screening/screen-subject";
import type { NameCase, NameWorld } from "./name-cases";

export interface Quality {
  recall: number;
  falsePerThousand: number;
  /** Milliseconds of one search. */
  p50: number;
  p99: number;
  byKind: ReadonlyMap<string, { count: number; found: number; p99: number }>;
  missed: NameCase[];
  falseHits: { subject: NameCase; entry: string; points: number }[];
}

/** Screens every case of a world and returns the quality. */
export function measureQuality({ entries, hits, clean }: NameWorld, threshold: number): Quality {
  const list = makeSearchable(entries);
  const byKind = new Map<string, { count: number; found: number; p99: number; times: number[] }>();
  const times: number[] = [];
  const missed: NameCase[] = [];
  const falseHits: Quality["falseHits"] = [];
  const run = (one: NameCase): void => {
    const from = process.cpuUsage().user;
    const found = screenSubject(list, one.subject, threshold);
    const took = (process.cpuUsage().user - from) / 1_000;
    times.push(took);
    const row = byKind.get(one.kind) ?? { count: 0, found: 0, p99: 0, times: [] };
    const isHit = one.entryId === undefined ? found.length > 0 : found.some(({ entry }) => entry.id === one.entryId);
    byKind.set(one.kind, {
      ...row,
      count: row.count + 1,
      found: row.found + (isHit ? 1 : 0),
      times: [...row.times, took],
    });
    const [first] = found;
    if (one.entryId !== undefined && !isHit) missed.push(one);
    if (one.entryId === undefined && first !== undefined) {
      falseHits.push({
        subject: one,
        entry: first.entry.names.map(({ text }) => text).join(" | "),
        points: first.points,
      });
    }
  };
  for (const one of [...hits, ...clean]) run(one);
  return {
    recall: 1 - missed.length / hits.length,
    falsePerThousand: (falseHits.length / clean.length) * 1_000,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    byKind: new Map([...byKind].map(([kind, row]) => [kind, { ...row, p99: percentile(row.times, 0.99) }])),
    missed,
    falseHits,
  };
}

const percentile = (times: readonly number[], share: number): number =>
  times.toSorted((one, other) => one - other)[Math.floor(times.length * share)] ?? 0;

/** A line for each kind and one for all, as tests and the bench print them. */
export function formatQuality({ recall, falsePerThousand, p50, p99, byKind }: Quality): string {
  const rows = [...byKind].map(
    ([kind, row]) => `${kind.padEnd(28)} found ${row.found} of ${row.count}, CPU p99 ${row.p99.toFixed(1)} ms`,
  );
  const all = `recall ${(recall * 100).toFixed(1)} %, ${falsePerThousand.toFixed(1)} false hits per 1,000`;
  return [...rows, `${all}, CPU p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`].join("\n");
}
