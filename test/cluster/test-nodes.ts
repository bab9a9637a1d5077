import { randomUUID } from "node:crypto";
import type { KubeApi } from "../../local/control-plane/kube-api";
import type { Pod } from "./pod-files";
import { type Ending, type PodRun, type PodTestbed, startPod } from "./pod-run";

export interface TestNodes {
  /** Names of the nodes. */
  names: readonly string[];
  /** Processes of pods that run now. */
  runs(): readonly PodRun[];
  /** The run of a pod, also of one that is gone. */
  run(pod: string): PodRun;
  endings(): readonly Ending[];
  /** Ends all processes, and takes the nodes away. */
  stop(): Promise<void>;
}

/** What pods name that are to run on these nodes, and what keeps all others from them. */
export const placement = (run: string) => ({
  labels: { "corridor.test/run": run },
  taint: { key: "corridor.test/run", value: run, effect: "NoSchedule" },
});

const renewMs = 5_000;
const capacity = { cpu: "64", memory: "256Gi", pods: "110", "ephemeral-storage": "100Gi" };

/**
 * Nodes whose pods are processes on this machine: each with its environment, its files and its probes. They take pods of one
 * namespace alone, and report their state to the API server.
 */
export async function startNodes(
  testbed: Omit<PodTestbed, "takeAddress"> & { run: string; names: readonly string[] },
): Promise<TestNodes> {
  const { api, namespace, names, run } = testbed;
  const ending = new AbortController();
  const known = new Map<string, PodRun>();
  let addresses = 0;
  const takeAddress = (): string => {
    addresses += 1;
    return `127.${200 + (process.pid % 50)}.${addresses >> 8}.${addresses & 255}`;
  };
  for (const [index, name] of names.entries()) await register(api, { name, run, zone: `zone-${index}` });
  const renewing = setInterval(() => {
    for (const name of names) void renew(api, name).catch(() => undefined);
  }, renewMs);
  const alive = new Set<string>();
  const watching = api.watch<Pod>(`/api/v1/namespaces/${namespace}/pods`, ending.signal, ({ type, object: pod }) => {
    const { uid = "", deletionTimestamp } = pod.metadata;
    if (!names.includes(pod.spec.nodeName ?? "")) return;
    const isOver = ["Succeeded", "Failed"].includes(pod.status?.phase ?? "");
    if (!known.has(uid) && !isOver && type !== "DELETED") {
      known.set(uid, startPod(pod, { ...testbed, takeAddress }));
      alive.add(uid);
    }
    if ((deletionTimestamp === undefined && type !== "DELETED") || !alive.delete(uid)) return;
    void known.get(uid)?.end();
  });
  watching.catch((error: unknown) => process.stderr.write(`the nodes hear nothing any more: ${String(error)}\n`));
  return {
    names,
    runs: () => [...known.values()].filter(({ uid }) => alive.has(uid)),
    run(name) {
      const found = [...known.values()].findLast((one) => one.name === name);
      if (found === undefined) throw new Error(`no pod ${name} has run`);
      return found;
    },
    endings: () => [...known.values()].flatMap(({ endings }) => endings),
    async stop() {
      clearInterval(renewing);
      ending.abort();
      await watching.catch(() => undefined);
      await Promise.all([...known.values()].map((one) => one.drop()));
      for (const name of names) await api.call("DELETE", `/api/v1/nodes/${name}`);
    },
  };
}

async function register(api: KubeApi, { name, run, zone }: { name: string; run: string; zone: string }) {
  const { labels, taint } = placement(run);
  const places = { "kubernetes.io/hostname": name, "topology.kubernetes.io/zone": zone, "kubernetes.io/os": "linux" };
  await api.must("POST", "/api/v1/nodes", {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name, labels: { ...labels, ...places } },
    spec: { taints: [taint] },
  });
  const spec = { holderIdentity: name, leaseDurationSeconds: 40, renewTime: microTime() };
  await api.must("POST", leases, { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name }, spec });
  await renew(api, name);
}

const leases = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";
const microTime = (): string => new Date().toISOString().replace("Z", "000Z");

async function renew(api: KubeApi, name: string): Promise<void> {
  const at = new Date().toISOString();
  const condition = (type: string, status: string): object => ({
    type,
    status,
    reason: "Test",
    lastHeartbeatTime: at,
    lastTransitionTime: at,
  });
  const troubles = ["MemoryPressure", "DiskPressure", "PIDPressure"].map((type) => condition(type, "False"));
  const nodeInfo = {
    machineID: name,
    systemUUID: randomUUID(),
    bootID: name,
    kernelVersion: "test",
    osImage: "test",
    containerRuntimeVersion: "process://1",
    kubeletVersion: "v1.30.0",
    kubeProxyVersion: "",
    operatingSystem: "linux",
    architecture: "amd64",
  };
  const status = { capacity, allocatable: capacity, conditions: [condition("Ready", "True"), ...troubles], nodeInfo };
  await api.must("PATCH", `/api/v1/nodes/${name}/status`, { status }, "strategic");
  await api.must("PATCH", `${leases}/${name}`, { spec: { renewTime: microTime() } }, "merge");
}
