import { execFile } from "node:child_process";
import { compiled } from "../../local/compiled";

/** Exit code and output of an `npm run operator` command. */
export interface CommandEnd {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a command of the compiled operator program with additional environment. */
export const runOperator = (words: readonly string[], env: Readonly<Record<string, string>>): Promise<CommandEnd> =>
  new Promise((resolve) => {
    const options = {
      env: { ...process.env, CORRIDOR_CONFIG_DIR: env["CORRIDOR_DIR"] ?? "", ...env },
      maxBuffer: 16 * 1024 * 1024,
    };
    execFile(process.execPath, [compiled("local/cli/operator"), ...words], options, (error, stdout, stderr) => {
      const code = typeof error?.code === "number" ? error.code : 0;
      resolve({ code: error === null ? 0 : code || 1, stdout, stderr });
    });
  });
