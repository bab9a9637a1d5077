import { Command, CommanderError } from "commander";
import { type CommandRow, type Given, shown } from "./command.ts";
import { type Context, makeContext } from "./context.ts";
import { showRequest } from "./dry-run.ts";
import { Declined, exitCodes, failureOf, NotLoggedIn, Shown } from "./failures.ts";
import { makeGate, WouldSend } from "./gate.ts";
import { type Format, makeOutput, type Output } from "./output.ts";
import type { Env } from "./profile.ts";
import { sharedOptions } from "./shared-options.ts";

/** The process as a command sees it. */
export interface World {
  readonly env: Env;
  readonly stdin: AsyncIterable<Buffer>;
  readonly signal: AbortSignal;
  askSecret(words: string): Promise<string>;
  /** Asks on the terminal; undefined if there is none. */
  ask(question: string): Promise<string | undefined>;
  write(text: string): void;
  tell(text: string): void;
}

/** Descriptions of the groups of commands. */
const groupWords: Readonly<Record<string, string>> = {
  payments: "Collect, pay out, look up, give back",
  wallets: "Balances on the ledger, holds and transfers",
  "wallets transfer": "Transfers between wallets",
  webhooks: "Subscriptions and deliveries, and events sent to your machine",
  events: "Events of the last 30 days, in order",
  sandbox: "The simulated outside world: its clock, faults, books and values",
  operator: "Commands for those who run the platform",
};

/** Runs a command line and returns its exit code. Never throws. */
export async function runCommandLine(
  rows: readonly CommandRow[],
  words: readonly string[],
  world: World,
): Promise<number> {
  let code: number = exitCodes.done;
  const program = makeProgram(rows, world, async (row, given, many, options) => {
    code = await runRow(row, { words: given, many, options }, world);
  });
  try {
    await program.parseAsync(words, { from: "user" });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  }
}

type Options = Record<string, string | boolean>;
type RunRow = (
  row: CommandRow,
  words: Record<string, string>,
  many: readonly string[],
  options: Options,
) => Promise<void>;

async function runRow(row: CommandRow, given: Omit<Given, "context">, world: World): Promise<number> {
  const { options } = given;
  const out = makeOutput(formatOf(options), world.write, world.tell);
  // The words of a command that is still being typed may also name a profile.
  const typed = given.many.indexOf("--profile");
  const named = typed < 0 ? options["profile"] : given.many[typed + 1];
  const profileName = typeof named === "string" ? named : undefined;
  const gate = makeGate({
    command: row.words,
    changes: row.changes === true,
    isDryRun: options["dryRun"] === true,
    isSure: options["yes"] === true,
    out,
    ask: world.ask,
  });
  const context: Context = makeContext({ ...world, out, profileName, gate });
  try {
    const answer = await row.run({ ...given, context });
    if (answer !== shown) out.show(answer, row.columns);
    return exitCodes.done;
  } catch (error) {
    if (error instanceof WouldSend) return showUnsent(error, out);
    // Ending an endless command counts as success.
    if (world.signal.aborted && !(error instanceof NotLoggedIn)) return exitCodes.done;
    const failure = failureOf(error);
    const isShown = error instanceof Declined || error instanceof Shown;
    if (out.isJson && !isShown) out.print(JSON.stringify(failure.facts, null, out.format === "json" ? 2 : 0));
    out.say(failure.text);
    return failure.code;
  }
}

const formatOf = (options: Options): Format =>
  (["csv", "jsonl", "json"] as const).find((format) => options[format] === true) ?? "text";

/** Shows what a dry run would have sent, and what the platform said about it. */
function showUnsent({ request, preflight }: WouldSend, out: Output): number {
  const { document, curl } = showRequest(request);
  if (out.isJson) out.show({ dryRun: true, request: document, ...(preflight === undefined ? {} : { preflight }) });
  else out.print(curl);
  if (!out.isJson && preflight !== undefined) out.say(`the platform says of it: ${JSON.stringify(preflight, null, 2)}`);
  out.say("nothing was sent");
  const isRefused = preflight !== undefined && "valid" in preflight && preflight.valid === false;
  return isRefused ? exitCodes.refused : exitCodes.done;
}

/** The tree of all commands. */
function makeProgram(rows: readonly CommandRow[], world: Pick<World, "write" | "tell">, runRow: RunRow): Command {
  const program = new Command("corridor")
    .description("The Corridor payment platform from the command line.")
    .configureOutput({ writeOut: world.write, writeErr: world.tell })
    .helpCommand("help [command]", "show the help of a command")
    .showSuggestionAfterError(true)
    .exitOverride();
  program.addHelpText("after", `\nExit codes: ${codeWords}\nFirst steps: corridor doctor; docs/guides/first-payout.md`);
  for (const row of rows) addRow(program, row, runRow);
  return program;
}

const codeWords = Object.entries(exitCodes)
  .map(([name, code]) => `${code} ${name}`)
  .join(", ");

function addRow(program: Command, row: CommandRow, runRow: RunRow): void {
  const path = row.words.split(" ");
  const name = path.pop() ?? "";
  const { args = [], options = [] } = row;
  const command = groupOf(program, path)
    .command(name, { hidden: name.startsWith("__") })
    .description(row.does)
    .allowExcessArguments(false);
  for (const { name: word, does, isOptional, isMany } of args) {
    const text = isMany === true ? `${word}...` : word;
    command.argument(isOptional === true ? `[${text}]` : `<${text}>`, does);
  }
  for (const { flags, does } of options) command.option(flags, does);
  for (const [flags, does] of sharedOptions(row)) command.option(flags, does);
  command.addHelpText("after", `\nExample:\n  $ corridor ${row.example}`);
  command.action(async (...given: unknown[]) => {
    const words = args.flatMap(({ name: word }, at) => (typeof given[at] === "string" ? [[word, given[at]]] : []));
    const many = given.slice(0, args.length).find((one) => Array.isArray(one)) as readonly string[] | undefined;
    await runRow(row, Object.fromEntries(words) as Record<string, string>, many ?? [], command.opts<Options>());
  });
}

/** Returns the parent of commands, made for the first of them. */
function groupOf(parent: Command, path: readonly string[]): Command {
  let group = parent;
  for (const [at, name] of path.entries()) {
    const words = groupWords[path.slice(0, at + 1).join(" ")];
    const known = group.commands.find((one) => one.name() === name);
    group =
      known ??
      group
        .command(name)
        .description(words ?? "")
        .allowExcessArguments(false);
  }
  return group;
}
