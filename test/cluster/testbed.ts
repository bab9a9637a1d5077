import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import { makeSecrets, type Secrets } from "../../cluster/sandbox-secrets/make-secrets";
import { type Manifest, parseManifests } from "../../local/chart/manifest";
import { type KubeApi, openKubeApi } from "../../local/control-plane/kube-api";
import { freePorts } from "../../local/free-port";
import { type ChosenStore, chooseStore } from "../../local/local-store";
import { manageProcess } from "../../local/managed-process";
import { ensureNatsServer } from "../../local/nats";
import { openRelease, type Release } from "./cluster-release";
import { keepServiceNames, type ServiceNames } from "./service-names";
import { placement, startNodes, type TestNodes } from "./test-nodes";

const missing = "this suite runs by make test-cluster";

/** The control plane of this run, for one who may do everything. */
export function openCluster(): { kubeconfig: string; api: KubeApi; isWhole: boolean } {
  const { CORRIDOR_KUBECONFIG: kubeconfig, CORRIDOR_CLUSTER_IS_WHOLE: isWhole } = process.env;
  if (!kubeconfig) throw new Error(missing);
  return { kubeconfig, api: openKubeApi(kubeconfig), isWhole: isWhole === "true" };
}

/** A namespace of its own as `k8s/namespace.yaml` makes it: restricted pods, and a quota. */
export async function makeNamespace(api: KubeApi): Promise<string> {
  const name = `corridor-test-${randomBytes(3).toString("hex")}`;
  const text = readFileSync("k8s/namespace.yaml", "utf8").replace(/\b(name|namespace): corridor$/gm, `$1: ${name}`);
  for (const object of parseManifests(text)) {
    const isNamespace = object.kind === "Namespace";
    const path = isNamespace ? "/api/v1/namespaces" : `/api/v1/namespaces/${name}/resourcequotas`;
    const metadata = isNamespace ? { ...object.metadata, name } : object.metadata;
    await api.must("POST", path, { ...object, metadata });
  }
  return name;
}

const objectOf = (name: string, stringData: Readonly<Record<string, string>>): Manifest & object => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name },
  ...{ stringData },
});

/** A namespace with store, bus, Secrets, nodes and names, in which a release can be installed. */
export interface ReleaseTestbed {
  api: KubeApi;
  namespace: string;
  secrets: Secrets;
  nodes: TestNodes;
  names: ServiceNames;
  release: Release;
  store: ChosenStore;
  /** Gives the volume of a claim that is gone to the next one of its name, as an administrator does. */
  freeStorage(): Promise<void>;
  stop(): Promise<void>;
}

/** Images of the programs of this tree that the nodes have, besides that of the chart's own version. */
export const laterTag = "0.1.0-later";
const images = new Set(["corridor:0.1.0", `corridor:${laterTag}`]);

