import { existsSync, readFileSync } from "node:fs";
import { parse } from "yaml";
import { handWritten } from "./cluster";
import { openHelm, valuesFiles } from "./helm";
import { ofKind, parseManifests } from "./manifest";
import { violationsOf } from "./policy";

const manifests = handWritten().map(({ object }) => object);

describe("the cluster around a release", () => {
  it("keeps the policy that every workload of ours keeps", () => {
    expect(violationsOf(manifests)).toEqual([]);
  });

  it("has namespaces in which pods must be restricted", () => {
    const namespaces = manifests.filter(({ kind }) => kind === "Namespace");

    expect(namespaces.map(({ metadata }) => metadata.name).toSorted()).toEqual(["corridor", "observability"]);
    for (const { metadata } of namespaces) {
      expect(metadata.labels?.["pod-security.kubernetes.io/enforce"]).toBe("restricted");
    }
  });

  it.each(valuesFiles())("has room for the ways in of $title in the quota of its namespace", ({ file }) => {
    const answer = openHelm().template(file);
    const services = "text" in answer ? ofKind(parseManifests(answer.text), "Service") : [];
    const balancers = services.filter(({ spec }) => spec?.type === "LoadBalancer");
    const quota = manifests.find(({ kind }) => kind === "ResourceQuota") as unknown as {
      spec: { hard: Record<string, string> };
    };

    expect(services.length).toBeGreaterThan(7);
    expect(Number(quota.spec.hard["services.loadbalancers"])).toBeGreaterThanOrEqual(balancers.length);
    // A balancer takes a port of the nodes for each of its own ports.
    const ports = balancers.flatMap(({ spec }) => spec?.ports ?? []);
    expect(Number(quota.spec.hard["services.nodeports"])).toBeGreaterThanOrEqual(ports.length);
  });

  it("runs the collector with the configuration of the chart, word for word", () => {
    const map = ofKind(manifests, "ConfigMap").find(({ data }) => data?.["collector.yaml"] !== undefined);

    expect(map?.data?.["collector.yaml"]).toBe(readFileSync("charts/corridor/files/collector.yaml", "utf8"));
  });

  it("is a cluster of kind with nodes to spread over", () => {
    const cluster = parse(readFileSync("k8s/kind/cluster.yaml", "utf8")) as { nodes: { role: string }[] };

    expect(cluster).toMatchObject({ kind: "Cluster", apiVersion: "kind.x-k8s.io/v1alpha4", name: "corridor" });
    expect(cluster.nodes.map(({ role }) => role)).toEqual(["control-plane", "worker", "worker", "worker"]);
  });

  it("is made by commands whose files exist", () => {
    const files = [...readFileSync("k8s/README.md", "utf8").matchAll(/(?<=[ `])(?:k8s|charts)\/[\w./-]+/g)].map(
      ([path]) => path.replace(/\.$/, ""),
    );

    expect(files.length).toBeGreaterThan(5);
    expect(files.filter((path) => !existsSync(path))).toEqual([]);
  });
});
