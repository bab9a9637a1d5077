import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { Gauge } from "prom-client";
import { type Health, makeHealth } from "./health";
import type { Running } from "./lifecycle";
import { gauge, gauges, type Metrics, makeMetrics } from "./metrics";
import { serveProbes } from "./probe-server";

describe("probes and metrics of a process", () => {
  let health: Health;
  let metrics: Metrics;
  let server: Running & { port: number };

  beforeEach(async () => {
    health = makeHealth(50);
    metrics = makeMetrics("payment");
    server = await serveProbes({ metrics, health }, "127.0.0.1", 0);
  });
  afterEach(() => server.stop());

  const ask = (path: string, method = "GET"): Promise<Response> =>
    fetch(`http://127.0.0.1:${server.port}${path}`, { method });
  const statuses = async (): Promise<number[]> =>
    Promise.all(["/livez", "/startupz", "/readyz"].map(async (path) => (await ask(path)).status));

  it("tell alive, started and ready apart", async () => {
    expect(await statuses()).toEqual([200, 503, 503]);
    health.started();
    expect(await statuses()).toEqual([200, 200, 200]);
    health.need("store", () => new Promise(() => {}));
    expect(await statuses()).toEqual([200, 200, 503]);
    expect(await (await ask("/readyz")).json()).toEqual({ status: "not ok", missing: ["store"] });
    health.stopping();
    expect(await statuses()).toEqual([200, 200, 503]);
  });

  it("serve nothing else", async () => {
    expect((await ask("/")).status).toBe(404);
    expect((await ask("/livez?x")).status).toBe(404);
    expect((await ask("/livez", "POST")).status).toBe(404);
  });

  describe("whoever connects", () => {
    const opened: Socket[] = [];
    afterEach(() => {
      for (const socket of opened.splice(0)) socket.destroy();
    });
    const open = async (text = ""): Promise<Socket> => {
      const socket = connect(server.port, "127.0.0.1");
      socket.on("error", () => undefined);
      opened.push(socket);
      await once(socket, "connect");
      socket.write(text);
      return socket;
    };

    it("and says nothing keeps no probe out", async () => {
      for (let index = 0; index < 200; index += 1) await open();

      expect((await ask("/livez")).status).toBe(200);
      expect(opened.filter(({ closed }) => !closed).length).toBeLessThan(200);
    });

    it("has one request at a time, and loses the connection with a second", async () => {
      let reads = 0;
      const collect = (): void => {
        reads += 1;
      };
      metrics.registry.registerMetric(new Gauge({ name: "corridor_test_one", help: "One.", registers: [], collect }));
      const socket = await open("GET /metrics HTTP/1.1\r\nhost: a\r\n\r\n".repeat(500));
      socket.resume();
      await once(socket, "close");

      expect(reads).toBe(1);
      expect((await ask("/metrics")).status).toBe(200);
    });
  });

  it("name the process by a label that no scraper takes for its own", async () => {
    const text = await (await ask("/metrics")).text();

    expect(text).toMatch(/^process_start_time_seconds\{corridor_service="payment"\} /m);
    expect(text).not.toMatch(/[{,](service|pod|namespace|job|instance|container|endpoint)="/);
  });

  it("give all metrics while some cannot be read, and the age of what is old", async () => {
    let isAway = false;
    const read = async <T>(value: T): Promise<T> => (isAway ? new Promise<T>(() => {}) : value);
    gauge(metrics, "corridor_test_one", "One.", () => read(3));
    gauges(metrics, "corridor_test_many", "Many.", {
      labelNames: ["state"],
      read: () => read([{ labels: { state: "OPEN" }, value: 4 }]),
    });
    await ask("/metrics");
    isAway = true;

    await ask("/metrics");
    const answer = await ask("/metrics");
    const text = await answer.text();

    expect(answer.status).toBe(200);
    expect(text).toMatch(/^corridor_test_one\{corridor_service="payment"\} 3$/m);
    expect(text).toMatch(/^corridor_test_many\{state="OPEN",corridor_service="payment"\} 4$/m);
    const [, age = ""] = /^corridor_figures_age_seconds\{[^}]*\} (.*)$/m.exec(text) ?? [];
    expect(Number.parseFloat(age)).toBeGreaterThan(0.5);
  });

  it("show no value that was never read", async () => {
    gauge(metrics, "corridor_test_one", "One.", () => Promise.reject(new Error("away")));

    expect(await (await ask("/metrics")).text()).not.toMatch(/^corridor_test_one/m);
  });
});
