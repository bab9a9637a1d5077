import { randomBytes } from "node:crypto";
import { authorise, pay, pushStates, quote, subscribe } from "../demo/first-payment";
import { onPlatform, runDemo } from "../demo/on-platform";
import { expect, makeCaller } from "../demo/transcript";
import { followStates } from "../demo/webhooks";
import type { Platform } from "../platform";
import { type CollectedSpan, renderTimeline } from "../span-tree";
import type { TraceCollector } from "../trace-collector";

/** `make trace-demo`: one payment with its whole trace, from the request to the last webhook. */

/** A span name for each kind of work in a payment. */
const work = {
  "the request": /^gateway POST \/v2\/payment$/,
  "its acceptance": /^payment .*AcceptPayment$/,
  "the store": /^payment mongodb /,
  "its carrying out": /^payment payment\.advance$/,
  "the rail": /^payment pix POST$/,
  "the bus": /^payment corridor\.payment\.events publish$/,
  "the ledger": /^wallet .*process$/,
  "the webhook's consumer": /^webhook .*process$/,
  "the webhook": /^webhook webhook POST$/,
};

/** Exporters send every second; the last webhook's spans arrive after it. */
const patienceMs = 60_000;
const quietMs = 2_500;

async function payTraced({ credentials }: Platform, { spans }: TraceCollector): Promise<void> {
  const { baseUrl, sandboxUrl, sinkUrl, tenants } = credentials;
  const [tenant] = tenants;
  if (tenant === undefined) throw new Error("no tenant");
  const run = `trace-${randomBytes(6).toString("hex")}`;
  const traceId = randomBytes(16).toString("hex");
  const call = makeCaller(baseUrl, {});
  const bearer = await authorise(call, tenant);
  const secret = await subscribe(tenant, call, `${sinkUrl}/${run}`);
  const body = await quote(call, bearer, run);
  await pay(makeCaller(baseUrl, { traceparent: `00-${traceId}-${randomBytes(8).toString("hex")}-01` }), bearer, body);
  await followStates(`${sandboxUrl}/sink/${run}`, secret, pushStates);
  const trace = await whenComplete(() => spans(traceId));
  console.log(`\nTrace ${traceId}: ${trace.length} spans\n`);
  console.log(renderTimeline(trace));
}

const missingOf = (spans: readonly CollectedSpan[]): string[] =>
  Object.entries(work)
    .filter(([, pattern]) => !spans.some(({ service, name }) => pattern.test(`${service} ${name}`)))
    .map(([what]) => what);

/** Waits until the spans cover every kind of work and no more have come for a while. */
async function whenComplete(read: () => CollectedSpan[]): Promise<CollectedSpan[]> {
  const startMs = performance.now();
  let count = 0;
  let changedMs = startMs;
  for (;;) {
    const spans = read();
    const nowMs = performance.now();
    if (spans.length !== count) [count, changedMs] = [spans.length, nowMs];
    const missing = missingOf(spans);
    if (missing.length === 0 && nowMs - changedMs > quietMs) return spans;
    expect(nowMs - startMs < patienceMs || missing.length === 0, `spans of ${missing.join(", ")} in the trace`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

runDemo(() => onPlatform(payTraced));
