import { type CommandRow, type Given, shown, textOf, wordOf } from "../command.ts";
import { Usage } from "../failures.ts";

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };

/** Seconds of `+7d`, `90m` or `3600`. */
function secondsOf(text: string): number {
  const [, count = "", unit = "s"] = /^\+?(\d{1,9})([smhdw])?$/.exec(text) ?? [];
  if (count === "") throw new Usage(`${text} is no time: +30s, +90m, +12h, +7d or +2w`);
  return Number(count) * (unitSeconds[unit] ?? 1);
}

interface Values {
  readonly scenarios: readonly object[];
  readonly cardTokens: readonly object[];
  readonly cardNumbers: readonly object[];
  readonly debitAccounts: readonly object[];
  readonly persons: readonly object[];
  readonly sessions: readonly object[];
  readonly documents: readonly object[];
}

const valuesOf = async ({ context }: Given): Promise<Values> => (await context.sandbox("GET", "/values")) as Values;

/** The controls of the simulated outside world. */
export const sandboxCommands: readonly CommandRow[] = [
  {
    words: "sandbox clock",
    does: "Show the sandbox's time, or move it forward, never back.",
    args: [{ name: "advance", does: "for example +30s, +12h or +7d", isOptional: true }],
    changes: true,
    example: "sandbox clock +7d",
    run({ words, context }) {
      const seconds = words["advance"] === undefined ? 0 : secondsOf(words["advance"]);
      return context.sandbox("POST", "/clock", { advance: seconds });
    },
  },
  {
    words: "sandbox faults add",
    does: "Make calls of a provider fail; the sandbox guide lists what a rule may say.",
    args: [
      { name: "provider", does: "for example pix, acquirer or sink" },
      { name: "step", does: "for example release, authorize or receive" },
    ],
    options: [
      { flags: "--status <status>", does: "answer this status and do nothing" },
      { flags: "--answer <kind>", does: "timeout, lost, reset, truncated, html, empty …" },
      { flags: "--delay-ms <ms>", does: "answer later" },
      { flags: "--refuse", does: "decide against the caller" },
      { flags: "--times <count>", does: "so often; without it until it is cleared" },
      { flags: "--mark <name>", does: "only for orders with FAULT:<name> in any of their texts" },
      { flags: "--rule <json>", does: "any other member of the rule, as JSON" },
    ],
    changes: true,
    example: "sandbox faults add pix release --answer timeout --times 1",
    run(given) {
      const [status, kind, delayMs, times, mark, rule] = ["status", "answer", "delayMs", "times", "mark", "rule"].map(
        (name) => textOf(given, name),
      );
      const answer = {
        ...(status === undefined ? {} : { status: Number(status) }),
        ...(kind === undefined ? {} : { kind }),
      };
      return given.context.sandbox("POST", "/faults", {
        provider: wordOf(given, "provider"),
        step: wordOf(given, "step"),
        ...(Object.keys(answer).length === 0 ? {} : { answer }),
        // A status means that nothing was done; other kinds of answers hide what was done.
        ...(status === undefined ? {} : { execute: false }),
        ...(delayMs === undefined ? {} : { delayMs: Number(delayMs) }),
        ...(given.options["refuse"] === true ? { refuse: true } : {}),
        ...(times === undefined ? {} : { times: Number(times) }),
        ...(mark === undefined ? {} : { mark }),
        ...parseRule(rule),
      });
    },
  },
  {
    words: "sandbox faults clear",
    does: "Take all faults back, or those of a mark.",
    options: [{ flags: "--mark <name>", does: "only those of this mark" }],
    changes: true,
    example: "sandbox faults clear",
    async run(given) {
      const mark = textOf(given, "mark");
      await given.context.sandbox(
        "DELETE",
        mark === undefined ? "/faults" : `/faults?mark=${encodeURIComponent(mark)}`,
      );
      given.context.out.show({ cleared: mark ?? "all" });
      return shown;
    },
  },
  {
    words: "sandbox faults list",
    does: "List the providers and steps that a fault can be given to.",
    columns: ["provider", "steps"],
    isList: true,
    example: "sandbox faults list",
    async run(given) {
      const { faults } = (await given.context.sandbox("GET", "/values")) as {
        faults: { steps: Record<string, string[]> };
      };
      return Object.entries(faults.steps).map(([provider, steps]) => ({ provider, steps: steps.join(" ") }));
    },
  },
  {
    words: "sandbox book",
    does: "Show what the simulated providers have on their books: the truth about money.",
    args: [{ name: "reference", does: "only this order: the id of a payment", isOptional: true }],
    example: "sandbox book",
    run({ words, context }) {
      const { reference } = words;
      return context.sandbox(
        "GET",
        reference === undefined ? "/book" : `/book?reference=${encodeURIComponent(reference)}`,
      );
    },
  },
  {
    words: "sandbox cards",
    does: "List the test cards, and what each does.",
    isList: true,
    example: "sandbox cards",
    run: async (given) => (await valuesOf(given)).cardTokens,
  },
  {
    words: "sandbox values",
    does: "List every value that the sandbox reacts to, by its kind.",
    args: [
      {
        name: "kind",
        does: "scenarios, cardTokens, cardNumbers, debitAccounts, persons, sessions or documents",
        isOptional: true,
      },
    ],
    isList: true,
    example: "sandbox values scenarios",
    async run(given) {
      const values = await valuesOf(given);
      const { kind } = given.words;
      if (kind === undefined) return values;
      const list = values[kind as keyof Values];
      if (list === undefined) throw new Usage(`there are no ${kind}: ${Object.keys(values).join(", ")}`);
      return list;
    },
  },
];

function parseRule(text: string | undefined): object {
  if (text === undefined) return {};
  try {
    return Object(JSON.parse(text)) as object;
  } catch {
    throw new Usage("--rule takes JSON");
  }
}
