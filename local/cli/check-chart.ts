import { join } from "node:path";
import { handWritten } from "../chart/cluster";
import { chartDir, type Helm, openHelm, valuesFiles } from "../chart/helm";
import { problemsOfTypes, type TitledManifest } from "../chart/kinds";
import { type Manifest, parseManifests } from "../chart/manifest";
import { violationsOf } from "../chart/policy";
import { readmeWithTable } from "../chart/values-table";

/** Checks the Helm chart without a cluster: lint, rendering of each file in ci/, types of every manifest, and our policy. */

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
  "services.gateway.autoscaling.minReplicas=13",
  "fullnameOverride=a-name-that-is-far-too-long-for-what-is-added",
  "fullnameOverride=1st",
  "publicUrl=https://api.example.com/path",
];

const note = (text: string): void => console.log(`chart: ${text}`);

/** Lints, renders and checks each set of values. Returns the rendered manifests. */
function checkReleases(helm: Helm, problems: string[]): TitledManifest[] {
  return valuesFiles().flatMap(({ title, file }) => {
    const linted = helm.lint(file);
    if ("refusal" in linted) problems.push(`lint ${title}: ${linted.refusal}`);
    const rendered = helm.template(file);
    if ("refusal" in rendered) {
      problems.push(`template ${title}: ${rendered.refusal}`);
      return [];
    }
    const objects = parseManifests(rendered.text);
    const violations = violationsOf(objects);
    problems.push(...violations.map((violation) => `${title}: ${violation}`));
    note(`${title}: ${objects.length} manifests, ${violations.length} violations`);
    return objects.map((object) => ({ object, title: `${title} ${object.kind} ${object.metadata.name}` }));
  });
}

/** Checks the hand-written manifests of the cluster around a release. */
function checkCluster(problems: string[]): TitledManifest[] {
  const manifests = handWritten();
  const violations = violationsOf(manifests.map(({ object }) => object));
  problems.push(...violations.map((violation) => `k8s: ${violation}`));
  note(`k8s: ${manifests.length} manifests, ${violations.length} violations`);
  return manifests;
}

function checkRefusals(helm: Helm, problems: string[]): void {
  const production = join(chartDir, "ci/production-values.yaml");
  for (const value of refused) {
    if ("text" in helm.template(production, value)) problems.push(`values.schema.json accepts ${value}`);
  }
  note(`${refused.length} wrong values for the schema to refuse`);
}

const metadata = { name: "broken" };
const template = { metadata: {}, spec: { containers: [{ name: "one" }] } };
/** One example of each fault that the check of types must find, in kinds of every package. */
const broken: Readonly<Record<string, Manifest & Readonly<Record<string, unknown>>>> = {
  "an unknown field": { apiVersion: "policy/v1", kind: "PodDisruptionBudget", metadata, spec: { minAvailablee: 1 } },
  "a wrong type": {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata,
    spec: { replicas: "2", selector: {}, template },
  },
  "a missing field": { apiVersion: "apps/v1", kind: "Deployment", metadata, spec: { selector: {} } },
  "an unknown kind": { apiVersion: "apps/v1", kind: "Deploymentt", metadata },
  "a certificate without issuer": {
    apiVersion: "cert-manager.io/v1",
    kind: "Certificate",
    metadata,
    spec: { secretName: "x" },
  },
  "an unknown field of a route": {
    apiVersion: "gateway.networking.k8s.io/v1",
    kind: "HTTPRoute",
    metadata,
    spec: { hostnamess: ["x"] },
  },
  "a monitor without selector": {
    apiVersion: "monitoring.coreos.com/v1",
    kind: "ServiceMonitor",
    metadata,
    spec: { endpoints: [] },
  },
};

/** Proves that the check finds faults: otherwise a clean result would mean nothing. */
async function checkTheCheck(problems: string[]): Promise<void> {
  const found = await problemsOfTypes(Object.entries(broken).map(([title, object]) => ({ title, object })));
  const missed = Object.keys(broken).filter((title) => !found.some((problem) => problem.startsWith(title)));
  problems.push(...missed.map((title) => `the check of types misses ${title}`));
  note(`${Object.keys(broken).length} broken manifests for the check of types to find`);
}

async function main(): Promise<void> {
  const problems: string[] = [];
  const helm = openHelm();
  const manifests = [...checkReleases(helm, problems), ...checkCluster(problems)];
  problems.push(...(await problemsOfTypes(manifests)));
  note(`types of ${manifests.length} manifests`);
  await checkTheCheck(problems);
  checkRefusals(helm, problems);
  const { present, wanted } = readmeWithTable();
  if (present !== wanted) problems.push("the table of values in the README is out of date: make chart-values");
  note(`${problems.length} problems`);
  if (problems.length > 0) {
    console.error(problems.join("\n"));
    process.exitCode = 1;
  }
}

void main();
