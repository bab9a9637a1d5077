import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lackingIn, startControlPlane } from "../control-plane/control-plane";
import { endWith, runJest, type Totals } from "../mongo-suites";

/** Runs the tests on a control plane; its arguments are jest's. */
const run = (kubeconfig: string, isWhole: boolean): Promise<Totals> =>
  runJest(["--selectProjects", "cluster", "--maxWorkers", "1", ...process.argv.slice(2)], {
    CORRIDOR_KUBECONFIG: kubeconfig,
    CORRIDOR_CLUSTER_IS_WHOLE: String(isWhole),
  });

/** `make test-cluster`: tests the chart on the control plane that a kubeconfig names, or on one started from the programs of a folder. */
async function main(): Promise<Totals> {
  const { CORRIDOR_KUBECONFIG: kubeconfig, KUBEBUILDER_ASSETS: assets } = process.env;
  if (kubeconfig) return await run(kubeconfig, true);
  if (!assets) {
    throw new Error(
      "There is no control plane: name a folder with etcd and kube-apiserver in KUBEBUILDER_ASSETS, or a kubeconfig in CORRIDOR_KUBECONFIG.",
    );
  }
  const lacking = lackingIn(assets);
  if (lacking.length > 0) throw new Error(`There is no control plane: KUBEBUILDER_ASSETS lacks ${lacking.join(", ")}.`);
  const dir = mkdtempSync(join(tmpdir(), "corridor-control-plane-"));
  try {
    const plane = await startControlPlane(assets, dir);
    const without = plane.isWhole ? "" : ", without controller-manager and scheduler: admission and rights alone";
    console.log(`control plane: Kubernetes ${plane.version}${without}`);
    try {
      return await run(plane.kubeconfig, plane.isWhole);
    } finally {
      await plane.stop();
    }
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

main().then(endWith, (error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
