import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { until } from "../../../test/support/platform-client";
import type { Logger } from "./logger";
import { counter, gauge, makeMetrics, secondsHistogram } from "./metrics";
import { startMetricsExport } from "./metrics-export";

interface Point {
  attributes: { key: string; value: { stringValue: string } }[];
  startTimeUnixNano: string;
  timeUnixNano: string;
  [field: string]: unknown;
}
interface Told {
  name: string;
  sum?: { dataPoints: Point[]; isMonotonic: boolean; aggregationTemporality: number };
  gauge?: { dataPoints: Point[] };
  histogram?: { dataPoints: Point[]; aggregationTemporality: number };
}
interface Request {
  path: string | undefined;
  metrics: Told[];
  service: unknown;
}

describe("metrics by OTLP", () => {
  const requests: Request[] = [];
  const said: string[] = [];
  const say = (_fields: unknown, text: string): void => void said.push(text);
  const logger = { debug: say, info: say, warn: say, error: say } as unknown as Logger;
  let status = 200;
  let server: Server;
  let endpoint: string;

  beforeAll(async () => {
    const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const text = Buffer.concat(await request.toArray()).toString("utf8");
      const { resourceMetrics } = JSON.parse(text) as {
        resourceMetrics: { resource: unknown; scopeMetrics: { metrics: Told[] }[] }[];
      };
      const [first] = resourceMetrics;
      requests.push({ path: request.url, metrics: first?.scopeMetrics[0]?.metrics ?? [], service: first?.resource });
      response.writeHead(status).end("{}");
    };
    server = createServer((request, response) => void take(request, response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/metrics`;
  });
  afterEach(() => {
    requests.length = 0;
    said.length = 0;
    status = 200;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const start = (everyMs: number) => {
    const metrics = makeMetrics("payment");
    const counted = counter(metrics, "corridor_things_total", "Things.", ["outcome"]);
    gauge(metrics, "corridor_overdue", "Overdue.", () => 3);
    const timed = secondsHistogram(metrics, "corridor_wait_seconds", "Waits.", ["step"]);
    counted.inc({ outcome: "good" }, 2);
    for (const seconds of [0.0005, 0.02, 0.02, 1_000]) timed.observe({ step: "release" }, seconds);
    return startMetricsExport({ service: "payment", registry: metrics.registry, endpoint, logger, everyMs });
  };
  const asked = (name: string): Told | undefined => requests.at(-1)?.metrics.find((one) => one.name === name);
  const labelsOf = (point: Point | undefined): Record<string, string> =>
    Object.fromEntries((point?.attributes ?? []).map(({ key, value }) => [key, value.stringValue]));

  it("are those that Prometheus reads, each in its form", async () => {
    const exporting = start(60_000);
    await until(async () => requests.length, Boolean);
    await exporting.stop();

    expect(requests[0]?.path).toBe("/v1/metrics");
    expect(requests[0]?.service).toEqual({
      attributes: [{ key: "service.name", value: { stringValue: "payment" } }],
    });
    const things = asked("corridor_things_total")?.sum;
    expect(things).toMatchObject({ isMonotonic: true, aggregationTemporality: 2, dataPoints: [{ asDouble: 2 }] });
    expect(labelsOf(things?.dataPoints[0])).toEqual({ outcome: "good", corridor_service: "payment" });
    expect(asked("corridor_overdue")?.gauge?.dataPoints).toMatchObject([{ asDouble: 3 }]);
    const [wait] = asked("corridor_wait_seconds")?.histogram?.dataPoints ?? [];
    const bounds = wait?.["explicitBounds"] as number[];
    const counts = wait?.["bucketCounts"] as string[];
    expect(labelsOf(wait)).toEqual({ step: "release", corridor_service: "payment" });
    expect(wait).toMatchObject({ count: "4", sum: 1_000.0405 });
    expect(counts).toHaveLength(bounds.length + 1);
    expect([counts[0], counts[bounds.indexOf(0.025)], counts.at(-1)]).toEqual(["1", "2", "1"]);
    expect(counts.reduce((sum, count) => sum + Number(count), 0)).toBe(4);
    expect(Number(wait?.timeUnixNano)).toBeGreaterThanOrEqual(Number(wait?.startTimeUnixNano));
  });

  it("are sent once more at the end", async () => {
    const exporting = start(60_000);
    await until(async () => requests.length, Boolean);
    await exporting.stop();

    expect(requests).toHaveLength(2);
  });

  it("are lost, with a line in the log, where nobody takes them, and sent again later", async () => {
    status = 503;
    const exporting = start(5);
    await until(
      async () => requests.length,
      (count) => count > 2,
    );
    status = 200;
    await exporting.stop();

    expect(new Set(said)).toEqual(new Set(["metrics could not be sent"]));
  });
});
