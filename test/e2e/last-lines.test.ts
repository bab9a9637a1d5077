import { spawnSync } from "node:child_process";
import { compiled } from "../../local/compiled";

/** Runs a program with the logger of all processes, and returns the messages that it has written. */
function messagesOf(program: string): unknown[] {
  const logger = JSON.stringify(compiled("services/shared/process/logger"));
  const code = `const log = require(${logger}).makeLogger("test", "info"); ${program}`;
  const { stdout } = spawnSync(process.execPath, ["-e", code], { encoding: "utf8" });
  const lines = stdout.split("\n").filter((line) => line !== "");
  return lines.map((line) => (JSON.parse(line) as { message: unknown }).message);
}

describe("the log of a process", () => {
  it("has what was said in the turn in which the process ends, by itself or by an error", () => {
    const said = 'log.info({}, "one"); log.error({}, "two");';

    expect(messagesOf(`${said} process.exit(1)`)).toEqual(["one", "two"]);
    expect(messagesOf(`${said} throw new Error("it breaks")`)).toEqual(["one", "two"]);
    expect(messagesOf(`${said} setImmediate(() => { log.info({}, "three"); process.exit(1); })`)).toEqual([
      "one",
      "two",
      "three",
    ]);
  });

  it("has every line of a process that ends because nothing is left to do, in order", () => {
    const count = 2_000;
    const all = messagesOf(`for (let n = 0; n < ${count}; n += 1) log.info({}, String(n))`);

    expect(all).toEqual(Array.from({ length: count }, (_, n) => String(n)));
  });
});
