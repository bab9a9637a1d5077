import { openHelm } from "../../local/chart/helm";
import { type Manifest, parseManifests } from "../../local/chart/manifest";
import type { KubeApi } from "../../local/control-plane/kube-api";

interface Resource {
  name: string;
  kind: string;
  namespaced: boolean;
}

/** Where objects of a kind are on a server; undefined for a kind that it does not know. */
export function openPaths(api: KubeApi, namespace: string) {
  const known = new Map<string, Promise<readonly Resource[]>>();
  const resourcesOf = async (apiVersion: string): Promise<readonly Resource[]> => {
    const { status, body } = await api.call("GET", rootOf(apiVersion));
    return status === 200 ? (body as { resources: Resource[] }).resources : [];
  };
  return async ({ apiVersion, kind }: Pick<Manifest, "apiVersion" | "kind">): Promise<string | undefined> => {
    const listed = known.get(apiVersion) ?? resourcesOf(apiVersion);
    known.set(apiVersion, listed);
    const found = (await listed).find((one) => one.kind === kind && !one.name.includes("/"));
    if (found === undefined) return undefined;
    return `${rootOf(apiVersion)}${found.namespaced ? `/namespaces/${namespace}` : ""}/${found.name}`;
  };
}

const rootOf = (apiVersion: string): string =>
  apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;

/** The objects of the chart with a file of `ci/`, in this namespace. */
export function renderInto(namespace: string, title: string, ...set: readonly string[]): Manifest[] {
  const answer = openHelm().template(`charts/corridor/ci/${title}-values.yaml`, ...set);
  if ("refusal" in answer) throw new Error(answer.refusal);
  const text = JSON.stringify(parseManifests(answer.text));
  return JSON.parse(text.replaceAll('"namespace":"corridor"', `"namespace":"${namespace}"`)) as Manifest[];
}
