import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { makeSecrets, type Secrets } from "../../../cluster/sandbox-secrets/make-secrets";
import { handWritten } from "../../../local/chart/cluster";
import { openHelm } from "../../../local/chart/helm";
import {
  type Container,
  type Manifest,
  ofKind,
  parseManifests,
  type Workload,
  workloadsOf,
} from "../../../local/chart/manifest";
import { freePorts } from "../../../local/free-port";
import { startTestStore, type TestStore } from "../../support/testbed";
import { type ApiServer, startApiServer } from "./api-server";

type Probe = NonNullable<Container["startupProbe"]>;

const rendered = openHelm().template("charts/corridor/ci/laptop-values.yaml");
const release: Manifest[] = "text" in rendered ? parseManifests(rendered.text) : [];
const names = ["auth", "schema", "fx", "payment", "wallet", "identity", "webhook", "gateway", "sandbox"];

const workloadOf = (kind: Workload["kind"], part: string): { workload: Workload; container: Container } => {
  const workload = workloadsOf(release).find((one) => one.kind === kind && one.name.startsWith(`corridor-${part}`));
  const container = workload?.pod.containers[0];
  if (workload === undefined || container === undefined) throw new Error(`no ${kind} ${part}`);
  return { workload, container };
};

/** Asks as the kubelet does: what is no answer of 200 to 399 in time has failed. */
async function isGood({ httpGet, timeoutSeconds = 1 }: Probe, ports: ReadonlyMap<string, number>): Promise<boolean> {
  const port = ports.get(String(httpGet?.port)) ?? 0;
  try {
    const signal = AbortSignal.timeout(timeoutSeconds * 1_000);
    const { status } = await fetch(`http://127.0.0.1:${port}${httpGet?.path}`, { signal });
    return status >= 200 && status < 400;
  } catch {
    return false;
  }
}

