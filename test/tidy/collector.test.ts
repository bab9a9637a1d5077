import { parse } from "yaml";
import { textOf } from "./tree";

interface Configuration {
  receivers: Record<string, { protocols: { http?: { endpoint: string }; grpc?: { endpoint: string } } }>;
  processors: { [name: string]: unknown; tail_sampling: { policies: { type: string }[] } };
  exporters: { [name: string]: unknown; loadbalancing: { routing_key: string; resolver: { dns: { port: string } } } };
  extensions: Record<string, unknown>;
  service: {
    extensions: string[];
    pipelines: Record<string, { receivers: string[]; processors: string[]; exporters: string[] }>;
  };
}

const collector = parse(textOf("charts/corridor/files/collector.yaml")) as Configuration;

describe("the configuration of the collector", () => {
  it("uses every part that it declares, and declares every part that it uses", () => {
    for (const kind of ["receivers", "processors", "exporters"] as const) {
      const used = Object.values(collector.service.pipelines).flatMap((pipeline) => pipeline[kind]);
      expect(new Set(used)).toEqual(new Set(Object.keys(collector[kind])));
    }
    expect(collector.service.extensions).toEqual(Object.keys(collector.extensions));
  });

  it("listens where the chart lets services connect to", () => {
    const { networkPolicy } = parse(textOf("charts/corridor/values.yaml")) as {
      networkPolicy: { peers: { collector: { ports: { port: number }[] } } };
    };
    const [, port] = /:(\d+)$/.exec(collector.receivers["otlp"]?.protocols.http?.endpoint ?? "") ?? [];

    expect(networkPolicy.peers.collector.ports.map((one) => String(one.port))).toEqual([port]);
  });

  it("decides about a whole trace, where all of its spans are, and keeps what failed or was slow", () => {
    const { traces, "traces/in": entry } = collector.service.pipelines;
    const { loadbalancing } = collector.exporters;

    expect(entry).toEqual({ receivers: ["otlp"], processors: ["memory_limiter"], exporters: ["loadbalancing"] });
    expect(traces?.processors).toEqual(["memory_limiter", "tail_sampling", "batch"]);
    expect(loadbalancing.routing_key).toBe("traceID");
    expect(collector.receivers["otlp/peers"]?.protocols.grpc?.endpoint).toBe(
      `0.0.0.0:${loadbalancing.resolver.dns.port}`,
    );
    expect(collector.processors.tail_sampling.policies.map(({ type }) => type)).toEqual([
      "status_code",
      "latency",
      "probabilistic",
    ]);
  });

  it.each(["k8s/collector.yaml", "compose.yaml"])("finds in %s all that it is told by its surroundings", (file) => {
    const text = textOf(file);

    for (const [, name] of textOf("charts/corridor/files/collector.yaml").matchAll(/\$\{env:(\w+)\}/g)) {
      expect(text).toContain(`${name}: `);
    }
    // What samples by the tail and balances by trace is in this distribution.
    expect(text).toMatch(/opentelemetry-collector-contrib:/);
  });
});
