import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import files from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { makeOpenApi, operatorWords } from "../../../gateway/openapi";
import { uncalledOperatorTable, uncalledTable } from "../../support/declared-access";
import { httpCall } from "./http-call";
import { startTestGateway } from "./test-gateway";

const operatorToken = "operator-token-of-at-least-32-characters";
/** A garbage collection may fall into one round, not into every one. */
const rounds = 3;

/** Time of a processor that this thread has had: other programs on the machine do not change it, as they do how long something takes. */
function workedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

function workOf(work: () => unknown): number {
  const before = workedMs();
  work();
  return workedMs() - before;
}

describe("a document that nobody has read since the start", () => {
  const dir = mkdtempSync(join(tmpdir(), "cold-documents-"));
  const tokensFile = join(dir, "operators");
  writeFileSync(tokensFile, `ada ${operatorToken}\n`);
  afterAll(() => rmSync(dir, { recursive: true }));

  /**
   * Reads the document from a new gateway, and returns the most work that this process did in one turn of its event loop meanwhile: whoever
   * calls has to wait for it.
   */
  async function longestTurn(reader: "everybody" | "operators"): Promise<number> {
    const platform = await startTestGateway(
      { auth: { appendAuditRecords: () => Promise.resolve({}) } },
      { OPERATOR_TOKENS_FILE: tokensFile, OPERATOR_PORT: "0" },
    );
    const port = reader === "operators" ? (platform.gateway.operatorPort ?? 0) : platform.port;
    const headers = { authorization: `Bearer ${operatorToken}` };
    await httpCall(platform.port, "/healthz");
    let isRead = false;
    const reading = httpCall(port, "/openapi.json", { headers }).finally(() => {
      isRead = true;
    });
    let longest = 0;
    while (!isRead) {
      const before = workedMs();
      await nextTurn();
      longest = Math.max(longest, workedMs() - before);
    }
    expect((await reading).status).toBe(200);
    await platform.stop();
    return longest;
  }

  it.each([
    ["everybody", () => makeOpenApi(uncalledTable)],
    ["operators", () => makeOpenApi(uncalledOperatorTable, operatorWords)],
  ] as const)("keeps no other caller waiting while it is made for %s", async (reader, make) => {
    const wholeMs = workOf(() => JSON.stringify(make()));
    const turns: number[] = [];
    while (turns.length < rounds && !turns.some((ms) => ms < wholeMs / 2)) turns.push(await longestTurn(reader));

    expect(Math.min(...turns)).toBeLessThan(wholeMs / 2);
  });

  it("is read again after a reading that failed", async () => {
    const platform = await startTestGateway({});
    const read = jest.spyOn(files, "readFile").mockRejectedValueOnce(new Error("EMFILE: too many open files"));
    const first = await httpCall(platform.port, "/docs/swagger-ui.css");
    read.mockRestore();
    const second = await httpCall(platform.port, "/docs/swagger-ui.css");

    expect([first.status, second.status]).toEqual([500, 200]);
  });
});
