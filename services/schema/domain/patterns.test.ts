import { checkSync } from "recheck";
import { loadPacks } from "../adapters/files/load-packs";
import { countrySchema } from "./country-schema";
import { customerSchema } from "./customer-schema";
import { pullSchema } from "./pull-schema";
import { pushSchema } from "./push-schema";

/** Every value of a keyword `pattern`, at any depth. */
function patternsIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    key === "pattern" && typeof child === "string" ? [child] : patternsIn(child),
  );
}

/** A pattern is slowest on a long run that it accepts with an end that it refuses. */
const hostileTexts = [..."0159AEZaz@.-_+/ é", "a@", "1.", "A1", "0-"].flatMap((run) => {
  const text = run.repeat(Math.ceil(1_024 / run.length)).slice(0, 1_023);
  return [`${text}!`, `${text}\n`, `!${text}`];
});

/** The shortest of several runs, so that other load on the machine does not count. */
function quickestMs(work: () => void): number {
  const times = Array.from({ length: 5 }, () => {
    const startMs = performance.now();
    work();
    return performance.now() - startMs;
  });
  return Math.min(...times);
}

/** Decides by proof alone; by default the checker would search for an attack when a pattern is large. */
const proof = {
  checker: "automaton",
  maxNFASize: 1_000_000,
  maxPatternSize: 1_000_000,
  maxRepeatSize: 100_000,
} as const;

describe("the patterns of packs and schemas", () => {
  let patterns: string[] = [];
  let doubtful: string[] = [];

  beforeAll(async () => {
    const packs = await loadPacks();
    const documents = [pushSchema, customerSchema, pullSchema, ...packs.map(countrySchema)];
    const served = documents.flatMap(({ bytes }) => patternsIn(JSON.parse(bytes.toString())));
    patterns = [...new Set([...served, ...patternsIn(packs)])];
    doubtful = patterns.filter((pattern) => checkSync(pattern, "u", proof).status !== "safe");
  });

  it("are each proven linear", () => {
    expect(patterns.length).toBeGreaterThan(150);
    expect(doubtful).toEqual([]);
  });

  it("would be found if one were not linear", () => {
    expect(checkSync("^(?:a+)+$", "u", proof).status).toBe("vulnerable");
    expect(checkSync("^\\d*\\d*x$", "u", proof).status).toBe("vulnerable");
  });

  it("take less than 5 ms for the worst text of 1 KiB", () => {
    // A pattern that is not linear would not terminate.
    const linear = patterns.filter((pattern) => !doubtful.includes(pattern));
    const slow = linear.filter((pattern) => {
      const expression = new RegExp(pattern, "u");
      return hostileTexts.some((text) => quickestMs(() => expression.test(text)) >= 5);
    });

    expect(slow).toEqual([]);
  });
});
