import { createInterface } from "node:readline/promises";
import type { ReadStream } from "node:tty";

/** Asks a question on the terminal; returns undefined without a terminal, and at the end of the input. */
export function makeAsk(
  stdin: ReadStream,
  prompt: NodeJS.WritableStream,
): (question: string) => Promise<string | undefined> {
  return async (question) => {
    if (!stdin.isTTY) return undefined;
    const terminal = createInterface({ input: stdin, output: prompt });
    const ended = new Promise<string>((resolve) => {
      terminal.once("close", () => resolve(""));
    });
    try {
      return await Promise.race([terminal.question(question), ended]);
    } finally {
      terminal.close();
    }
  };
}
