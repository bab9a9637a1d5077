import { randomInt } from "node:crypto";
import { caseAt, type HostileCase } from "../support/hostile-cases";
import { described, show } from "../support/hostile-judge";
import { rulesOf } from "../support/hostile-rules";
import { type HostileRun, openHostileRun } from "../support/hostile-run";
import { randomFrom } from "../support/random-from";

const factor = Number(process.env["RANDOM_FACTOR"] ?? "1");
/** A minute, and ten in the long run, in which at least so many payments must be made. */
const minutes = Number(process.env["HOSTILE_MINUTES"] ?? (factor === 1 ? 1 : 10));
const leastPayments = factor === 1 ? 100 : 5_000;
/** The same world each time, so that what `make test` says of a change does not depend on luck; the long run looks for new ones. */
const seed = Number(process.env["HOSTILE_SEED"] ?? (factor === 1 ? 20_261_122 : randomInt(2 ** 31)));
const inFlight = 128;
const longestMs = 3_600_000;

/** What banks may do to an order long after it is done. */
const lateActs = [
  ["acquirer", "authorize", "CHARGEBACK"],
  ["acquirer", "capture", "CHARGEBACK"],
  ["debits", "debit", "RETURN"],
  ["pix", "release", "RETURN"],
  ["pix", "release", "REJECT"],
  ["dimo", "release", "RECALL"],
] as const;

interface Rule {
  provider?: string;
  step?: string;
  report?: { isSuppressed?: boolean };
  acts?: readonly object[];
}

const isSilenced = (rule: Rule, provider: string | undefined): boolean =>
  rule.provider === provider && rule.report?.isSuppressed === true;

/**
 * The rules that may stand beside a case's own. What happens and is reported by no provider, neither by a callback nor in an answer, only a
 * statement shows: that is the work of the reconciliation, which has no part here.
 */
function tellable(own: readonly Rule[], others: readonly Rule[]): Rule[] {
  const acting = (rules: readonly Rule[], provider: string | undefined): boolean =>
    rules.some((rule) => rule.acts !== undefined && rule.provider === provider);
  return others.filter((rule) => {
    if (rule.acts !== undefined) return ![...own, ...others].some((one) => isSilenced(one, rule.provider));
    return !(acting(own, rule.provider) && (rule.step === "query" || isSilenced(rule, rule.provider)));
  });
}

describe("a world of bad providers", () => {
  let run: HostileRun;
  beforeAll(async () => {
    run = await openHostileRun();
  });
  afterAll(() => run.stop());

  it(
    "leaves books that commands make equal",
    async () => {
      const random = randomFrom(seed);
      const endsAt = performance.now() + minutes * 60_000;
      function* cases(): Generator<HostileCase> {
        for (let made = 0; performance.now() < endsAt || made < leastPayments; made += 1) yield caseAt(random());
      }
      /** Other steps of the same payment go wrong too, and something happens days later. */
      const beside = (one: HostileCase, mark: string): object[] => {
        const others = Array.from({ length: Math.floor(random() * 3) }, () => rulesOf(caseAt(random()), mark)).flat();
        const more = tellable(rulesOf(one, mark), others);
        const [provider, step, act] = lateActs[Math.floor(random() * lateActs.length)] ?? lateActs[0];
        const acts = [{ act, afterSeconds: Math.ceil(random() * 86_400) }];
        const isTold = ![...rulesOf(one, mark), ...more].some((rule) => isSilenced(rule, provider));
        return random() < 0.1 && isTold ? [...more, { provider, mark, step, nth: 1, times: 1, acts }] : more;
      };

      const courses = await run.run(cases(), inFlight, beside);
      const { verdicts, strangers, open, difference } = await run.judge(courses);

      const count = (end: string): number => verdicts.filter((verdict) => verdict.end === end).length;
      const ends = `${count("equal")} with equal books, ${count("resolved")} made equal by commands, ${strangers} cases about nobody's payment`;
      process.stdout.write(`${courses.length} payments with HOSTILE_SEED=${seed}: ${ends}, ${count("wrong")} wrong\n`);
      expect(verdicts.filter(({ end }) => end === "wrong").map(described)).toEqual([]);
      expect(open).toEqual([]);
      expect(show(difference)).toBe("nothing");
    },
    longestMs,
  );
});
