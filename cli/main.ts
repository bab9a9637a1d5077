#!/usr/bin/env node
import { makeAsk } from "./ask.ts";
import { makeAskSecret } from "./ask-secret.ts";
import { commands } from "./commands.ts";
import { runCommandLine } from "./program.ts";

/** The command `corridor`. */
const over = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => over.abort(new Error("interrupted")));
// A reader of only the first lines, such as `head`, is not a failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));

void runCommandLine(commands, process.argv.slice(2), {
  env: process.env,
  stdin: process.stdin,
  askSecret: makeAskSecret(process.stdin, process.stderr),
  ask: makeAsk(process.stdin, process.stderr),
  signal: over.signal,
  write: (text) => process.stdout.write(text),
  tell: (text) => process.stderr.write(text),
}).then((code) => {
  process.exitCode = code;
});
