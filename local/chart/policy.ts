import { type Manifest, type Workload, workloadsOf } from "./manifest";
import { networkRules } from "./network-policy";
import { containerRules, podRules } from "./pod-policy";
import { releaseRules } from "./release-policy";

/** Every rule for a release, by its text. */
export const ruleNames: readonly string[] = [...podRules, ...networkRules, ...containerRules, ...releaseRules].map(
  ({ name }) => name,
);

/** The rules that a release breaks, each with the object that breaks it. */
export function violationsOf(release: readonly Manifest[]): string[] {
  const workloads = workloadsOf(release);
  return [
    ...(workloads.length === 0 ? ["there is no workload"] : []),
    ...workloads.flatMap((workload) => workloadViolations(workload, release)),
    ...releaseRules.flatMap(({ name, broken }) =>
      broken(release).map((what) => `the rule is broken that it ${name}: ${what}`),
    ),
  ];
}

function workloadViolations(workload: Workload, release: readonly Manifest[]): string[] {
  const { pod } = workload;
  const containers = [...(pod.initContainers ?? []), ...pod.containers];
  const broken = [
    ...[...podRules, ...networkRules].filter(({ holds }) => !holds(workload, release)),
    ...containers.flatMap((container) => containerRules.filter(({ holds }) => !holds(container, workload, release))),
  ];
  return broken.map(({ name }) => `${workload.kind} ${workload.name}: the rule is broken that it ${name}`);
}
