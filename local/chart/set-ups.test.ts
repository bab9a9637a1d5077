import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
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

describe("the links of alerts", () => {
  const linksOf = (...set: string[]): string[] => {
    const release = render("monitoring", ...set).filter(({ kind }) => kind === "PrometheusRule");
    return [...JSON.stringify(release).matchAll(/"runbook_url":"([^"]*)"/g)].map(([, link = ""]) => link);
  };

  it("lead to the runbook where people read it, and else to its path in the source", () => {
    expect(linksOf().length).toBeGreaterThan(30);
    expect(linksOf().filter((link) => !link.startsWith("https://wiki.example.com/corridor/runbook#"))).toEqual([]);
    expect(linksOf("monitoring.rules.runbook=").filter((link) => !link.startsWith("docs/runbook.md#"))).toEqual([]);
  });
});

describe("the backup of the store", () => {
  const jobs = ofKind(render("backup"), "CronJob").filter(({ metadata }) => /backup|oplog/.test(metadata?.name ?? ""));
  const scriptOf = (name: string): string => {
    const job = jobs.find(({ metadata }) => metadata?.name === name);
    return job?.spec?.jobTemplate.spec?.template.spec?.containers[0]?.args?.join("\n") ?? "";
  };

  it("is of all databases at one instant, and never two runs at once", () => {
    expect(jobs.map(({ spec }) => [spec?.schedule, spec?.concurrencyPolicy])).toEqual([
      ["17 2 * * *", "Forbid"],
      ["* * * * *", "Forbid"],
    ]);
    expect(scriptOf("corridor-backup")).toContain("--oplog ");
    expect(scriptOf("corridor-backup")).not.toMatch(/--db|--collection|nsInclude/);
  });

  it("goes on in the oplog where the run before ended, and moves that place last", () => {
    const folder = mkdtempSync(join(tmpdir(), "corridor-oplog-"));
    const dump = '#!/bin/sh\nfor word in "$@"; do case "$word" in --query=*) echo "$word" >> queries;; ';
    writeFileSync(join(folder, "mongodump"), `${dump}--out=*) mkdir "\${word#--out=}";; esac; done\n`, { mode: 0o755 });
    writeFileSync(join(folder, "oplog-until"), "1700000000\n");
    const script = scriptOf("corridor-oplog").replace("cd /backups", `cd ${folder}`);
    const env = { PATH: `${folder}:${process.env["PATH"]}` };

    const begunAt = Math.floor(Date.now() / 1_000);
    expect(spawnSync("/bin/sh", ["-ec", script], { env }).status).toBe(0);

    const until = Number(readFileSync(join(folder, "oplog-until"), "utf8"));
    expect(until).toBeGreaterThanOrEqual(begunAt);
    expect(existsSync(join(folder, `oplog-1700000000-${until}`))).toBe(true);
    const [query = ""] = readFileSync(join(folder, "queries"), "utf8").split("\n");
    const ts = { $gte: { $timestamp: { t: 1_700_000_000, i: 1 } }, $lt: { $timestamp: { t: until, i: 1 } } };
    expect(JSON.parse(query.slice("--query=".length))).toEqual({ ts });

    // A failed dump leaves the position unchanged.
    writeFileSync(join(folder, "mongodump"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    expect(spawnSync("/bin/sh", ["-ec", script], { env }).status).toBe(1);
    expect(Number(readFileSync(join(folder, "oplog-until"), "utf8"))).toBe(until);
    rmSync(folder, { recursive: true });
  });
});

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
    const jobs = ofKind(release, "CronJob").filter(({ metadata }) => metadata?.name === "corridor-certificates");
    for (const job of jobs) expect(job.spec?.schedule).toMatch(/^\d+ \* \* \* \*$/);
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

describe("the ingress of the console", () => {
  const hostsOf = (...set: string[]): unknown[] =>
    render("production", ...set)
      .filter(({ kind }) => kind === "Ingress")
      .map((ingress) => {
        const text = JSON.stringify(ingress);
        return [
          ingress.metadata?.name,
          /"host":"([^"]*)"/.exec(text)?.[1],
          /"service":\{"name":"([^"]*)"/.exec(text)?.[1],
        ];
      });
  const gateway = ["corridor-gateway", "api.example.com", "corridor-gateway"];

  it("leads its own host to it alone, and is there only where it is asked for and the console is", () => {
    expect(hostsOf()).toEqual([gateway, ["corridor-console", "console.example.com", "corridor-console"]]);
    expect(hostsOf("consoleIngress.enabled=false")).toEqual([gateway]);
    expect(hostsOf("services.console.enabled=false")).toEqual([gateway]);
  });
});
