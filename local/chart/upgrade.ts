import { isDeepStrictEqual } from "node:util";
import type { Manifest } from "./manifest";

/** An object with arbitrary fields. */
type Anything = Readonly<Record<string, unknown>>;

const at = (value: unknown, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>(
      (here, key) => (typeof here === "object" && here !== null ? (here as Anything)[key] : undefined),
      value,
    );

/** Fields that the API server never lets change, by kind. */
const immutable: Readonly<Record<string, readonly string[]>> = {
  Deployment: ["spec.selector"],
  StatefulSet: ["spec.selector", "spec.serviceName", "spec.podManagementPolicy", "spec.volumeClaimTemplates"],
  Job: ["spec.selector", "spec.template", "spec.completions", "spec.completionMode"],
  Service: ["spec.clusterIP", "spec.loadBalancerClass"],
  PersistentVolumeClaim: ["spec"],
  RoleBinding: ["roleRef"],
  ClusterRoleBinding: ["roleRef"],
  Secret: ["type"],
  Pod: ["spec"],
};

const idOf = ({ kind, metadata }: Manifest): string => `${kind} ${metadata.name}`;
/** A hook is deleted before it is created again. */
const isHook = (one: Manifest): boolean =>
  at(one, "metadata.annotations.helm.sh/hook") !== undefined || one.kind === "Pod";

/**
 * Lists why an API server would refuse to turn one release into another, and unwanted effects: a Deployment whose replicas are
 * no longer set falls to one pod.
 */
export function brokenUpgrade(before: readonly Manifest[], after: readonly Manifest[]): string[] {
  const known = new Map(before.map((one) => [idOf(one), one]));
  return after.flatMap((next) => {
    const one = known.get(idOf(next));
    if (one === undefined || isHook(next)) return [];
    const changed = (immutable[next.kind] ?? []).filter((path) => !isDeepStrictEqual(at(one, path), at(next, path)));
    const lost = next.kind === "Deployment" && at(next, "spec.replicas") === undefined ? ["spec.replicas is gone"] : [];
    return [...changed.map((path) => `${path} changes`), ...lost].map((why) => `${idOf(next)}: ${why}`);
  });
}

const label = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;
/** Kinds that may have a whole DNS path as name. */
const longNamed: ReadonlySet<string> = new Set(["ConfigMap", "Secret", "ServiceAccount", "Role", "RoleBinding"]);
const dnsLabel = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
/** Longest names: a CronJob's Jobs add 11 characters, a StatefulSet's revisions too. */
const longest: Readonly<Record<string, number>> = { CronJob: 52, StatefulSet: 52 };
const reference = /^[\w.-]+(:\d+)?(\/[\w.-]+)*(:[\w][\w.-]{0,127})?(@sha256:[0-9a-f]{64})?$/;

/** Every text under a key, at any depth. */
function textsAt(value: unknown, key: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item: unknown) => textsAt(item, key));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) =>
    name === key && typeof item === "string" ? [item] : textsAt(item, key),
  );
}

/** Every map of labels, at any depth. */
function labelsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(labelsIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]: [string, unknown]) =>
    (key === "labels" || key === "matchLabels") && typeof item === "object" && item !== null
      ? Object.values(item).map(String)
      : labelsIn(item),
  );
}

/** Names, labels, hosts and images that an API server refuses. */
export const brokenNames = (release: readonly Manifest[]): string[] =>
  release.flatMap((one) => {
    const { name } = one.metadata;
    const isName = one.kind === "Service" ? /^[a-z]/.test(name) && dnsLabel.test(name) : dnsLabel.test(name);
    const labels = labelsIn(one).filter((text) => text.length > 63 || !label.test(text));
    const images = textsAt(one, "image").filter((text) => !reference.test(text));
    const hosts = textsAt(one, "host").filter((text) => !text.split(".").every((part) => dnsLabel.test(part)));
    return [
      ...(isName && name.length <= (longest[one.kind] ?? (longNamed.has(one.kind) ? 253 : 63)) ? [] : ["its name"]),
      ...[...labels, ...images, ...hosts].map((text) => JSON.stringify(text)),
    ].map((what) => `${idOf(one)}: ${what} is refused`);
  });
