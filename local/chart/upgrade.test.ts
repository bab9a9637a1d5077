import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Helm, openHelm, valuesFiles } from "./helm";
import { type Manifest, ofKind, parseManifests, workloadsOf } from "./manifest";
import { laterChart, releaseChanges } from "./release-changes";
import { brokenNames, brokenUpgrade } from "./upgrade";

const dir = mkdtempSync(join(tmpdir(), "corridor-upgrade-"));
afterAll(() => rmSync(dir, { recursive: true }));

const helm = openHelm();
const later = openHelm(laterChart(dir, "9.9.9-rc.1+build.20261122"));
const render = (title: string, set: readonly string[] = [], by: Helm = helm): Manifest[] => {
  const answer = by.template(`charts/corridor/ci/${title}-values.yaml`, ...set);
  if ("refusal" in answer) throw new Error(answer.refusal);
  return parseManifests(answer.text);
};

/** Those that make objects of every kind, between them. */
const various = valuesFiles().filter(({ title }) => ["laptop", "load-balancer", "monitoring"].includes(title));

describe.each(various)("a release with the values $title", ({ title }) => {
  const before = render(title);
  const jobs = (release: readonly Manifest[]): string[] =>
    ofKind(release, "Job").map((job) => job.metadata?.name ?? "");

  it("can be installed: every name, label, host and image is one that is taken", () => {
    expect(brokenNames(before)).toEqual([]);
  });

  it("can be given the chart of a later release, and back, without another pod", () => {
    const after = render(title, [], later);

    expect(brokenUpgrade(before, after)).toEqual([]);
    expect(brokenUpgrade(after, before)).toEqual([]);
    expect(brokenNames(after)).toEqual([]);
    const podsOf = (release: readonly Manifest[]) =>
      workloadsOf(release)
        .filter(({ isLasting }) => isLasting)
        .map(({ name, labels, annotations, pod }) => ({ name, labels, annotations, pod }));
    expect(podsOf(after)).toEqual(podsOf(before));
  });

  it("makes a Job of its own in each revision, so that a failed one blocks no other", () => {
    expect(jobs(before).filter((name) => !/-[0-9a-f]{8}-1$/.test(name))).toEqual([]);
  });

  it("removes its Jobs, since no later revision knows the one of a revision that failed", () => {
    const lives = ofKind(before, "Job").map(({ spec }) => spec?.ttlSecondsAfterFinished);

    expect(lives).toEqual(lives.map(() => 3_600));
  });

  it("begins an autoscaler with no fewer pods than it may have", () => {
    const after = render(title, ["services.payment.autoscaling.enabled=true"]);
    const count = ofKind(after, "Deployment").find(({ metadata }) => metadata?.name === "corridor-payment");

    expect(count?.spec?.replicas).toBeGreaterThanOrEqual(2);
  });

  it("lets a node be drained of one pod of each kind at a time", () => {
    const budgets = ofKind(before, "PodDisruptionBudget").map(({ spec }) => [spec?.minAvailable, spec?.maxUnavailable]);

    expect(budgets.length).toBeGreaterThan(7);
    expect(budgets.filter(([min, max]) => min !== undefined || max !== 1)).toEqual([]);
  });

  it("has names that are taken with the longest name that it may have", () => {
    expect(brokenNames(render(title, [`fullnameOverride=${"a".repeat(36)}`]))).toEqual([]);
  });
});

describe("a release with everything in it", () => {
  const before = render("laptop");

  it.each(Object.entries(releaseChanges))("can be changed to %s, and back", (_what, set) => {
    const after = render("laptop", set);

    expect(brokenUpgrade(before, after)).toEqual([]);
    expect(brokenUpgrade(after, before)).toEqual([]);
  });
});

describe("the comparison of two releases", () => {
  const release = (): Manifest[] => render("laptop");
  const specOf = (manifests: readonly Manifest[], kind: string): Record<string, unknown> => {
    const found = manifests.find((one) => one.kind === kind) as unknown as { spec: Record<string, unknown> };
    return found.spec;
  };

  it.each([
    ["Job", "template", { spec: {} }],
    ["Deployment", "selector", { matchLabels: { a: "b" } }],
    ["Deployment", "replicas", undefined],
    ["StatefulSet", "volumeClaimTemplates", []],
    ["StatefulSet", "serviceName", "other"],
    ["Service", "clusterIP", "10.0.0.1"],
    ["PersistentVolumeClaim", "accessModes", ["ReadWriteMany"]],
  ])("finds a %s with another %s", (kind, field, value) => {
    const after = release();

    specOf(after, kind)[field] = value;

    expect(brokenUpgrade(release(), after)).toEqual([expect.stringContaining(`${kind} corridor-`)]);
  });

  it.each([
    ["a name with a dot", { name: "a.b" }],
    ["a long name", { name: "a".repeat(64) }],
    ["a label with a plus sign", { name: "a", labels: { version: "1+2" } }],
    ["a long label", { name: "a", labels: { version: "1".repeat(64) } }],
  ])("finds %s", (_what, metadata) => {
    expect(brokenNames([{ apiVersion: "apps/v1", kind: "Deployment", metadata }])).toHaveLength(1);
  });

  it("finds a host with a port, and a tag with a plus sign", () => {
    const ingress = {
      apiVersion: "v1",
      kind: "Ingress",
      metadata: { name: "a" },
      spec: { rules: [{ host: "a.b:1" }] },
    };
    const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "a" }, spec: { containers: [{ image: "a:1+2" }] } };

    expect(brokenNames([ingress, pod])).toHaveLength(2);
  });
});

describe("publicUrl with a port", () => {
  const set = ["publicUrl=https://api.example.com:8443"];

  it.each(["production", "gateway-api", "load-balancer"])(
    "names the host alone where a host is asked for: %s",
    (title) => {
      const release = render(title, set);
      const hosts = release.filter(({ kind }) => ["Ingress", "HTTPRoute", "BackendTLSPolicy"].includes(kind));

      expect(brokenNames(release)).toEqual([]);
      expect(JSON.stringify(hosts)).not.toContain("example.com:8443");
      expect(JSON.stringify(release)).toContain("https://api.example.com:8443");
    },
  );
});
