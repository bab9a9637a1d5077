import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { chartDir, helmProgram } from "../../local/chart/helm";

const run = promisify(execFile);

export interface HelmSaid {
  isGood: boolean;
  text: string;
}

export interface ReleaseOptions {
  kubeconfig: string;
  namespace: string;
  /** Files of values, the later ones over the earlier. */
  values: readonly string[];
  timeout?: string;
}

/** The release `corridor` of a namespace, through Helm. */
export function openRelease({ kubeconfig, namespace, values, timeout = "8m" }: ReleaseOptions) {
  const { program, env } = helmProgram();
  const helm = async (...args: readonly string[]): Promise<HelmSaid> => {
    const all = [...args, "--kubeconfig", kubeconfig, "--namespace", namespace];
    try {
      const { stdout, stderr } = await run(program, all, { env, maxBuffer: 64 * 1_048_576 });
      return { isGood: true, text: `${stdout}${stderr}` };
    } catch (error) {
      const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
      return { isGood: false, text: `${stdout}${stderr}` };
    }
  };
  const withValues = (set: readonly string[]): string[] => [
    ...values.flatMap((file) => ["--values", file]),
    ...set.flatMap((value) => ["--set", value]),
  ];
  const waiting = ["--wait", "--wait-for-jobs", "--timeout", timeout];
  return {
    helm,
    install: (...set: readonly string[]) => helm("install", "corridor", chartDir, ...withValues(set), ...waiting),
    upgrade: (set: readonly string[] = [], chart = chartDir, patience = waiting) =>
      helm("upgrade", "corridor", chart, ...withValues(set), ...patience),
    rollback: (revision: number) => helm("rollback", "corridor", String(revision), ...waiting),
    uninstall: () => helm("uninstall", "corridor", "--wait", "--timeout", timeout),
    test: () => helm("test", "corridor", "--timeout", timeout),
    revision: async (): Promise<number> => {
      const { text } = await helm("status", "corridor", "--output", "json");
      return (JSON.parse(text) as { version: number }).version;
    },
  };
}

export type Release = ReturnType<typeof openRelease>;
