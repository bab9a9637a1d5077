import { createHmac, timingSafeEqual } from "node:crypto";
import { request } from "undici";
import { expect, line } from "./transcript";

interface SinkItem {
  sequence: number;
  receivedAt: string;
  headers: Record<string, string>;
  body: string;
}

const patienceMs = 60_000;
const replayWindowSeconds = 300;

/**
 * Verifies a delivery as the specification requires: a timestamp within 300 seconds, and the HMAC-SHA256 of `t.body` over
 * the raw bytes, compared in constant time.
 */
function isSigned(body: string, header: string | undefined, secret: string, nowSeconds: number): boolean {
  const [, t = "", v1 = ""] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header ?? "") ?? [];
  if (v1 === "" || Math.abs(nowSeconds - Number.parseInt(t, 10)) > replayWindowSeconds) return false;
  const expected = createHmac("sha256", secret).update(`${t}.${body}`).digest();
  return timingSafeEqual(Buffer.from(v1, "hex"), expected);
}

/** Reads the receiver until the given states have arrived; prints and verifies each delivery, and fails on a wrong order. */
export async function followStates(sinkUrl: string, secret: string, states: readonly string[]): Promise<void> {
  const startMs = performance.now();
  let seen = 0;
  let after = 0;
  while (seen < states.length) {
    expect(
      performance.now() - startMs < patienceMs,
      `the webhook ${states[seen] ?? ""} within ${patienceMs / 1_000} s`,
    );
    for (const item of await readSink(sinkUrl, after)) {
      after = item.sequence;
      const verified = isSigned(item.body, item.headers["x-service-signature"], secret, Date.now() / 1_000);
      const { oldStatus, newStatus } = JSON.parse(item.body) as { oldStatus: string | null; newStatus: string };
      const note = `${oldStatus ?? "(none)"} -> ${newStatus}, signature ${verified ? "verified" : "WRONG"}`;
      line("webhook TransactionStatusChanged", "POST", `${Math.round(performance.now() - startMs)} ms`, note);
      expect(verified, "a delivery whose signature verifies");
      expect(newStatus === states[seen], `${states[seen]} as state number ${seen + 1}`);
      expect(
        oldStatus === (states[seen - 1] ?? null),
        `${states[seen - 1] ?? "null"} as the state before ${newStatus}`,
      );
      seen += 1;
    }
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

async function readSink(sinkUrl: string, after: number): Promise<SinkItem[]> {
  const { body } = await request(`${sinkUrl}?after=${after}`);
  const { items } = (await body.json()) as { items: SinkItem[] };
  return items;
}
