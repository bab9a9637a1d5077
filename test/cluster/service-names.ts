import { renameSync, writeFileSync } from "node:fs";
import type { KubeApi, KubeObject } from "../../local/control-plane/kube-api";
import { localAddress } from "./pod-run";

interface Slice extends KubeObject {
  endpoints?: { addresses: string[]; conditions?: { ready?: boolean } }[];
}
interface Service extends KubeObject {
  spec: { clusterIP?: string };
}

/** Where connections to the address of a Service go that has no ready endpoint: no process listens there. */
const nowhere = "127.255.255.254";
const ofService = "kubernetes.io/service-name";

/** Which addresses the names of Services stand for now. */
export interface ServiceNames {
  /** Ready endpoints of a Service. */
  addressesOf(service: string): readonly string[];
  stop(): Promise<void>;
}

/** Keeps the table of names and ready endpoints that the processes of pods look into, as DNS and kube-proxy would. */
export function keepServiceNames(api: KubeApi, namespace: string, file: string): ServiceNames {
  const ending = new AbortController();
  const slices = new Map<string, Slice>();
  const services = new Map<string, Service>();
  const addressesOf = (service: string): string[] =>
    [...slices.values()]
      .filter(({ metadata }) => metadata.labels?.[ofService] === service)
      .flatMap(({ endpoints }) => endpoints ?? [])
      .filter(({ conditions }) => conditions?.ready !== false)
      .flatMap(({ addresses }) => addresses.map(localAddress));
  const write = (): void => {
    const rows = [...services.values()].flatMap(({ metadata: { name }, spec }) => {
      const ready = addressesOf(name);
      const addresses = ready.length === 0 && spec.clusterIP !== "None" ? [nowhere] : ready;
      return [name, `${name}.${namespace}`, `${name}.${namespace}.svc`].map((host) => [host, addresses] as const);
    });
    writeFileSync(`${file}.next`, JSON.stringify(Object.fromEntries(rows)));
    // A concurrent reader reads the table before or the one after, and never a half.
    renameSync(`${file}.next`, file);
  };
  write();
  const follow = <T extends KubeObject>(path: string, kept: Map<string, T>): Promise<void> =>
    api.watch<T>(path, ending.signal, ({ type, object }) => {
      if (type === "DELETED") kept.delete(object.metadata.name);
      else kept.set(object.metadata.name, object);
      write();
    });
  const following = Promise.all([
    follow(`/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`, slices),
    follow(`/api/v1/namespaces/${namespace}/services`, services),
  ]);
  following.catch((error: unknown) => process.stderr.write(`names are kept no more: ${String(error)}\n`));
  return {
    addressesOf,
    async stop() {
      ending.abort();
      await following.catch(() => undefined);
    },
  };
}
