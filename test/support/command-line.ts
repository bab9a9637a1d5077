import { commands } from "../../cli/commands.ts";
import { runCommandLine } from "../../cli/program.ts";
import type { Platform } from "../../local/platform";

/** The exit code of a command, and its output. */
export interface CommandEnd {
  code: number;
  stdout: string;
  stderr: string;
  /** Its stdout, as a document. */
  json(): Record<string, unknown>;
}

interface Circumstances {
  env?: Readonly<Record<string, string | undefined>>;
  stdin?: string;
  /** The text typed when a secret is asked for. */
  secrets?: readonly string[];
  /** The answer to questions; without it there is no terminal. */
  answer?: string;
  signal?: AbortSignal;
  /** Called with everything that the command writes beside its answer, while it runs. */
  heard?: (said: string) => void;
}

/** A command line on a platform, as for a user who works in the folder of `make run`. */
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
