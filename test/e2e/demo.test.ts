import { execFile } from "node:child_process";
import { join } from "node:path";

const programs = join(__dirname, "../../dist/local/cli");

/** Runs a program and returns its exit code and what it printed. */
function runProgram(name: string, ...args: string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [join(programs, name), ...args], { timeout: 220_000 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: `${stdout}${stderr}` });
    });
  });
}

describe("the demo", () => {
  it("pays a real payment and shows every step, ending with 0", async () => {
    const { code, output } = await runProgram("demo.js");

    expect(output).toContain("Every step succeeded.");
    expect(code).toBe(0);
    for (const part of [
      "POST /oauth/token",
      "GET /schema/BRA",
      "signature verified",
      "CAPTURED",
      "Idempotency-Replayed: true",
      "VERIFIED",
      "POST /v1/sessions",
    ]) {
      expect(output).toContain(part);
    }
  });

  it.each([
    ["wrong-secret", "a delivery whose signature verifies"],
    ["refusing-rail", "PayoutAccepted as state number 3"],
    ["dead-service", "HTTP 200 from POST /v2/foreign-exchange"],
  ])(
    "ends with another code when sabotaged with %s",
    async (sabotage, reason) => {
      const { code, output } = await runProgram("demo.js", "--sabotage", sabotage);

      expect(output).toContain(`The demo failed: expected ${reason}`);
      expect(code).not.toBe(0);
    },
    240_000,
  );
});

describe("the trace demo", () => {
  it("shows one payment's trace from the request to the last webhook", async () => {
    const { code, output } = await runProgram("trace-demo.js");
    const [, trace = ""] = output.split(/^Trace [0-9a-f]{32}: \d+ spans$/m);

    expect(code).toBe(0);
    expect(trace.trim().split("\n")[0]).toMatch(/^gateway +POST \/v2\/payment /);
    expect(trace.match(/^webhook +webhook POST /gm)?.length).toBeGreaterThanOrEqual(7);
    // Schemas are fetched ahead of payments: whether this one still had to ask for its own is chance.
    for (const service of ["payment", "fx", "identity", "wallet"])
      expect(trace).toMatch(new RegExp(`^${service} `, "m"));
  });
});
