import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Container } from "../../local/chart/manifest";
import { compileCache } from "../../local/compiled";
import type { KubeApi } from "../../local/control-plane/kube-api";
import { groupGuard } from "../../local/group-guard";
import { environmentOf, type Mount, mountFiles, NotYet, openPodObjects, type Pod } from "./pod-files";
import { askProbes, pause } from "./probes";

export interface PodTestbed {
  api: KubeApi;
  namespace: string;
  /** Folder of logs, files of pods, and claims of storage. */
  dir: string;
  namesFile: string;
  /** True for an image that is on the node: the programs of this tree under whatever tag. */
  hasImage(image: string): boolean;
  /** An address of the loopback range that no pod has had. */
  takeAddress(): string;
}

/** How a process of a pod ended. */
export interface Ending {
  pod: string;
  code: number | null;
  signal: NodeJS.Signals | null;
  /** It was asked to. */
  isAsked: boolean;
}

export interface PodRun {
  name: string;
  uid: string;
  /** The process that runs now. */
  pid(): number | undefined;
  /** Everything that its processes have written. */
  said(): string;
  endings: readonly Ending[];
  /** Ends what runs, as a kubelet does, and takes the pod away. */
  end(): Promise<void>;
  /** Ends what runs at once, whatever it does. */
  drop(): Promise<void>;
}

interface Ran {
  code: number | null;
  signal: NodeJS.Signals | null;
  startedAt: string;
}

/** What a cluster receives of a pod's one container. */
interface Told {
  state: object;
  lastState?: object;
  isReady: boolean;
  isStarted: boolean;
  restarts: number;
}

const names = resolve("test/cluster/names.js");
const nodeOptions = `--require=${names} --max-semi-space-size=8 --max-old-space-size=256`;
/** A kubelet waits longer, up to five minutes. */
const longestBackoffSeconds = 5;

/** What a pod of the cluster has as address; nothing but a process on this machine has the other. */
const clusterAddress = (local: string): string => local.replace(/^127\./, "10.");
export const localAddress = (address: string): string => address.replace(/^10\./, "127.");

const now = (): string => new Date().toISOString().replace(/\.\d+Z$/, "Z");

/** Runs the process of a pod with its environment, files and probes, and reports its state to the API server. */
export function startPod(pod: Pod, testbed: PodTestbed): PodRun {
  const { name, uid = "" } = pod.metadata;
  const [container] = pod.spec.containers;
  if (container === undefined || pod.spec.containers.length > 1 || pod.spec.initContainers !== undefined) {
    throw new Error(`the nodes of this test run one container in a pod, and ${name} has others`);
  }
  const address = testbed.takeAddress();
  const objects = openPodObjects(testbed.api, testbed.namespace);
  const log = join(testbed.dir, "logs", `${name}.log`);
  mkdirSync(join(testbed.dir, "logs"), { recursive: true });
  const leaving = new AbortController();
  const endings: Ending[] = [];
  const tell = openReport(pod, container, address, testbed);
  let child: ChildProcess | undefined;

  /** Asks the process to end, and ends it when it does not in time. */
  const endProcess = async (running: ChildProcess, graceSeconds: number): Promise<void> => {
    const ended = new AbortController();
    running.once("exit", () => ended.abort());
    if (running.exitCode !== null || running.signalCode !== null) return;
    const preStop = container.lifecycle?.preStop?.sleep?.seconds ?? 0;
    await pause(preStop, ended.signal);
    running.kill("SIGTERM");
    await pause(graceSeconds - preStop, ended.signal);
    if (!ended.signal.aborted) running.kill("SIGKILL");
  };
  const grace = pod.spec.terminationGracePeriodSeconds ?? 30;

  const runOnce = async (env: Record<string, string>, told: Told): Promise<Ran> => {
    const startedAt = now();
    const running = startProcess(container, env, log);
    child = running;
    const exit = once(running, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
    const probing = new AbortController();
    const update = (change: Partial<Told>): void => {
      Object.assign(told, change);
      void tell("Running", told);
    };
    update({ state: { running: { startedAt } }, isReady: false, isStarted: false });
    void askProbes(container, address, probing.signal, {
      started: () => update({ isStarted: true }),
      ready: (isReady) => {
        if (isReady !== told.isReady) update({ isReady });
      },
      hung: () => void endProcess(running, grace),
    });
    const leave = (): void => void endProcess(running, grace);
    leaving.signal.addEventListener("abort", leave, { once: true });
    if (leaving.signal.aborted) leave();
    const [code, signal] = await exit;
    probing.abort();
    leaving.signal.removeEventListener("abort", leave);
    endings.push({ pod: name, code, signal, isAsked: leaving.signal.aborted });
    return { code, signal, startedAt };
  };

  const live = async (): Promise<void> => {
    const told: Told = { state: waiting("ContainerCreating"), isReady: false, isStarted: false, restarts: 0 };
    await tell("Pending", told);
    if (!testbed.hasImage(container.image ?? "")) {
      await tell("Pending", { ...told, state: waiting("ErrImageNeverPull") });
      return;
    }
    const env = await untilThere(leaving.signal, async () => {
      const places = { pod: join(testbed.dir, "pods", uid), claims: join(testbed.dir, "claims") };
      const mounts = await mountFiles(pod, container, places, objects);
      const own = await environmentOf(pod, container, { mounts, address, objects });
      return { ...own, ...toApiServer(mounts, testbed.api), CORRIDOR_TEST_NAMES: testbed.namesFile };
    });
    const policy = pod.spec.restartPolicy ?? "Always";
    while (env !== undefined && !leaving.signal.aborted) {
      const ran = await runOnce(env, told);
      const state = { terminated: terminated(ran) };
      const isOver = policy === "Never" || (policy === "OnFailure" && ran.code === 0);
      if (isOver || leaving.signal.aborted) {
        Object.assign(told, { state, isReady: false, isStarted: false });
        return await tell(ran.code === 0 ? "Succeeded" : "Failed", told);
      }
      const change = { state: waiting("CrashLoopBackOff"), lastState: state, isReady: false, isStarted: false };
      Object.assign(told, { ...change, restarts: told.restarts + 1 });
      await tell("Running", told);
      await pause(Math.min(longestBackoffSeconds, 2 ** told.restarts / 4), leaving.signal);
    }
  };
  const life = live();
  return {
    name,
    uid,
    pid: () => child?.pid,
    said: () => readFileSync(log, "utf8"),
    endings,
    async end() {
      leaving.abort();
      await life;
      const path = `/api/v1/namespaces/${testbed.namespace}/pods/${name}`;
      await testbed.api.call("DELETE", path, { gracePeriodSeconds: 0, preconditions: { uid } });
    },
    async drop() {
      leaving.abort();
      child?.kill("SIGKILL");
      await life;
    },
  };
}

const waiting = (reason: string): object => ({ waiting: { reason } });

const terminated = ({ code, startedAt }: Ran): object => ({
  exitCode: code ?? 137,
  reason: code === 0 ? "Completed" : "Error",
  startedAt,
  finishedAt: now(),
});

/** A kubelet mounts what an account may show at a fixed place, and every cluster has its server under a fixed name. */
function toApiServer(mounts: readonly Mount[], api: KubeApi): Record<string, string> {
  const [, place] = mounts.find(([path]) => path === "/var/run/secrets/kubernetes.io/serviceaccount") ?? [];
  if (place === undefined) return {};
  return {
    KUBERNETES_API_URL: api.url,
    KUBERNETES_TOKEN_FILE: join(place, "token"),
    KUBERNETES_CA_FILE: join(place, "ca.crt"),
  };
}

async function untilThere<T>(signal: AbortSignal, read: () => Promise<T>): Promise<T | undefined> {
  while (!signal.aborted) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof NotYet)) throw error;
      await pause(0.3, signal);
    }
  }
  return undefined;
}

