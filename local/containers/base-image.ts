import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { canInstall, installWithApt } from "../apt";
import { findProgram } from "../find-program";
import type { Engine } from "./engine";

/** The base of all images, as Dockerfile names it. */
const name = "node:24-bookworm-slim";
const standInLabel = "corridor.stand-in";
const suite = "bookworm";
const pullTimeoutMs = 2 * 60_000;
const bootstrapTimeoutMs = 5 * 60_000;
const certificates = "/etc/ssl/certs/ca-certificates.crt";
/** Parts of the system that no image needs. */
const needless = [
  "var/cache/apt",
  "var/lib/apt/lists",
  ...["doc", "man", "info", "locale"].map((of) => `usr/share/${of}`),
];

export interface BaseImage {
  /** The base to build from: the pulled digest, or the name of the stand-in. */
  reference: string;
  isStandIn: boolean;
}

/**
 * Pulls the official Node image. When no registry is reachable, makes a stand-in under the same name from Debian's base
 * system with this process's Node and npm; the next build that reaches a registry replaces it.
 */
export async function ensureBaseImage(engine: Engine, say: (text: string) => void): Promise<BaseImage> {
  const inspect = (format: string): Promise<string> =>
    engine.docker(["image", "inspect", "--format", format, name]).catch(() => "");
  const pulled = async (): Promise<BaseImage | undefined> => {
    const digest = await inspect("{{range .RepoDigests}}{{.}} {{end}}");
    return digest === "" ? undefined : { reference: digest.split(" ")[0] ?? name, isStandIn: false };
  };
  const present = await pulled();
  if (present !== undefined) return present;
  const refusal = await engine.docker(["pull", "--quiet", name], { timeoutMs: pullTimeoutMs }).then(
    () => "",
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  const fresh = await pulled();
  if (fresh !== undefined) return fresh;
  const standIn = `${process.version} of ${suite}`;
  if ((await inspect(`{{index .Config.Labels "${standInLabel}"}}`)) !== standIn) {
    say(`no registry answers; Debian's base system stands in for ${name}`);
    await makeStandIn(engine, standIn, refusal);
  }
  return { reference: name, isStandIn: true };
}

async function makeStandIn(engine: Engine, label: string, refusal: string): Promise<void> {
  if (!canInstall())
    throw new Error(`${name} cannot be pulled, and only root on Debian can make a stand-in\n${refusal}`);
  const path = process.env["PATH"] ?? "";
  if (findProgram("debootstrap", path) === undefined) await installWithApt("debootstrap");
  const dir = mkdtempSync(join(tmpdir(), "corridor-base-"));
  try {
    const root = join(dir, "root");
    const args = ["--variant=minbase", suite, root, await mirror()];
    await promisify(execFile)(findProgram("debootstrap", path) ?? "debootstrap", args, { timeout: bootstrapTimeoutMs });
    for (const part of needless) rmSync(join(root, part), { recursive: true, force: true });
    addNode(root, path);
    await importTree(engine, root, `LABEL ${standInLabel}="${label}"`);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** The source of this machine's own packages of the suite. */
async function mirror(): Promise<string> {
  const format = "$(REPO_URI) $(CODENAME)/$(COMPONENT)";
  const { stdout } = await promisify(execFile)("apt-get", ["indextargets", "--format", format, "Created-By: Packages"]);
  const found = stdout.split("\n").find((line) => line.endsWith(` ${suite}/main`));
  if (found === undefined) throw new Error(`this machine's apt has no ${suite}, which the base image is made of`);
  return found.split(" ")[0] ?? "";
}

/** Adds this process's Node, this machine's npm, and the certificate authorities that the machine trusts. */
function addNode(root: string, path: string): void {
  const bin = join(root, "usr/local/bin");
  const modules = join(root, "usr/local/lib/node_modules");
  const npm = findProgram("npm", path);
  if (npm === undefined) throw new Error("npm is not on PATH");
  mkdirSync(modules, { recursive: true });
  cpSync(realpathSync(process.execPath), join(bin, "node"));
  cpSync(dirname(dirname(realpathSync(npm))), join(modules, "npm"), { recursive: true });
  symlinkSync("../lib/node_modules/npm/bin/npm-cli.js", join(bin, "npm"));
  mkdirSync(join(root, dirname(certificates)), { recursive: true });
  cpSync(certificates, join(root, certificates));
}

async function importTree(engine: Engine, root: string, change: string): Promise<void> {
  const tar = spawn("tar", ["-C", root, "-c", "."], { stdio: ["ignore", "pipe", "inherit"] });
  const load = spawn(engine.client, ["import", "--change", change, "-", name], {
    stdio: [tar.stdout, "ignore", "inherit"],
    env: { ...process.env, ...engine.env },
  });
  const [code] = (await once(load, "exit")) as [number | null];
  if (code !== 0) throw new Error("docker import of the stand-in failed");
}