describe("the pods of a release, each as a process with its own environment, files and probes", () => {
  const root = mkdtempSync(join(tmpdir(), "corridor-pods-"));
  const running: ChildProcess[] = [];
  let store: TestStore;
  let api: ApiServer & { token: string };
  let secrets: Secrets;

  beforeAll(async () => {
    [store, api] = await Promise.all([startTestStore(), startApiServer("corridor")]);
    secrets = await makeSecrets({
      prefix: "corridor",
      publicHost: "corridor.localhost",
      mongodbUri: store.mongoUri,
      natsUrl: "nats://127.0.0.1:9",
    });
  });
  afterAll(async () => {
    for (const child of running) child.kill("SIGKILL");
    await Promise.all([store.stop(), api.stop()]);
    rmSync(root, { recursive: true, force: true });
  });

  const secretText = (name: string, key: string): string => {
    const made = api.secrets.get(name)?.data[key];
    const text =
      secrets[name]?.[key] ?? (made === undefined ? undefined : Buffer.from(made, "base64").toString("utf8"));
    if (text === undefined) throw new Error(`Secret ${name} has no ${key}`);
    return text;
  };

  /** Puts the files of a pod's volumes under a folder of its own, and returns what its mounts become. */
  function mount({ name, pod }: Workload, { volumeMounts = [] }: Container): [string, string][] {
    return volumeMounts.map(({ name: volumeName, mountPath }) => {
      const place = join(root, name, mountPath);
      mkdirSync(place, { recursive: true });
      const secret = pod.volumes?.find((volume) => volume.name === volumeName)?.secret;
      const secretName = secret?.secretName ?? "";
      const keys = secret?.items?.map(({ key }) => key) ?? Object.keys(api.secrets.get(secretName)?.data ?? {});
      for (const key of keys) {
        mkdirSync(dirname(join(place, key)), { recursive: true });
        writeFileSync(join(place, key), secretText(secretName, key));
      }
      return [mountPath, place];
    });
  }

  /** What a container's process gets, on ports of this machine. */
  async function environmentOf(workload: Workload, container: Container) {
    const mounts = mount(workload, container);
    const settings = (container.envFrom ?? []).flatMap(({ configMapRef }) =>
      Object.entries(
        ofKind(release, "ConfigMap").find(({ metadata }) => metadata?.name === configMapRef?.name)?.data ?? {},
      ),
    );
    const own = (container.env ?? []).map(({ name, valueFrom }): [string, string] => {
      const { name: secretName = "", key = "" } = valueFrom?.secretKeyRef ?? {};
      return [name, secretText(secretName, key)];
    });
    const offered = container.ports ?? [];
    const free = await freePorts(offered.length);
    const ports = new Map(offered.map(({ name = "" }, index) => [name, free[index] ?? 0]));
    const numbers = new Map(
      offered.map(({ name = "", containerPort }) => [String(containerPort), String(ports.get(name))]),
    );
    const moved = [...settings, ...own].map(([name, value]): [string, string] => {
      const [path, place] = mounts.find(([mountPath]) => value.startsWith(mountPath)) ?? ["", ""];
      const here = path === "" ? value : value.replace(path, place);
      return [name, name.endsWith("_PORT") ? (numbers.get(here) ?? here) : here];
    });
    const local = { LISTEN_HOST: "127.0.0.1", SANDBOX_HOST: "127.0.0.1", GATEWAY_DRAIN_MS: "0" };
    const all = Object.fromEntries(moved);
    const changed = Object.fromEntries(Object.entries(local).filter(([name]) => name in all));
    const database = all["MONGODB_DATABASE"];
    const databases = database === undefined ? {} : { MONGODB_DATABASE: store.database(database) };
    return { ports, env: { ...all, ...changed, ...databases } };
  }

  function start(container: Container, env: Record<string, string>): ChildProcess {
    const [program = "", ...args] = container.command ?? [];
    const child = spawn(program === "node" ? process.execPath : program, args, {
      env: { PATH: process.env["PATH"] ?? "", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    running.push(child);
    return child;
  }

  it("make the certificates that the others need, by their Job", async () => {
    const { workload, container } = workloadOf("Job", "certificates");
    const { env } = await environmentOf(workload, container);
    const token = join(root, "token");
    writeFileSync(token, api.token);
    const child = start(container, { ...env, KUBERNETES_API_URL: api.url, KUBERNETES_TOKEN_FILE: token });

    expect(await once(child, "exit")).toEqual([0, null]);
    const made = names.filter((name) => name !== "sandbox").map((name) => `corridor-${name}-rpc-tls`);
    expect([...api.secrets.keys()].toSorted()).toEqual([...made, "corridor-rpc-authority"].toSorted());
  }, 60_000);

  it.each(names)(
    "start, become ready, live and end by themselves: %s",
    async (name) => {
      const { workload, container } = workloadOf("Deployment", name);
      const { env, ports } = await environmentOf(workload, container);
      const { startupProbe, readinessProbe, livenessProbe } = container;
      if (!startupProbe || !readinessProbe || !livenessProbe) throw new Error("a probe is missing");
      const child = start(container, env);
      let said = "";
      child.stdout?.on("data", (chunk: Buffer) => {
        said += chunk.toString();
      });
      child.stderr?.on("data", (chunk: Buffer) => {
        said += chunk.toString();
      });
      const exit = once(child, "exit");
      let isEnded = false;
      void exit.then(() => {
        isEnded = true;
      });

      while (!isEnded && !(await isGood(startupProbe, ports))) await sleep(50);
      expect(isEnded ? said : "it runs").toBe("it runs");
      expect([await isGood(readinessProbe, ports), await isGood(livenessProbe, ports)]).toEqual([true, true]);

      child.kill("SIGTERM");
      expect(await exit).toEqual([0, null]);
    },
    60_000,
  );

  const ofCluster = handWritten().map(({ object }) => object);
  const byHand = workloadsOf(ofCluster).find(({ name }) => name === "mongodb")?.pod.containers[0];

  it.each([
    ["the chart", workloadOf("StatefulSet", "mongodb").container, "corridor-mongodb"],
    ["the cluster of k8s", byHand ?? { name: "none" }, "mongodb-0.mongodb"],
  ])(
    "start MongoDB of %s only once it can find itself by its name",
    async (_whose, container, host) => {
      const bin = mkdtempSync(join(root, "bin-"));
      const known = join(bin, "known");
      const script = (file: string, text: string): void =>
        writeFileSync(join(bin, file), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
      script("getent", `[ "$1 $2" = "hosts ${host}" ] && [ -e ${known} ]`);
      script("hostname", "echo mongodb-0");
      script("sleep", "/bin/sleep 0.05");
      script("mongod", 'echo "started with $*"');
      const child = start(container, { PATH: `${bin}:/bin:/usr/bin` });
      let said = "";
      child.stdout?.on("data", (chunk: Buffer) => {
        said += chunk.toString();
      });

      while (said.split(`waiting for the name ${host}\n`).length < 4) await sleep(20);
      expect(said).not.toContain("started");
      writeFileSync(known, "");

      expect(await once(child, "exit")).toEqual([0, null]);
      expect(said).toMatch(/started with --replSet[ =]corridor --bind_ip_all --dbpath[ =]\/data/);
    },
    30_000,
  );
});
