import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { CollectedSpan } from "./span-tree";

export interface TraceCollector {
  /** The base that exporters add `/v1/traces` to. */
  endpoint: string;
  /** The spans of one trace that have arrived so far, in the order of their arrival. */
  spans(traceId: string): CollectedSpan[];
  /** The traces that are kept, oldest first. */
  traceIds(): string[];
  stop(): Promise<void>;
}

const mostTraces = 5_000;
const mostSpansPerTrace = 2_000;
const mostBytes = 16 * 1024 * 1024;
const kinds = ["INTERNAL", "INTERNAL", "SERVER", "CLIENT", "PRODUCER", "CONSUMER"] as const;
const unzip = promisify(gunzip);

/** Starts a receiver of OTLP over HTTP with JSON on loopback. It keeps the newest 5,000 traces in memory. */
export async function startTraceCollector({ port = 0 }: { port?: number } = {}): Promise<TraceCollector> {
  // By span id: an exporter that misses an answer sends its batch again.
  const traces = new Map<string, Map<string, CollectedSpan>>();
  const keep = (span: CollectedSpan): void => {
    const spans = traces.get(span.traceId) ?? new Map<string, CollectedSpan>();
    if (spans.size < mostSpansPerTrace) spans.set(span.spanId, span);
    traces.set(span.traceId, spans);
    const [oldest] = traces.keys();
    if (traces.size > mostTraces && oldest !== undefined) traces.delete(oldest);
  };
  const server = createServer((req, res) => {
    receive(req, keep).then(
      (status) => answer(res, status),
      () => answer(res, 400),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const address = server.address();
  const boundPort = typeof address === "object" && address !== null ? address.port : port;
  return {
    endpoint: `http://127.0.0.1:${boundPort}`,
    spans: (traceId) => [...(traces.get(traceId)?.values() ?? [])],
    traceIds: () => [...traces.keys()],
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answer(res: ServerResponse, status: number): void {
  res.writeHead(status, { "content-type": "application/json" }).end("{}");
}

async function receive(req: IncomingMessage, keep: (span: CollectedSpan) => void): Promise<number> {
  if (req.method !== "POST" || req.url !== "/v1/traces") return 404;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > mostBytes) return 413;
    chunks.push(chunk);
  }
  const sent = Buffer.concat(chunks);
  const isZipped = req.headers["content-encoding"] === "gzip";
  const body = isZipped ? await unzip(sent, { maxOutputLength: mostBytes }) : sent;
  for (const span of parseSpans(JSON.parse(body.toString("utf8")))) keep(span);
  return 200;
}

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields => (value === null || typeof value !== "object" ? {} : { ...value });
const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : []);
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
/** 64-bit numbers are decimal text in OTLP's JSON. */
const nanosOf = (value: unknown): bigint => BigInt(textOf(value) || Number(value ?? 0));

/** Reads the spans of an ExportTraceServiceRequest of opentelemetry-proto in its JSON form. */
function parseSpans(request: unknown): CollectedSpan[] {
  return listOf(fieldsOf(request)["resourceSpans"]).flatMap((resourceSpans) => {
    const resource = attributesOf(fieldsOf(resourceSpans["resource"])["attributes"]);
    const service = textOf(resource["service.name"]) || "unknown";
    return listOf(resourceSpans["scopeSpans"]).flatMap(({ spans }) =>
      listOf(spans).map((span) => parseSpan(span, service)),
    );
  });
}

function parseSpan(span: Fields, service: string): CollectedSpan {
  const startUnixNano = nanosOf(span["startTimeUnixNano"]);
  return {
    traceId: textOf(span["traceId"]),
    spanId: textOf(span["spanId"]),
    parentSpanId: textOf(span["parentSpanId"]),
    name: textOf(span["name"]),
    service,
    kind: (typeof span["kind"] === "number" ? kinds[span["kind"]] : undefined) ?? "INTERNAL",
    startUnixNano,
    durationMs: Number(nanosOf(span["endTimeUnixNano"]) - startUnixNano) / 1e6,
    attributes: attributesOf(span["attributes"]),
  };
}

function attributesOf(list: unknown): Record<string, unknown> {
  return Object.fromEntries(listOf(list).map(({ key, value }) => [textOf(key), anyValue(fieldsOf(value))]));
}

/** An AnyValue as a plain value; its one field names its type. */
function anyValue(value: Fields): unknown {
  const { intValue, arrayValue } = value;
  if (arrayValue !== undefined) return listOf(fieldsOf(arrayValue)["values"]).map(anyValue);
  if (intValue !== undefined) return Number(intValue);
  return Object.values(value)[0];
}
