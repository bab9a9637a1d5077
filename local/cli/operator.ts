import { spawn } from "node:child_process";
import { compiled } from "../compiled";
import { directCommands } from "./direct-commands";

/**
 * `npm run operator -- <command> …`: commands that need the code of services or the folder of a local platform are handled here; everything
 * else is `corridor operator …`, the command line that uses only the operator API.
 */
async function main([noun = "help", ...given]: readonly string[]): Promise<void> {
  const direct = directCommands[noun];
  if (direct !== undefined) {
    if (!(await direct.run(given))) process.exitCode = 1;
    return;
  }
  if (noun === "help") {
    for (const { usages } of Object.values(directCommands)) {
      for (const [usage, does] of usages) console.log(`${usage.padEnd(48)} ${does}`);
    }
  }
  const words = noun === "help" ? ["operator", "--help"] : ["operator", noun, ...given];
  process.exitCode = await runCorridor(words);
}

/** Runs the command line in a process of its own, since it consists of ES modules and needs no code of this process. */
function runCorridor(words: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [compiled("cli/main"), ...words], { stdio: "inherit" });
  // Ctrl-C reaches both; this process waits for the other to handle it.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
