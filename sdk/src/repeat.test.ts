import type { Attempt } from "./attempt.ts";
import { evaluate, type RepeatRule, waitMs } from "./repeat.ts";

const refusal = (status: number, code = "X", retryAfterMs?: number): Attempt => ({
  kind: "refusal",
  refusal: { status, code, message: "", requestId: "", errors: [], details: {}, retryAfterMs },
});
const lost = (wasSent: boolean): Attempt => ({ kind: "lost", wasSent, cause: undefined });

/** Expected step after each kind of attempt under each rule, with and without an earlier one with an unknown outcome. */
const table: readonly [name: string, attempt: Attempt, rule: RepeatRule, first: string, later: string][] = [
  ["an answer", { kind: "answer", status: 200, headers: new Headers(), body: {} }, "never", "done", "done"],
  ["a request that never left", lost(false), "never", "again", "again"],
  ["a lost answer to a read", lost(true), "always", "again", "again"],
  ["a lost answer to a payment with its id", lost(true), "byId", "again", "again"],
  ["a lost answer to what might be done twice", lost(true), "never", "unknown", "unknown"],
  ["too many requests", refusal(429), "never", "again", "again"],
  ["an absent dependency, by id", refusal(503), "byId", "again", "again"],
  ["an absent dependency that might have done it", refusal(503), "never", "unknown", "unknown"],
  ["a gateway in between that gave up", refusal(504), "never", "unknown", "unknown"],
  ["the same request still running", refusal(409, "IDM_001"), "byId", "again", "again"],
  ["a bug on the way of a payment", refusal(500, "SYS_500"), "byId", "unknown", "unknown"],
  ["a bug on the way of a read", refusal(500, "SYS_500"), "always", "refused", "refused"],
  ["a wrong field", refusal(400, "VE_001"), "byId", "refused", "refused"],
  ["a conflict of ids", refusal(422, "IDM_002"), "byId", "refused", "refused"],
  ["funds that are missing now", refusal(422, "PAY_413"), "byId", "refused", "unknown"],
  ["a quote that is over now", refusal(400, "PAY_410"), "byId", "refused", "unknown"],
  ["a state that does not allow it now", refusal(409, "PAY_409"), "byId", "refused", "unknown"],
  ["a read of what is not there", refusal(404, "PAY_404"), "always", "refused", "refused"],
  ["a credential that ended", refusal(401, "AUTH_001"), "byId", "refused", "unknown"],
  ["an address that is no longer allowed", refusal(403, "AUTH_003"), "byId", "refused", "unknown"],
];

describe("after", () => {
  it.each(table)("%s", (_name, attempt, rule, first, later) => {
    expect([evaluate(attempt, rule, false), evaluate(attempt, rule, true)]).toEqual([first, later]);
  });

  it("waits as long as it was told, and a little, else longer each time up to eight seconds", () => {
    expect(waitMs(refusal(429, "RL_001", 3_000), 1, () => 0)).toBe(3_000);
    expect(waitMs(refusal(429, "RL_001", 3_000), 1, () => 1)).toBe(3_250);
    expect([1, 2, 3, 9].map((attempts) => waitMs(lost(true), attempts, () => 1))).toEqual([500, 1_000, 2_000, 8_000]);
    expect(waitMs(lost(true), 9, () => 0)).toBe(0);
  });
});
