import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { renderSpanTree } from "./span-tree";
import { startTraceCollector, type TraceCollector } from "./trace-collector";

/** Runs outside jest: the exporter needs dynamic imports, which jest's module loader does not have. */
const exportTwoSpans = `
  const { context, SpanKind, trace } = require("@opentelemetry/api");
  const { OTLPTraceExporter } = require("@opentelemetry/exporter-trace-otlp-http");
  const { resourceFromAttributes } = require("@opentelemetry/resources");
  const { AlwaysOnSampler, BatchSpanProcessor, TracerProvider } = require("@opentelemetry/sdk-trace");
  const [url, compression] = process.argv.slice(1);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": "payment" }),
    sampler: new AlwaysOnSampler(),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url, compression }) })],
  });
  const tracer = provider.getTracer("test");
  const attributes = { "rail.name": "pix", attempt: 2, retried: true, states: ["A", "B"] };
  const startTime = [1700000000, 5];
  const parent = tracer.startSpan("ReleasePayout", { kind: SpanKind.SERVER, attributes, startTime });
  tracer.startSpan("POST", { kind: SpanKind.CLIENT }, trace.setSpan(context.active(), parent)).end();
  parent.end([1700000000, 2500005]);
  provider.shutdown();
`;

const oneSpan = (traceId: string, spanId = "s"): string =>
  JSON.stringify({
    resourceSpans: [
      { scopeSpans: [{ spans: [{ traceId, spanId, name: "n", startTimeUnixNano: "1", endTimeUnixNano: "2" }] }] },
    ],
  });
const post = (collector: TraceCollector, body: string | Buffer<ArrayBuffer>, headers = {}, path = "/v1/traces") =>
  fetch(`${collector.endpoint}${path}`, { method: "POST", body, headers });

describe("startTraceCollector", () => {
  let collector: TraceCollector;
  beforeEach(async () => {
    collector = await startTraceCollector();
  });
  afterEach(() => collector.stop());

  it.each(["none", "gzip"])("collects what the real exporter sends with compression %s", async (compression) => {
    const args = ["-e", exportTwoSpans, `${collector.endpoint}/v1/traces`, compression];
    await promisify(execFile)(process.execPath, args, { cwd: join(__dirname, "..") });

    const [traceId = "", ...others] = collector.traceIds();
    const spans = collector.spans(traceId);
    const parent = spans.find(({ name }) => name === "ReleasePayout");
    const child = spans.find(({ name }) => name === "POST");

    expect(others).toEqual([]);
    expect(parent).toEqual({
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
      parentSpanId: "",
      name: "ReleasePayout",
      service: "payment",
      kind: "SERVER",
      startUnixNano: 1_700_000_000_000_000_005n,
      durationMs: 2.5,
      attributes: { "rail.name": "pix", attempt: 2, retried: true, states: ["A", "B"] },
    });
    expect(child).toMatchObject({ parentSpanId: parent?.spanId, kind: "CLIENT" });
    expect(renderSpanTree(spans)).toMatch(/^payment {2}ReleasePayout .*\npayment {4}POST /);
  });

  it("keeps a span once, however often it is sent", async () => {
    await post(collector, oneSpan("t"));
    await post(collector, oneSpan("t"));
    await post(collector, gzipSync(oneSpan("t", "other")), { "content-encoding": "gzip" });

    expect(collector.spans("t").map(({ spanId }) => spanId)).toEqual(["s", "other"]);
    expect(collector.spans("unknown")).toEqual([]);
  });

  it("forgets the oldest trace beyond 5,000", async () => {
    const spans = Array.from({ length: 5_001 }, (_, index) => ({
      traceId: `t${index}`,
      spanId: "s",
      startTimeUnixNano: "1",
      endTimeUnixNano: "2",
    }));
    await post(collector, JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }));

    expect(collector.traceIds()).toHaveLength(5_000);
    expect(collector.spans("t0")).toEqual([]);
    expect(collector.spans("t5000")).toHaveLength(1);
  });

  it("refuses what is not a trace export", async () => {
    expect((await post(collector, "not json")).status).toBe(400);
    expect((await post(collector, "{}", {}, "/v1/logs")).status).toBe(404);
    expect((await fetch(`${collector.endpoint}/v1/traces`)).status).toBe(404);
  });
});
