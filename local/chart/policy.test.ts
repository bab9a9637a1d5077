import { openHelm, valuesFiles } from "./helm";
import { type Container, type Manifest, ofKind, parseManifests, type Workload, workloadsOf } from "./manifest";
import { ruleNames, violationsOf } from "./policy";

const helm = openHelm();

/** Renders once; each caller gets its own objects to change. */
const texts = new Map<string, string>();

function render(title: string): Manifest[] {
  const text = texts.get(title) ?? rendered(title);
  texts.set(title, text);
  return parseManifests(text);
}

function rendered(title: string): string {
  const answer = helm.template(`charts/corridor/ci/${title}-values.yaml`);
  if ("refusal" in answer) throw new Error(answer.refusal);
  return answer.text;
}

/** Returns all objects with one name; changes to them change the release. */
function workload(release: Manifest[], kind: Workload["kind"], name: string): Workload {
  const found = workloadsOf(release).find((one) => one.kind === kind && one.name === `corridor-${name}`);
  if (found === undefined) throw new Error(`no ${kind} ${name}`);
  return found;
}

const pod = (release: Manifest[], name = "payment") => workload(release, "Deployment", name).pod;

function container(release: Manifest[], name = "payment"): Container {
  const [first] = pod(release, name).containers;
  if (first === undefined) throw new Error("no container");
  return first;
}

function policy(release: Manifest[], name: string) {
  const found = ofKind(release, "NetworkPolicy").find(({ metadata }) => metadata?.name === `corridor-${name}`);
  if (found?.spec === undefined) throw new Error(`no policy ${name}`);
  return found.spec;
}

function settings(release: Manifest[], name: string): Record<string, string> {
  const found = ofKind(release, "ConfigMap").find(({ metadata }) => metadata?.name === `corridor-${name}`);
  return found?.data ?? {};
}

const remove = (release: Manifest[], kind: string, name: string): void => {
  const at = release.findIndex((one) => one.kind === kind && one.metadata.name === `corridor-${name}`);
  release.splice(at, 1);
};

const tcp443 = [{ port: 443, protocol: "TCP" as const }];
const wayTo = (cidr: string) => ({ to: [{ ipBlock: { cidr } }], ports: tcp443 });

