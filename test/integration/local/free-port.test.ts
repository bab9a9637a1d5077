import { execFile } from "node:child_process";
import { compiled } from "../../../local/compiled";
import { freePorts } from "../../../local/free-port";

const count = 600;

/** Prints ports and lives until its input ends, as a platform does that uses them later. */
const other = `
  require(process.argv[1]).freePorts(${count}).then((ports) => {
    process.stdout.write(JSON.stringify(ports) + "\\n");
    process.stdin.resume();
  });
`;

async function portsOfAnotherProcess(): Promise<{ ports: number[]; end(): void }> {
  const child = execFile(process.execPath, ["-e", other, compiled("local/free-port")]);
  const line = await new Promise<string>((resolve, reject) => {
    let text = "";
    child.once("exit", (code) => reject(new Error(`it ended with ${code}`)));
    child.stdout?.on("data", (chunk: string) => {
      text += chunk;
      if (text.endsWith("\n")) resolve(text);
    });
  });
  return { ports: JSON.parse(line) as number[], end: () => child.stdin?.end() };
}

describe("free ports", () => {
  it("are given to one of several processes, though none of them listens yet", async () => {
    const [one, two, mine] = await Promise.all([portsOfAnotherProcess(), portsOfAnotherProcess(), freePorts(count)]);

    expect(new Set([...one.ports, ...two.ports, ...mine]).size).toBe(3 * count);
    one.end();
    two.end();
  });
});
