import type { IDeployment } from "kubernetes-models/apps/v1/Deployment";
import type { IStatefulSet } from "kubernetes-models/apps/v1/StatefulSet";
import type { ICronJob } from "kubernetes-models/batch/v1/CronJob";
import type { IJob } from "kubernetes-models/batch/v1/Job";
import type { INetworkPolicy } from "kubernetes-models/networking.k8s.io/v1/NetworkPolicy";
import type { IPodDisruptionBudget } from "kubernetes-models/policy/v1/PodDisruptionBudget";
import type { IRole } from "kubernetes-models/rbac.authorization.k8s.io/v1/Role";
import type { IRoleBinding } from "kubernetes-models/rbac.authorization.k8s.io/v1/RoleBinding";
import type { IConfigMap } from "kubernetes-models/v1/ConfigMap";
import type { IContainer } from "kubernetes-models/v1/Container";
import type { IPod } from "kubernetes-models/v1/Pod";
import type { IPodSpec } from "kubernetes-models/v1/PodSpec";
import type { ISecret } from "kubernetes-models/v1/Secret";
import type { IService } from "kubernetes-models/v1/Service";
import type { IServiceAccount } from "kubernetes-models/v1/ServiceAccount";
import { parseAllDocuments } from "yaml";

export type Container = IContainer;
export type Labels = Readonly<Record<string, string>>;

/** The kinds that the policy inspects. Other kinds are checked by type only. */
interface Kinds {
  ConfigMap: IConfigMap;
  CronJob: ICronJob;
  Deployment: IDeployment;
  Job: IJob;
  NetworkPolicy: INetworkPolicy;
  Pod: IPod;
  PodDisruptionBudget: IPodDisruptionBudget;
  Role: IRole;
  RoleBinding: IRoleBinding;
  Secret: ISecret;
  Service: IService;
  ServiceAccount: IServiceAccount;
  StatefulSet: IStatefulSet;
}

/** Any object of a release. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Labels };
}

/** An object that makes pods. */
export interface Workload {
  kind: "CronJob" | "Deployment" | "Job" | "Pod" | "StatefulSet";
  name: string;
  labels: Labels;
  annotations: Labels;
  selector: Labels | undefined;
  pod: IPodSpec;
  /** True when it runs until it is stopped. */
  isLasting: boolean;
}

function isManifest(value: unknown): value is Manifest {
  if (typeof value !== "object" || value === null) return false;
  const { apiVersion, kind, metadata } = value as Partial<Manifest>;
  return typeof apiVersion === "string" && typeof kind === "string" && typeof metadata?.name === "string";
}

/** Parses the objects of a YAML text; throws for anything that is not an object of Kubernetes. */
export function parseManifests(text: string): Manifest[] {
  const objects: unknown[] = parseAllDocuments(text).flatMap((document): unknown[] => {
    const value: unknown = document.toJS();
    return value === null ? [] : [value];
  });
  return objects.map((object) => {
    if (isManifest(object)) return object;
    throw new Error(`this is not an object of Kubernetes: ${JSON.stringify(object).slice(0, 200)}`);
  });
}

/** All objects of a kind. The check of types, which runs first, guarantees their form. */
export function ofKind<K extends keyof Kinds>(manifests: readonly Manifest[], kind: K): Kinds[K][] {
  return manifests.filter((manifest) => manifest.kind === kind) as unknown as Kinds[K][];
}

/** All objects that make pods. */
export const workloadsOf = (manifests: readonly Manifest[]): Workload[] => [
  ...[...ofKind(manifests, "Deployment"), ...ofKind(manifests, "StatefulSet")].map((one) =>
    workload(one, one.spec?.template, one.spec?.selector.matchLabels),
  ),
  ...ofKind(manifests, "Job").map((one) => workload(one, one.spec?.template)),
  ...ofKind(manifests, "CronJob").map((one) => workload(one, one.spec?.jobTemplate.spec?.template)),
  ...ofKind(manifests, "Pod").map((one) => workload(one, one)),
];

function workload(
  owner: { kind: Workload["kind"]; metadata?: { name?: string } },
  template: { metadata?: { labels?: Labels; annotations?: Labels }; spec?: IPodSpec } | undefined,
  selector?: Labels,
): Workload {
  return {
    kind: owner.kind,
    name: owner.metadata?.name ?? "",
    labels: template?.metadata?.labels ?? {},
    annotations: template?.metadata?.annotations ?? {},
    selector,
    pod: template?.spec ?? { containers: [] },
    isLasting: owner.kind === "Deployment" || owner.kind === "StatefulSet",
  };
}

/** True if the selector matches a pod with these labels. A selector without labels matches every pod. */
export const selects = (selector: { matchLabels?: Labels } | undefined, labels: Labels): boolean =>
  Object.entries(selector?.matchLabels ?? {}).every(([key, value]) => labels[key] === value);
