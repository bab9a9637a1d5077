import type { IService } from "kubernetes-models/v1/Service";
import { type Container, type Labels, type Manifest, ofKind, selects, type Workload } from "./manifest";

/** One rule about every pod of a release. */
export interface PodRule {
  /** Completes "the rule is broken that it …". */
  name: string;
  holds(workload: Workload, release: readonly Manifest[]): boolean;
}

/** One rule about every container, init containers included. */
export interface ContainerRule {
  name: string;
  holds(container: Container, workload: Workload, release: readonly Manifest[]): boolean;
}

export const componentOf = (labels: Labels): string => labels["app.kubernetes.io/component"] ?? "";

/** The only pods that talk to the API server: they write the certificates for calls between services. */
const holdsToken = ({ labels }: Workload): boolean => componentOf(labels) === "certificates";

/** Settings, secrets, space of a stated size, and storage claims. */
const volumeKinds: ReadonlySet<string> = new Set(["name", "configMap", "secret", "emptyDir", "persistentVolumeClaim"]);

/** True for a volume that exposes nothing of the host and cannot fill it. */
const isHarmless = (volume: NonNullable<Workload["pod"]["volumes"]>[number]): boolean =>
  Object.keys(volume).every((key) => volumeKinds.has(key)) &&
  (volume.emptyDir === undefined || volume.emptyDir.sizeLimit !== undefined);

const guardsOf = (labels: Labels, release: readonly Manifest[]) =>
  ofKind(release, "PodDisruptionBudget").filter(({ spec }) => selects(spec?.selector, labels));

const servicesOf = ({ labels }: Workload, release: readonly Manifest[]) =>
  ofKind(release, "Service").filter(({ spec }) => selects({ matchLabels: spec?.selector ?? {} }, labels));

const isInside = ({ spec }: IService): boolean => (spec?.type ?? "ClusterIP") === "ClusterIP";

/** Monitors find metrics through a Service. */
function offersMetrics(workload: Workload, release: readonly Manifest[]): boolean {
  const offered = servicesOf(workload, release).flatMap(({ spec }) => spec?.ports ?? []);
  const own = workload.pod.containers.flatMap(({ ports }) => ports ?? []);
  return !own.some(({ name }) => name === "metrics") || offered.some(({ targetPort }) => targetPort === "metrics");
}

const spreadsOver = ({ pod, labels }: Workload, topologyKey: string): boolean =>
  (pod.topologySpreadConstraints ?? []).some(
    (constraint) => constraint.topologyKey === topologyKey && selects(constraint.labelSelector, labels),
  );

const readsSettings = ({ pod }: Workload): boolean => pod.containers.some(({ envFrom }) => envFrom !== undefined);

/** Rules for every pod, whatever the values are: the restricted Pod Security Standard, and our own. */
export const podRules: readonly PodRule[] = [
  {
    name: "runs as user 10001 and never as root",
    holds: ({ pod }) => pod.securityContext?.runAsNonRoot === true && pod.securityContext.runAsUser === 10_001,
  },
  {
    name: "has the seccomp profile of the runtime",
    holds: ({ pod }) => pod.securityContext?.seccompProfile?.type === "RuntimeDefault",
  },
  {
    name: "mounts no token",
    holds: (workload) => workload.pod.automountServiceAccountToken === holdsToken(workload),
  },
  { name: "has no part of its host", holds: ({ pod }) => !pod.hostNetwork && !pod.hostPID && !pod.hostIPC },
  { name: "mounts nothing of its host", holds: ({ pod }) => (pod.volumes ?? []).every(isHarmless) },
  { name: "takes no variables of Services", holds: ({ pod }) => pod.enableServiceLinks === false },
  {
    name: "has its own ServiceAccount",
    holds: ({ pod }, release) =>
      ofKind(release, "ServiceAccount").some(
        ({ metadata, automountServiceAccountToken }) =>
          metadata?.name === pod.serviceAccountName && automountServiceAccountToken === false,
      ),
  },
  {
    name: "has one PodDisruptionBudget",
    holds: ({ labels, isLasting }, release) => guardsOf(labels, release).length === (isLasting ? 1 : 0),
  },
  {
    name: "has one Service inside the cluster",
    holds: (workload, release) => !workload.isLasting || servicesOf(workload, release).filter(isInside).length === 1,
  },
  { name: "offers its metrics by its Service", holds: offersMetrics },
  {
    name: "is spread over nodes and zones",
    holds: (workload) =>
      workload.kind !== "Deployment" ||
      (spreadsOver(workload, "kubernetes.io/hostname") && spreadsOver(workload, "topology.kubernetes.io/zone")),
  },
  {
    name: "has 40 s to end",
    holds: ({ pod, kind }) => kind !== "Deployment" || pod.terminationGracePeriodSeconds === 40,
  },
  {
    name: "ends by itself or is restarted",
    holds: ({ pod, isLasting }) => isLasting || ["Never", "OnFailure"].includes(pod.restartPolicy ?? "Always"),
  },
  {
    name: "restarts when its settings change",
    holds: (workload) =>
      workload.kind !== "Deployment" ||
      !readsSettings(workload) ||
      workload.annotations["checksum/config"] !== undefined,
  },
  { name: "names its component", holds: ({ labels }) => componentOf(labels) !== "" },
  {
    name: "selects by no version",
    holds: ({ selector }) => Object.keys(selector ?? {}).every((key) => !/version|chart/.test(key)),
  },
];

