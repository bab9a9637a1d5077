import { commands } from "../../cli/commands.ts";
import { runCommandLine } from "../../cli/program.ts";
import type { Platform } from "../../local/platform";

/** How a command ended, and what it wrote. */
export interface CommandEnd {
  code: number;
  stdout: string;
  stderr: string;
  /** What it wrote to stdout, as a document. */
  json(): Record<string, unknown>;
}

interface Circumstances {
  env?: Readonly<Record<string, string | undefined>>;
  stdin?: string;
  /** What is typed where a secret is asked for. */
  secrets?: readonly string[];
  /** What is answered to questions; without it there is no terminal. */
  answer?: string;
  signal?: AbortSignal;
  /** Told of all that the command says beside its answer, while it runs. */
  heard?: (said: string) => void;
}

/** A command line on a platform, as somebody has it who works in the folder of `make run`. */
export type CommandLine = (words: readonly string[], circumstances?: Circumstances) => Promise<CommandEnd>;

/** Runs commands of `corridor` in this process. */
export function makeCommandLine(platform: Pick<Platform, "dir">): CommandLine {
  return async (words, { env = {}, stdin = "", secrets = [], answer, signal, heard } = {}) => {
    const written = { stdout: "", stderr: "" };
    const typed = [...secrets];
    async function* bytes(): AsyncGenerator<Buffer> {
      yield Buffer.from(stdin);
    }
    const code = await runCommandLine(commands, words, {
      env: { CORRIDOR_DIR: platform.dir, CORRIDOR_CONFIG_DIR: `${platform.dir}/config`, ...env },
      stdin: bytes(),
      signal: signal ?? new AbortController().signal,
      askSecret: () => Promise.resolve(typed.shift() ?? ""),
      ask(question) {
        written.stderr += question;
        return Promise.resolve(answer);
      },
      write(text) {
        written.stdout += text;
      },
      tell(text) {
        written.stderr += text;
        heard?.(text);
      },
    });
    return { ...written, code, json: () => JSON.parse(written.stdout) as Record<string, unknown> };
  };
}
