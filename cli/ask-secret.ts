import { createInterface } from "node:readline";
import type { ReadStream } from "node:tty";

/**
 * Asks for a secret at each call: on a terminal, without showing what is typed, otherwise from stdin line by line. The end of stdin is an
 * empty answer.
 */
export function makeAskSecret(stdin: ReadStream, prompt: NodeJS.WritableStream): (words: string) => Promise<string> {
  let lines: AsyncIterator<string> | undefined;
  return async (words) => {
    if (stdin.isTTY) return askTerminal(stdin, prompt, words);
    lines ??= createInterface({ input: stdin })[Symbol.asyncIterator]();
    const line = await lines.next();
    return line.done === true ? "" : line.value.trim();
  };
}

const backspaces = new Set(["\u007f", "\b"]);

function askTerminal(stdin: ReadStream, prompt: NodeJS.WritableStream, words: string): Promise<string> {
  prompt.write(`${words}: `);
  stdin.setRawMode(true).resume();
  return new Promise((resolve, reject) => {
    let typed = "";
    const end = (): void => {
      stdin.off("data", take).setRawMode(false).pause();
      prompt.write("\n");
    };
    const take = (chunk: Buffer): void => {
      for (const key of chunk.toString("utf8")) {
        if (key === "\u0003") {
          end();
          reject(new Error("interrupted"));
          return;
        }
        if (key === "\r" || key === "\n") {
          end();
          resolve(typed.trim());
          return;
        }
        typed = backspaces.has(key) ? typed.slice(0, -1) : typed + key;
      }
    };
    stdin.on("data", take);
  });
}