function startProcess({ command = [], args = [] }: Container, env: Record<string, string>, log: string): ChildProcess {
  const [program = "", ...rest] = [...command, ...args];
  const file = openSync(log, "a");
  const child = spawn(program === "node" ? process.execPath : program, rest, {
    env: {
      PATH: process.env["PATH"] ?? "",
      NODE_ENV: "production",
      NODE_OPTIONS: nodeOptions,
      NODE_COMPILE_CACHE: compileCache,
      ...env,
    },
    stdio: ["ignore", file, file],
    detached: true,
  });
  closeSync(file);
  const { pid } = child;
  if (pid !== undefined) {
    groupGuard().add(pid);
    child.once("exit", () => groupGuard().remove(pid));
  }
  return child;
}

/** Reports a pod to the API server, one report after the other. */
function openReport(pod: Pod, container: Container, address: string, { api, namespace }: PodTestbed) {
  const path = `/api/v1/namespaces/${namespace}/pods/${pod.metadata.name}/status`;
  const startTime = now();
  let last = Promise.resolve();
  return (phase: string, { state, lastState = {}, isReady, isStarted, restarts }: Told): Promise<void> => {
    const condition = (type: string, is: boolean): object => ({
      type,
      status: is ? "True" : "False",
      lastTransitionTime: now(),
      ...(phase === "Succeeded" ? { reason: "PodCompleted" } : {}),
    });
    const isGoing = phase === "Running" || phase === "Pending";
    const status = {
      phase,
      startTime,
      podIP: clusterAddress(address),
      podIPs: [{ ip: clusterAddress(address) }],
      conditions: [
        condition("Initialized", true),
        condition("Ready", isReady && isGoing),
        condition("ContainersReady", isReady && isGoing),
      ],
      containerStatuses: [
        {
          name: container.name,
          image: container.image,
          imageID: container.image,
          containerID: `process://${pod.metadata.uid}-${restarts}`,
          ready: isReady && isGoing,
          started: isStarted,
          restartCount: restarts,
          // Strategic patches merge: what it is no longer has to be taken away.
          state: { running: null, waiting: null, terminated: null, ...state },
          lastState: { running: null, waiting: null, terminated: null, ...lastState },
        },
      ],
    };
    last = last.then(async () => {
      const { status: code } = await api.call("PATCH", path, { status }, "strategic");
      // A pod that is gone has no status to report.
      if (code !== 200 && code !== 404) throw new Error(`the status of ${pod.metadata.name} was answered with ${code}`);
    });
    return last;
  };
}
