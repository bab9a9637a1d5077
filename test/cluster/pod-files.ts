import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { IPod } from "kubernetes-models/v1/Pod";
import type { KubeApi, KubeObject } from "../../local/control-plane/kube-api";

type Spec = NonNullable<IPod["spec"]>;
type Volume = NonNullable<Spec["volumes"]>[number];
type Projection = NonNullable<NonNullable<Volume["projected"]>["sources"]>[number];
type PodContainer = Spec["containers"][number];
/** Content by path below the mount. */
type Files = Readonly<Record<string, string>>;

export interface Pod extends KubeObject {
  spec: Spec;
  status?: { phase?: string; podIP?: string };
}

interface Keyed extends KubeObject {
  data?: Readonly<Record<string, string>>;
}

/** Something that a pod waits for is not there. */
export class NotYet extends Error {}

/** Reads objects of a namespace as the kubelet does for a pod. */
export function openPodObjects(api: KubeApi, namespace: string) {
  const root = `/api/v1/namespaces/${namespace}`;
  const read = async (kind: "configmaps" | "secrets", name: string): Promise<Files> => {
    const { status, body } = await api.call("GET", `${root}/${kind}/${name}`);
    if (status !== 200) throw new NotYet(`${kind} ${name} is answered with ${status}`);
    const entries = Object.entries((body as Keyed).data ?? {});
    if (kind === "configmaps") return Object.fromEntries(entries);
    return Object.fromEntries(entries.map(([key, text]) => [key, Buffer.from(text, "base64").toString("utf8")]));
  };
  const token = async (pod: Pod, seconds: number): Promise<string> => {
    const boundObjectRef = { apiVersion: "v1", kind: "Pod", name: pod.metadata.name, uid: pod.metadata.uid };
    const made = await api.must<{ status: { token: string } }>(
      "POST",
      `${root}/serviceaccounts/${pod.spec.serviceAccountName ?? "default"}/token`,
      {
        apiVersion: "authentication.k8s.io/v1",
        kind: "TokenRequest",
        spec: { expirationSeconds: seconds, boundObjectRef },
      },
    );
    return made.status.token;
  };
  return { config: (name: string) => read("configmaps", name), secret: (name: string) => read("secrets", name), token };
}

type PodObjects = ReturnType<typeof openPodObjects>;

const pick = (files: Files, items: readonly { key: string; path: string }[] | undefined): Files => {
  if (items === undefined) return files;
  return Object.fromEntries(
    items.map(({ key, path }) => {
      const content = files[key];
      if (content === undefined) throw new NotYet(`there is no key ${key}`);
      return [path, content];
    }),
  );
};

async function projected(source: Projection, pod: Pod, objects: PodObjects): Promise<Files> {
  const { serviceAccountToken, configMap, secret, downwardAPI } = source;
  if (serviceAccountToken) {
    const text = await objects.token(pod, serviceAccountToken.expirationSeconds ?? 3_600);
    return { [serviceAccountToken.path]: text };
  }
  if (configMap?.name) return pick(await objects.config(configMap.name), configMap.items);
  if (secret?.name) return pick(await objects.secret(secret.name), secret.items);
  return Object.fromEntries(
    (downwardAPI?.items ?? []).map(({ path, fieldRef }) => [path, fieldOf(pod, fieldRef?.fieldPath)]),
  );
}

async function filesOf(volume: Volume, pod: Pod, objects: PodObjects): Promise<Files> {
  if (volume.secret?.secretName) return pick(await objects.secret(volume.secret.secretName), volume.secret.items);
  if (volume.configMap?.name) return pick(await objects.config(volume.configMap.name), volume.configMap.items);
  const parts = (volume.projected?.sources ?? []).map((source) => projected(source, pod, objects));
  return Object.assign({}, ...(await Promise.all(parts))) as Files;
}

function fieldOf({ metadata, spec, status }: Pod, path: string | undefined): string {
  const fields: Readonly<Record<string, string | undefined>> = {
    "metadata.name": metadata.name,
    "metadata.namespace": metadata.namespace,
    "metadata.uid": metadata.uid,
    "spec.nodeName": spec.nodeName,
    "spec.serviceAccountName": spec.serviceAccountName,
    "status.podIP": status?.podIP,
  };
  return fields[path ?? ""] ?? "";
}

/** Path in the pod, and the folder that stands for it here. */
export type Mount = readonly [mountPath: string, place: string];

/** Puts everything that a container finds under a folder. A claim of storage is a folder that outlives the pod. */
export async function mountFiles(
  pod: Pod,
  container: PodContainer,
  places: { pod: string; claims: string },
  objects: PodObjects,
): Promise<Mount[]> {
  const mounts: Mount[] = [];
  for (const { name, mountPath } of container.volumeMounts ?? []) {
    const volume = pod.spec.volumes?.find((one) => one.name === name);
    if (volume === undefined) throw new Error(`${pod.metadata.name} has no volume ${name}`);
    const claim = volume.persistentVolumeClaim?.claimName;
    const place = claim === undefined ? join(places.pod, mountPath) : join(places.claims, claim);
    mkdirSync(place, { recursive: true });
    for (const [path, content] of Object.entries(await filesOf(volume, pod, objects))) {
      mkdirSync(dirname(join(place, path)), { recursive: true });
      writeFileSync(join(place, path), content, { mode: 0o600 });
    }
    mounts.push([mountPath, place]);
  }
  return mounts;
}

/** The variables of a container, with its paths and its address as they are here. */
export async function environmentOf(
  pod: Pod,
  container: PodContainer,
  { mounts, address, objects }: { mounts: readonly Mount[]; address: string; objects: PodObjects },
): Promise<Record<string, string>> {
  const given: Record<string, string> = {};
  for (const { configMapRef, secretRef } of container.envFrom ?? []) {
    if (configMapRef?.name) Object.assign(given, await objects.config(configMapRef.name));
    if (secretRef?.name) Object.assign(given, await objects.secret(secretRef.name));
  }
  for (const { name, value, valueFrom } of container.env ?? []) {
    const { secretKeyRef, configMapKeyRef, fieldRef } = valueFrom ?? {};
    const key = secretKeyRef?.key ?? configMapKeyRef?.key;
    const source = secretKeyRef?.name
      ? await objects.secret(secretKeyRef.name)
      : configMapKeyRef?.name && (await objects.config(configMapKeyRef.name));
    const text = source && key !== undefined ? source[key] : (value ?? fieldOf(pod, fieldRef?.fieldPath));
    if (text === undefined) throw new NotYet(`there is no key ${key}`);
    given[name] = text;
  }
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const [path, place] = mounts.find(([mountPath]) => value.startsWith(mountPath)) ?? ["", ""];
      // Every address of the pod is the one that it has.
      return [name, value === "0.0.0.0" ? address : path === "" ? value : value.replace(path, place)];
    }),
  );
}