/** The way to break each rule in a release that keeps all of them. */
const breaks: Readonly<Record<string, (release: Manifest[]) => unknown>> = {
  "runs as user 10001 and never as root": (release) =>
    Object.assign(pod(release).securityContext ?? {}, { runAsUser: 0 }),
  "has the seccomp profile of the runtime": (release) => {
    Object.assign(pod(release).securityContext ?? {}, { seccompProfile: { type: "Unconfined" } });
  },
  "mounts no token": (release) => Object.assign(pod(release), { automountServiceAccountToken: true }),
  "has no part of its host": (release) => Object.assign(pod(release), { hostNetwork: true }),
  "mounts nothing of its host": (release) => pod(release).volumes?.push({ name: "host", hostPath: { path: "/" } }),
  "takes no variables of Services": (release) => Object.assign(pod(release), { enableServiceLinks: true }),
  "has its own ServiceAccount": (release) => remove(release, "ServiceAccount", "payment"),
  "has one PodDisruptionBudget": (release) => remove(release, "PodDisruptionBudget", "payment"),
  "has one Service inside the cluster": (release) => remove(release, "Service", "payment"),
  "offers its metrics by its Service": (release) => {
    for (const { spec } of ofKind(release, "Service")) spec?.ports?.pop();
  },
  "is spread over nodes and zones": (release) => pod(release).topologySpreadConstraints?.pop(),
  "has 40 s to end": (release) => Object.assign(pod(release), { terminationGracePeriodSeconds: 10 }),
  "ends by itself or is restarted": (release) =>
    Object.assign(workload(release, "CronJob", "certificates").pod, { restartPolicy: "Always" }),
  "restarts when its settings change": (release) =>
    Reflect.deleteProperty(workload(release, "Deployment", "payment").annotations, "checksum/config"),
  "names its component": (release) =>
    Reflect.deleteProperty(workload(release, "Deployment", "payment").labels, "app.kubernetes.io/component"),
  "selects by no version": (release) =>
    Object.assign(workload(release, "Deployment", "payment").selector ?? {}, { "helm.sh/chart": "corridor-1" }),
  "has a read-only root": (release) =>
    Object.assign(container(release).securityContext ?? {}, { readOnlyRootFilesystem: false }),
  "cannot gain privileges": (release) =>
    Object.assign(container(release).securityContext ?? {}, { allowPrivilegeEscalation: true }),
  "drops all capabilities": (release) =>
    Object.assign(container(release).securityContext ?? {}, { capabilities: { drop: ["ALL"], add: ["NET_ADMIN"] } }),
  "keeps the user and the profile of its pod": (release) =>
    Object.assign(container(release).securityContext ?? {}, { runAsNonRoot: false }),
  "requests CPU and memory": (release) => Object.assign(container(release).resources ?? {}, { requests: { cpu: "1" } }),
  "has limits of CPU and memory": (release) => Reflect.deleteProperty(container(release).resources ?? {}, "limits"),
  "has three probes": (release) => Reflect.deleteProperty(container(release), "startupProbe"),
  "answers probes over HTTP, each its own": (release) =>
    Object.assign(container(release), { readinessProbe: { tcpSocket: { port: "grpc" } } }),
  "waits 5 s before it ends": (release) => Reflect.deleteProperty(container(release), "lifecycle"),
  "runs a fixed image": (release) => Object.assign(container(release), { image: "corridor:latest" }),
  "opens no port of its host": (release) => container(release).ports?.push({ containerPort: 1, hostPort: 80 }),
  "reads an existing ConfigMap": (release) => remove(release, "ConfigMap", "payment"),
  "has secrets by reference only": (release) => container(release).env?.push({ name: "KEY", value: "open" }),
  "is closed both ways but for what is named": (release) => remove(release, "NetworkPolicy", "deny"),
  "has one NetworkPolicy of its own": (release) => remove(release, "NetworkPolicy", "payment"),
  "names the peers of each network rule": (release) => policy(release, "payment").ingress?.push({ ports: tcp443 }),
  "names the ports of each way out": (release) =>
    policy(release, "payment").egress?.push({ to: [{ ipBlock: { cidr: "8.8.8.0/24" } }] }),
  "leaves the cluster only where that is its task": (release) =>
    policy(release, "schema").egress?.push(wayTo("8.8.8.0/24")),
  "reaches no private range and no metadata service": (release) =>
    policy(release, "payment").egress?.push(wayTo("169.254.169.254/32")),
  "makes no Secret": (release) => release.push({ apiVersion: "v1", kind: "Secret", metadata: { name: "made" } }),
  "writes no secret into its settings": (release) =>
    Object.assign(settings(release, "payment"), { MONGODB_URI: "mongodb://user:word@host" }),
  "shows no secret anywhere": (release) => container(release).command?.push("--password=nats://u:word@host"),
  "gives the right to named Secrets only": (release) => ofKind(release, "Role")[0]?.rules?.[1]?.verbs.push("delete"),
  "gives rights to the writer of certificates only": (release) =>
    ofKind(release, "RoleBinding")[0]?.subjects?.push({ kind: "ServiceAccount", name: "corridor-payment" }),
  "publishes no port of its nodes": (release) =>
    Object.assign(ofKind(release, "Service")[0]?.spec ?? {}, { type: "NodePort" }),
};

describe("the policy of a release", () => {
  it.each(valuesFiles())("is kept with the values $title", ({ title }) => {
    expect(violationsOf(render(title))).toEqual([]);
  });

  it("has an example of its breach for every rule", () => {
    expect(Object.keys(breaks).toSorted()).toEqual(ruleNames.toSorted());
  });

  it.each(Object.entries(breaks))("finds a release that breaks the rule that it %s", (rule, breakIt) => {
    const release = render("laptop");

    breakIt(release);

    expect(violationsOf(release)).toContainEqual(expect.stringContaining(rule));
  });

  it.each(["10.1.2.0/24", "0.0.0.0/0", "172.16.0.0/11", "100.64.0.0/10", "fd00::/8", "2002::/16", "::/0"])(
    "refuses a way out to %s",
    (cidr) => {
      const release = render("laptop");

      policy(release, "webhook").egress?.push(wayTo(cidr));

      expect(violationsOf(release)).toContainEqual(expect.stringContaining("reaches no private range"));
    },
  );

  it.each(["a password: nats://u:p@h", "-----BEGIN PRIVATE KEY-----", "ab".repeat(32)])(
    "finds a secret in settings: %s",
    (text) => {
      const release = render("laptop");

      settings(release, "fx")["FX_NOTE"] = text;

      expect(violationsOf(release)).toContainEqual(expect.stringContaining("writes no secret"));
    },
  );

  it("finds a release without any workload", () => {
    expect(violationsOf([])).toEqual(["there is no workload"]);
  });
});
