import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chartDir } from "./helm";

/** The chart of a later release, which is the same except for its version. */
export function laterChart(dir: string, version: string): string {
  const path = join(dir, "later");
  cpSync(chartDir, path, { recursive: true });
  const file = join(path, "Chart.yaml");
  writeFileSync(file, readFileSync(file, "utf8").replace(/^version: .*$/m, `version: ${version}`));
  return path;
}

/** Changes that a platform team makes to a release, and changes of our next release. */
export const releaseChanges: Readonly<Record<string, readonly string[]>> = {
  "the pull policy": ["image.pullPolicy=Always"],
  "pull secrets": ["image.pullSecrets[0].name=registry"],
  "another image": ["image.tag=9.9.9", "image.digest="],
  "an image by digest": [`image.digest=sha256:${"1".repeat(64)}`],
  "labels and annotations of pods": ["pods.labels.team=payments", "pods.annotations.team=payments"],
  "other nodes": ["pods.nodeSelector.disk=ssd", "pods.priorityClassName=high"],
  "resources of Jobs": ["jobResources.requests.cpu=60m", "jobResources.requests.memory=200Mi"],
  "a setting": ["services.gateway.env.LINKER_SEGMENT=other"],
  "lives of certificates": ["rpcTls.days=20"],
  "more pods": ["services.payment.replicas=5"],
  "an autoscaler": ["services.webhook.autoscaling.enabled=true"],
  "no network policies": ["networkPolicy.enabled=false"],
  "an authority of ours": ["trustedCa.configMap=ours"],
};
