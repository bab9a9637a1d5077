import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { chartDir, openHelm, valuesFiles } from "./helm";
import { type Container, type Manifest, ofKind, parseManifests, workloadsOf } from "./manifest";

const helm = openHelm();
const render = (title: string, ...set: string[]): Manifest[] => {
  const answer = helm.template(`charts/corridor/ci/${title}-values.yaml`, ...set);
  if ("refusal" in answer) throw new Error(answer.refusal);
  return parseManifests(answer.text);
};
const podOf = (release: readonly Manifest[], name: string) =>
  workloadsOf(release).find((one) => one.kind === "Deployment" && one.name === `corridor-${name}`);
const containerOf = (release: readonly Manifest[], name: string): Container | undefined =>
  podOf(release, name)?.pod.containers[0];
const settingsOf = (release: readonly Manifest[], name: string) =>
  ofKind(release, "ConfigMap").find(({ metadata }) => metadata?.name === `corridor-${name}`)?.data ?? {};

const mebibytes = (quantity: string): number => Number.parseInt(quantity, 10) * (quantity.endsWith("Gi") ? 1_024 : 1);

describe("what platform teams bring", () => {
  const release = render("load-balancer");
  const fx = podOf(release, "fx");

  it("puts pods where they say, short-lived ones too", () => {
    for (const { pod } of workloadsOf(release).filter(({ kind }) => kind !== "StatefulSet")) {
      expect(pod.nodeSelector).toEqual({ "kubernetes.io/arch": "amd64" });
      expect(pod.tolerations).toContainEqual({ key: "payments", operator: "Exists", effect: "NoSchedule" });
    }
    expect(fx?.pod.priorityClassName).toBe("business-critical");
    expect(fx?.annotations["example.com/team"]).toBe("payments");
    const [first] = podOf(release, "gateway")?.pod.topologySpreadConstraints ?? [];
    expect(first?.whenUnsatisfiable).toBe("DoNotSchedule");
  });

  it("lets every service trust their authorities", () => {
    for (const name of ["fx", "payment", "gateway"]) {
      expect(settingsOf(release, name)["NODE_EXTRA_CA_CERTS"]).toBe("/etc/corridor/trusted-ca/ca.crt");
      const mounts = containerOf(release, name)?.volumeMounts?.map(({ mountPath }) => mountPath);
      expect(mounts).toContain("/etc/corridor/trusted-ca");
      const volume = podOf(release, name)?.pod.volumes?.find((one) => one.name === "trusted-ca");
      expect(volume?.configMap).toEqual({ name: "company-ca", items: [{ key: "ca.crt", path: "ca.crt" }] });
    }
  });

  it("takes the routes of fx out of a volume of theirs, and their objects into the release", () => {
    expect(settingsOf(release, "fx")["FX_ROUTES_FILE"]).toBe("/etc/corridor/routes/routes.json");
    expect(containerOf(release, "fx")?.volumeMounts).toContainEqual(
      expect.objectContaining({ mountPath: "/etc/corridor/routes" }),
    );
    const map = ofKind(release, "ConfigMap").find(({ metadata }) => metadata?.name === "fx-routes");
    expect(map?.metadata?.namespace).toBe("corridor");
  });

  it("takes secrets from where they are", () => {
    const names = podOf(release, "payment")?.pod.volumes?.map(({ secret }) => secret?.secretName);
    expect(names).toContain("payment-from-vault");
    expect(names).not.toContain("corridor-payment");
  });

  it("opens the API alone to a balancer that keeps the callers' addresses", () => {
    const [open, ...others] = ofKind(release, "Service").filter(({ spec }) => spec?.type === "LoadBalancer");
    expect(others).toEqual([]);
    expect(open?.spec).toMatchObject({ externalTrafficPolicy: "Local", loadBalancerSourceRanges: ["203.0.113.0/24"] });
    expect(open?.spec?.ports).toEqual([{ name: "https", port: 8443, targetPort: "https", protocol: "TCP" }]);
  });

  it("scales by measures of theirs beside the load of the processor", () => {
    const [scaler] = release.filter(({ kind }) => kind === "HorizontalPodAutoscaler");
    expect(JSON.stringify(scaler)).toContain("corridor_http_in_flight");
    expect(JSON.stringify(scaler)).toContain("averageUtilization");
  });

  it("can do without network policies", () => {
    const without = render("load-balancer", "networkPolicy.enabled=false");
    expect(ofKind(without, "NetworkPolicy")).toEqual([]);
    expect(ofKind(release, "NetworkPolicy").length).toBeGreaterThan(8);
  });
});

describe.each(valuesFiles())("the set-up $title", ({ title, file }) => {
  const release = render(title);

  it("asks for as much memory as a process was seen to take", () => {
    const low = workloadsOf(release).filter(
      ({ kind, pod }) =>
        kind === "Deployment" &&
        pod.containers.some((one) => mebibytes(String(one.resources?.requests?.["memory"])) < 160),
    );
    expect(low.map(({ name }) => name)).toEqual([]);
  });

  it("starts nothing but services, and the maker of certificates", () => {
    expect(
      ofKind(release, "Job").filter(({ metadata }) => !metadata?.name?.startsWith("corridor-certificates-")),
    ).toEqual([]);
  });

  it("looks at certificates every hour", () => {
    for (const job of ofKind(release, "CronJob")) expect(job.spec?.schedule).toMatch(/^\d+ \* \* \* \*$/);
  });

  it("names no virtual address as that of the API server, which policies never see", () => {
    const { networkPolicy } = parse(readFileSync(file, "utf8")) as {
      networkPolicy?: { peers?: { apiServer?: { selectors: { ipBlock: { cidr: string } }[] } } };
    };
    const blocks = networkPolicy?.peers?.apiServer?.selectors.map(({ ipBlock }) => ipBlock.cidr) ?? [];
    expect(blocks.filter((cidr) => /^10\.(96|43|0)\.0\.1\//.test(cidr))).toEqual([]);
  });
});

it.each(["kind", "laptop"])("the simulated world keeps its book when its node is lost: %s", (title) => {
  const release = render(title);
  const claims = podOf(release, "sandbox")?.pod.volumes?.flatMap(
    ({ persistentVolumeClaim: claim }) => claim?.claimName ?? [],
  );

  expect(claims).toEqual(["corridor-sandbox-sandbox-data-dir"]);
  expect(release.some(({ kind, metadata }) => kind === "PersistentVolumeClaim" && metadata.name === claims?.[0])).toBe(
    true,
  );
});

it("asks for a Kubernetes that knows how to wait before a pod ends", () => {
  const { kubeVersion } = parse(readFileSync(join(chartDir, "Chart.yaml"), "utf8")) as { kubeVersion: string };

  expect(kubeVersion).toBe(">=1.30.0-0");
});
