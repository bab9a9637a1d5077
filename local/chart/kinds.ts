import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheDir } from "./helm";
import type { Manifest } from "./manifest";

/** An object with its origin. */
export interface TitledManifest {
  title: string;
  object: Manifest;
}

const firstParty = "kubernetes-models";
/** Groups of custom resources, each with the package of its types and validators. */
const groups: Readonly<Record<string, string>> = {
  "cert-manager.io": "@kubernetes-models/cert-manager",
  "gateway.networking.k8s.io": "@kubernetes-models/gateway-api",
  "monitoring.coreos.com": "@kubernetes-models/prometheus-operator",
};

const moduleOf = ({ apiVersion, kind }: Manifest): string => {
  const [group = ""] = apiVersion.split("/");
  return `${groups[group] ?? firstParty}/${apiVersion}/${kind}`;
};

/**
 * Checks manifests against the types of Kubernetes and of custom resources: the compiler finds unknown fields and wrong
 * types, the models' validators find wrong formats. An unknown kind is a problem.
 */
export async function problemsOfTypes(manifests: readonly TitledManifest[]): Promise<string[]> {
  const compiled = compilerProblems(manifests);
  const validated = await Promise.all(manifests.map(validatorProblem));
  return [...compiled, ...validated.filter((problem) => problem !== undefined)];
}

function compilerProblems(manifests: readonly TitledManifest[]): string[] {
  const dir = mkdtempSync(join(cacheDir, "chart-"));
  try {
    const lines = manifests.map(({ object, title }, index) => {
      const type = `import("${moduleOf(object)}").I${object.kind}`;
      return `// ${title}\nexport const o${index}: ${type} = ${JSON.stringify(object)};\n`;
    });
    writeFileSync(join(dir, "manifests.mts"), lines.join(""));
    const compilerOptions = { strict: true, noEmit: true, skipLibCheck: true, module: "nodenext", types: [] };
    writeFileSync(join(dir, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["manifests.mts"] }));
    const { status, stdout, error } = spawnSync("tsc", ["-p", dir, "--pretty", "false"], { encoding: "utf8" });
    if (status === 0) return [];
    if (error !== undefined) return [error.message];
    // Each manifest has two lines, the first its title.
    const titled = stdout.replace(
      /\S*manifests\.mts\((\d+),\d+\)/g,
      (_all, line: string) => manifests[Math.floor((Number.parseInt(line, 10) - 1) / 2)]?.title ?? "",
    );
    return titled.trim().split(/\n(?=\S)/);
  } finally {
    rmSync(dir, { recursive: true });
  }
}

interface Model {
  validate(): void;
}

async function validatorProblem({ object, title }: TitledManifest): Promise<string | undefined> {
  try {
    const loaded = (await import(moduleOf(object))) as Record<string, (new (data: unknown) => Model) | undefined>;
    const Kind = loaded[object.kind];
    if (Kind === undefined) return `${title}: has a kind that the check does not know`;
    new Kind(object).validate();
    return undefined;
  } catch (error) {
    return `${title}: ${error instanceof Error ? error.message : String(error)}`;
  }
}