/** An image that can change under its name is not a deliberate choice. */
const pinned = /(@sha256:[0-9a-f]{64}|:v?\d+\.\d+\.\d+[\w.-]*)$/;

/** Rules for every container. */
export const containerRules: readonly ContainerRule[] = [
  { name: "has a read-only root", holds: ({ securityContext }) => securityContext?.readOnlyRootFilesystem === true },
  {
    name: "cannot gain privileges",
    holds: ({ securityContext }) =>
      securityContext?.allowPrivilegeEscalation === false && securityContext.privileged !== true,
  },
  {
    name: "drops all capabilities",
    holds: ({ securityContext }) =>
      securityContext?.capabilities?.drop?.join() === "ALL" && securityContext.capabilities.add === undefined,
  },
  {
    name: "keeps the user and the profile of its pod",
    holds: ({ securityContext }) =>
      securityContext?.runAsUser === undefined &&
      securityContext?.runAsNonRoot !== false &&
      securityContext?.seccompProfile === undefined,
  },
  {
    name: "requests CPU and memory",
    holds: ({ resources }) => ["cpu", "memory"].every((name) => resources?.requests?.[name] !== undefined),
  },
  {
    name: "has limits of CPU and memory",
    holds: ({ resources }) => ["cpu", "memory"].every((name) => resources?.limits?.[name] !== undefined),
  },
  {
    name: "has three probes",
    holds: (container, { isLasting }) =>
      !isLasting ||
      [container.startupProbe, container.readinessProbe, container.livenessProbe].every((probe) => probe !== undefined),
  },
  {
    name: "answers probes over HTTP, each its own",
    holds: ({ ports, ...container }, { kind }) => {
      const asked = [container.startupProbe, container.readinessProbe, container.livenessProbe].map(
        (probe) => probe?.httpGet,
      );
      const offered = (ports ?? []).map(({ name }) => name);
      return (
        kind !== "Deployment" ||
        (asked.every((get) => get !== undefined && offered.includes(String(get.port))) &&
          (!offered.includes("metrics") || asked.map((get) => get?.path).join() === "/startupz,/readyz,/livez"))
      );
    },
  },
  {
    name: "waits 5 s before it ends",
    holds: ({ lifecycle }, { kind }) => kind !== "Deployment" || lifecycle?.preStop?.sleep?.seconds === 5,
  },
  { name: "runs a fixed image", holds: ({ image }) => pinned.test(image ?? "") },
  { name: "opens no port of its host", holds: ({ ports }) => (ports ?? []).every(({ hostPort }) => !hostPort) },
  {
    name: "reads an existing ConfigMap",
    holds: ({ envFrom }, _workload, release) =>
      (envFrom ?? []).every(({ configMapRef }) =>
        ofKind(release, "ConfigMap").some(({ metadata }) => metadata?.name === configMapRef?.name),
      ),
  },
  {
    name: "has secrets by reference only",
    holds: ({ env }) =>
      (env ?? []).every(
        ({ value, valueFrom }) =>
          value === undefined && (valueFrom?.secretKeyRef !== undefined || valueFrom?.fieldRef !== undefined),
      ),
  },
];
