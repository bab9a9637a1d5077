import { defaultThreshold } from "../../services/identity/domain/screening";
import { makeSearchable, screenSubject } from "../../services/identity/domain/screening/screen-subject";
import { formatQuality, measureQuality } from "../support/screening/quality";
import { makeWrittenWorld } from "../support/screening/written/written-cases";
import { format, type Goal } from "./goal";

const rounds = 3;

/** How well names are found on a list of 20,000 entries, and how long a search by 50,000 takes. */
export async function measureScreening(): Promise<Goal[]> {
  const seed = Math.floor(Math.random() * 2 ** 31);
  const quality = measureQuality(makeWrittenWorld(seed, 20_000, 1_000, 5_000), defaultThreshold);
  console.log(`# screening, seed ${seed}\n${formatQuality(quality)}`);
  const wide = makeWrittenWorld(seed, 50_000, 500, 1_000);
  const cases = [...wide.hits, ...wide.clean];
  const least = cases.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < rounds; round += 1) {
    // A list of its own each time, because one remembers the words that it was asked for.
    const list = makeSearchable(wide.entries);
    for (const [at, { subject }] of cases.entries()) {
      const from = performance.now();
      screenSubject(list, subject, defaultThreshold);
      least[at] = Math.min(least[at] ?? 0, performance.now() - from);
    }
  }
  const ordered = least.toSorted((one, other) => one - other);
  const at = (share: number): number => ordered[Math.floor(ordered.length * share)] ?? 0;
  const goal = { id: "U1", isDue: true, seen: `seed ${seed}, ${wide.entries.length} entries` };
  return [
    { ...goal, what: "screening: recall", value: quality.recall, unit: "x", bar: { atLeast: 0.96 } },
    {
      ...goal,
      what: "screening: false hits, share",
      value: quality.falsePerThousand / 1_000,
      unit: "x",
      bar: { atMost: 0.003 },
    },
    {
      ...goal,
      what: "screening: p99, words not seen before",
      value: at(0.99),
      unit: "ms",
      bar: { atMost: 5 },
      isDue: false,
      seen: `p50 ${format(at(0.5))} ms`,
    },
  ];
}
