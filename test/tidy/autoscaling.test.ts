import { parse } from "yaml";
import { filesIn, platformCode, textOf } from "./tree";

interface Asked {
  type: string;
  pods?: { metric: { name: string } };
  external?: { metric: { name: string } };
}
interface Values {
  services?: Record<string, { autoscaling?: { metrics?: Asked[] } }>;
}
interface Rule {
  seriesQuery: string;
}

const adapter = parse(textOf("k8s/prometheus-adapter-values.yaml")) as { rules: Record<"custom" | "external", Rule[]> };
const asked = filesIn("charts/corridor/ci").flatMap((file) =>
  Object.values((parse(textOf(file)) as Values).services ?? {}).flatMap(
    ({ autoscaling }) => autoscaling?.metrics ?? [],
  ),
);
const namesOf = (kind: "pods" | "external"): string[] => asked.flatMap((one) => one[kind]?.metric.name ?? []);
/** True when a rule of the adapter selects the series of this name. */
const isGiven = (name: string, kind: "custom" | "external"): boolean =>
  adapter.rules[kind].some(({ seriesQuery }) => {
    const [, pattern = ""] = /__name__=~"([^"]+)"/.exec(seriesQuery) ?? [];
    return pattern !== "" && new RegExp(pattern).test(name);
  });

describe("metrics that autoscalers ask for", () => {
  it("are of what is in work and of what waits", () => {
    expect(namesOf("pods").toSorted()).toEqual(["corridor_http_in_flight", "corridor_rpc_in_flight"]);
    expect(namesOf("external")).toEqual(["corridor_webhook_oldest_undelivered_seconds"]);
  });

  it("are given by the adapter's rules, and measured", () => {
    const code = platformCode().map(textOf).join("\n");

    expect(namesOf("pods").filter((name) => !isGiven(name, "custom"))).toEqual([]);
    expect(namesOf("external").filter((name) => !isGiven(name, "external"))).toEqual([]);
    const measured = [...namesOf("pods"), ...namesOf("external")].map((name) => [name, code.includes(`"${name}"`)]);
    expect(measured.filter(([, isMeasured]) => isMeasured !== true)).toEqual([]);
  });
});
