import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../../test/support/platform-client";
import { startOperatorDirectory } from "./operator-directory";
import { parseOperatorTokens } from "./operator-tokens";

const [ada, bob] = ["a".repeat(32), "b".repeat(32)];

describe("startOperatorDirectory", () => {
  const folder = mkdtempSync(join(tmpdir(), "operators-"));
  const path = join(folder, "tokens");
  afterAll(() => rmSync(folder, { recursive: true }));

  it("knows nobody whose token has ended, from that moment on", async () => {
    const text = `ada ${ada} roles=support until=2026-12-01T00:00:00Z\n`;
    writeFileSync(path, text);
    const tokens = parseOperatorTokens(text) ?? new Map();
    let now = new Date("2026-11-30T23:59:59.999Z");
    const quiet = () => undefined;
    const logger = { debug: quiet, info: quiet, warn: quiet, error: quiet };
    const directory = startOperatorDirectory({ file: { path, tokens }, clock: { now: () => now }, logger });

    expect(directory.find(ada)?.name).toBe("ada");
    now = new Date("2026-12-01T00:00:00Z");
    expect(directory.find(ada)).toBeUndefined();
    await directory.stop();
  });

  it("keeps whom it knows when the file cannot be understood or is gone, says so once, and goes on with the next good one", async () => {
    const told: unknown[] = [];
    const quiet = () => undefined;
    const logger = { debug: quiet, info: quiet, warn: quiet, error: (fields: unknown) => void told.push(fields) };
    const text = `ada ${ada}\n`;
    writeFileSync(path, text);
    const tokens = parseOperatorTokens(text) ?? new Map();
    const clock = { now: () => new Date() };
    const directory = startOperatorDirectory({ file: { path, tokens }, clock, logger });
    const tellsMoreThan = (count: number) =>
      until(
        () => Promise.resolve(told.length),
        (length) => length > count,
      );

    await until(
      () => Promise.resolve(directory.find(ada)?.name),
      (name) => name === "ada",
    );
    writeFileSync(path, `ada ${ada}\nbob ${bob} roles=god\n`);
    await tellsMoreThan(0);
    expect([directory.find(ada)?.name, directory.find(bob)]).toEqual(["ada", undefined]);
    rmSync(path);
    await tellsMoreThan(1);
    expect(directory.find(ada)?.name).toBe("ada");
    expect(JSON.stringify(told)).not.toContain(ada);
    writeFileSync(path, `bob ${bob} roles=support\n`);
    await until(
      () => Promise.resolve(directory.find(bob)?.name),
      (name) => name === "bob",
    );
    expect(directory.find(ada)).toBeUndefined();
    expect(directory.find("")).toBeUndefined();
    await directory.stop();
  });
});
