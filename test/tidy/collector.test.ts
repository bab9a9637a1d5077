import { parse } from "yaml";
import { textOf } from "./tree";

interface Configuration {
  receivers: Record<string, { protocols: { http: { endpoint: string } } }>;
  processors: Record<string, unknown>;
  exporters: Record<string, unknown>;
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
    const [, port] = /:(\d+)$/.exec(collector.receivers["otlp"]?.protocols.http.endpoint ?? "") ?? [];

    expect(networkPolicy.peers.collector.ports.map((one) => String(one.port))).toEqual([port]);
  });
});