export async function startReleaseTestbed(): Promise<ReleaseTestbed> {
  const { api, kubeconfig } = openCluster();
  const dir = mkdtempSync(join(tmpdir(), "corridor-cluster-"));
  const ends: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    for (const end of ends.toReversed()) await end();
    await api.close();
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    // Databases have fixed names in a release: the store is its own.
    const store = await chooseStore({
      dir: join(dir, "store"),
      spawned: true,
      log: () => undefined,
      env: { PATH: process.env["PATH"] },
    });
    ends.push(() => store.stop());
    const [natsPort = 0] = await freePorts(1);
    const natsUrl = `nats://127.0.0.1:${natsPort}`;
    const wanted = { prefix: "corridor", publicHost: "corridor.localhost", mongodbUri: store.uri, natsUrl };
    const made = await makeSecrets(wanted);
    // The console is found under the gateway's host name here.
    const secrets: Secrets = { ...made, "corridor-console": made["corridor-gateway"] ?? {} };
    ends.push(await startBus(join(dir, "nats"), natsPort, secrets["corridor-nats"]?.["nats.conf"] ?? ""));
    const namespace = await makeNamespace(api);
    ends.push(() => api.call("DELETE", `/api/v1/namespaces/${namespace}`));
    for (const [name, data] of Object.entries(secrets)) {
      await api.must("POST", `/api/v1/namespaces/${namespace}/secrets`, objectOf(name, data));
    }
    const namesFile = join(dir, "names.json");
    const names = keepServiceNames(api, namespace, namesFile);
    ends.push(() => names.stop());
    const run = namespace.replace("corridor-test-", "");
    const hasImage = (image: string): boolean => images.has(image);
    const nodeNames = ["a", "b"].map((letter) => `corridor-test-${run}-${letter}`);
    const nodes = await startNodes({ api, namespace, dir, namesFile, hasImage, run, names: nodeNames });
    ends.push(() => nodes.stop());
    const volume = await offerStorage(api, run, namespace, dir);
    ends.push(() => api.call("DELETE", volume));
    const freeStorage = async (): Promise<void> => {
      await api.must("PATCH", volume, { spec: { claimRef: { uid: null, resourceVersion: null } } }, "merge");
    };
    const own = join(dir, "values.yaml");
    writeFileSync(own, stringify(valuesOf(run)));
    const release = openRelease({ kubeconfig, namespace, values: ["charts/corridor/ci/kind-values.yaml", own] });
    return { api, namespace, secrets, nodes, names, release, store, freeStorage, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What distinguishes this release from that of the cluster of k8s/: fewer pods, one bus, and nodes of its own. */
function valuesOf(run: string): object {
  const { labels, taint } = placement(run);
  const single = { env: { NATS_STREAM_REPLICAS: "1" } };
  return {
    pods: { nodeSelector: labels, tolerations: [{ ...taint, operator: "Equal" }] },
    serviceDefaults: { replicas: 1 },
    services: {
      gateway: { replicas: 2, env: { RATE_LIMIT_FACTOR: "10" } },
      console: {
        enabled: true,
        env: { CONSOLE_ORIGIN: "https://corridor.localhost:8082" },
        secretFiles: { NATS_CA_FILE: null },
      },
      payment: { replicas: 2, env: { ...single.env, RATE_LIMIT_FACTOR: "10" } },
      auth: single,
      identity: single,
      wallet: single,
      webhook: single,
    },
  };
}

/** A nats-server with the users of the release. An older server does not know how often it is to wait for the disk. */
async function startBus(dir: string, port: number, configuration: string): Promise<() => Promise<unknown>> {
  mkdirSync(dir, { recursive: true });
  const text = configuration
    .replace("port: 4222", `listen: "127.0.0.1:${port}"`)
    .replace("sync_interval: always", `store_dir: ${JSON.stringify(join(dir, "streams"))}`);
  const file = join(dir, "nats.conf");
  writeFileSync(file, text, { mode: 0o600 });
  const { command } = await ensureNatsServer();
  const bus = manageProcess({
    name: "nats",
    command,
    args: ["--config", file],
    env: {},
    logFile: join(dir, "nats.log"),
    saysReady: /Server is ready/,
    isReady: async () => true,
  });
  await bus.start();
  return () => bus.end("SIGTERM");
}

/** A volume for the claim of the simulated world: no cluster is asked for one of its own. */
async function offerStorage(api: KubeApi, run: string, namespace: string, dir: string): Promise<string> {
  const name = `corridor-test-${run}`;
  const claimRef = { namespace, name: "corridor-sandbox-sandbox-data-dir" };
  await api.must("POST", "/api/v1/persistentvolumes", {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name },
    spec: {
      capacity: { storage: "1Gi" },
      accessModes: ["ReadWriteOnce"],
      persistentVolumeReclaimPolicy: "Retain",
      hostPath: { path: dir },
      claimRef,
    },
  });
  return `/api/v1/persistentvolumes/${name}`;
}
