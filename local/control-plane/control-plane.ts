import { generateKeyPairSync, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { stringify } from "yaml";
import { freePorts } from "../free-port";
import { type ManagedProcess, manageProcess } from "../managed-process";
import { openKubeApi } from "./kube-api";

export interface ControlPlane {
  /** Kubeconfig of a user with all rights. */
  kubeconfig: string;
  version: string;
  /** True if the controller manager and the scheduler run as well. */
  isWhole: boolean;
  stop(): Promise<void>;
}

const required = ["etcd", "kube-apiserver"];
const makersOfPods = ["kube-controller-manager", "kube-scheduler"];

/** Names of the programs that a folder lacks for an API server. */
export const lackingIn = (assets: string): string[] => required.filter((name) => !existsSync(join(assets, name)));

/**
 * Starts the programs of a folder as a control plane on this machine: etcd and an API server, and the controller manager and scheduler if
 * they are present.
 */
export async function startControlPlane(assets: string, dir: string): Promise<ControlPlane> {
  const running: ManagedProcess[] = [];
  const stop = async (): Promise<void> => {
    for (const one of running.toReversed()) await one.end("SIGKILL");
  };
  const start = async (name: string, args: readonly string[], isReady: () => Promise<boolean>): Promise<void> => {
    const command = join(assets, name);
    const env = { PATH: process.env["PATH"] ?? "", HOME: dir };
    const one = manageProcess({ name, command, args, env, logFile: join(dir, `${name}.log`), isReady });
    running.push(one);
    await one.start();
  };
  try {
    const [etcdPort = 0, peerPort = 0, apiPort = 0, managerPort = 0, schedulerPort = 0] = await freePorts(5);
    const etcd = `http://127.0.0.1:${etcdPort}`;
    await start("etcd", etcdArgs(dir, etcd, `http://127.0.0.1:${peerPort}`), () => accepts(etcdPort));
    const kubeconfig = join(dir, "kubeconfig");
    await start("kube-apiserver", apiServerArgs(dir, etcd, apiPort), () => isServing(dir, kubeconfig, apiPort));
    const isWhole = makersOfPods.every((name) => existsSync(join(assets, name)));
    if (isWhole) {
      const common = ["--kubeconfig", kubeconfig, "--leader-elect=false", "--bind-address=127.0.0.1"];
      const managerArgs = [...common, `--secure-port=${managerPort}`, ...keyArgs(dir)];
      await start("kube-controller-manager", managerArgs, () => accepts(managerPort));
      await start("kube-scheduler", [...common, `--secure-port=${schedulerPort}`], () => accepts(schedulerPort));
    }
    return { kubeconfig, version: await versionOf(kubeconfig), isWhole, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const etcdArgs = (dir: string, client: string, peer: string): string[] => [
  `--data-dir=${join(dir, "etcd")}`,
  `--listen-client-urls=${client}`,
  `--advertise-client-urls=${client}`,
  `--listen-peer-urls=${peer}`,
  `--initial-advertise-peer-urls=${peer}`,
  `--initial-cluster=default=${peer}`,
  // Its content is lost after the test.
  "--unsafe-no-fsync",
];

function apiServerArgs(dir: string, etcd: string, port: number): string[] {
  mkdirSync(dir, { recursive: true });
  const { privateKey, publicKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  writeFileSync(keyFile(dir), privateKey, { mode: 0o600 });
  writeFileSync(publicKeyFile(dir), publicKey);
  writeFileSync(tokensFile(dir), `${randomBytes(24).toString("hex")},admin,admin,system:masters\n`, { mode: 0o600 });
  return [
    `--etcd-servers=${etcd}`,
    "--bind-address=127.0.0.1",
    `--secure-port=${port}`,
    `--cert-dir=${dir}`,
    `--token-auth-file=${tokensFile(dir)}`,
    "--authorization-mode=RBAC",
    "--service-account-issuer=https://kubernetes.default.svc",
    `--service-account-signing-key-file=${keyFile(dir)}`,
    `--service-account-key-file=${publicKeyFile(dir)}`,
    "--service-cluster-ip-range=10.96.0.0/16",
  ];
}

const keyFile = (dir: string): string => join(dir, "accounts.key");
const publicKeyFile = (dir: string): string => join(dir, "accounts.pub");
const tokensFile = (dir: string): string => join(dir, "tokens.csv");
/** Files that the API server makes for itself: a certificate, and the authority that signed it. */
const certificateFile = (dir: string): string => join(dir, "apiserver.crt");

const keyArgs = (dir: string): string[] => [
  `--service-account-private-key-file=${keyFile(dir)}`,
  `--root-ca-file=${certificateFile(dir)}`,
];

/** True once the server reports that it is ready with all its parts. Writes the kubeconfig as soon as possible. */
async function isServing(dir: string, kubeconfig: string, port: number): Promise<boolean> {
  if (!existsSync(certificateFile(dir)) || !(await accepts(port))) return false;
  const [token] = readFileSync(tokensFile(dir), "utf8").split(",");
  const ca = readFileSync(certificateFile(dir)).toString("base64");
  const config = {
    apiVersion: "v1",
    kind: "Config",
    "current-context": "test",
    contexts: [{ name: "test", context: { cluster: "test", user: "admin" } }],
    clusters: [{ name: "test", cluster: { server: `https://127.0.0.1:${port}`, "certificate-authority-data": ca } }],
    users: [{ name: "admin", user: { token } }],
  };
  writeFileSync(kubeconfig, stringify(config), { mode: 0o600 });
  const api = openKubeApi(kubeconfig);
  try {
    return (await api.call("GET", "/readyz")).status === 200;
  } catch {
    return false;
  } finally {
    await api.close();
  }
}

async function versionOf(kubeconfig: string): Promise<string> {
  const api = openKubeApi(kubeconfig);
  const { gitVersion } = await api.must<{ gitVersion: string }>("GET", "/version");
  await api.close();
  return gitVersion;
}

async function accepts(port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const settle = (is: boolean): void => {
      socket.destroy();
      resolve(is);
    };
    socket.once("connect", () => settle(true));
    socket.once("error", () => settle(false));
  });
}
