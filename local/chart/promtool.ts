import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProgram } from "../find-program";
import { cacheDir } from "./helm";

/** The checker of Prometheus's rules, or the reason why there is none. */
export type Promtool = { program: string } | { why: string };

const patienceMs = 120_000;

/** Finds promtool: on PATH, from an earlier run, or in Debian's package, which is unpacked without installing. */
export function findPromtool(path = process.env["PATH"] ?? ""): Promtool {
  const kept = join(cacheDir, "promtool");
  const program = findProgram("promtool", path) ?? (existsSync(kept) ? kept : undefined);
  if (program !== undefined) return { program };
  const isDebian = findProgram("apt-get", path) !== undefined && findProgram("dpkg-deb", path) !== undefined;
  if (!isDebian) return { why: "there is no promtool on PATH, and no apt to fetch the package prometheus with" };
  const dir = mkdtempSync(join(tmpdir(), "corridor-promtool-"));
  try {
    const run = (command: string, ...args: string[]) =>
      spawnSync(command, args, { cwd: dir, encoding: "utf8", timeout: patienceMs });
    const fetched = run("apt-get", "download", "prometheus");
    const [file] = readdirSync(dir).filter((name) => name.endsWith(".deb"));
    if (fetched.status !== 0 || file === undefined) return { why: `apt-get download prometheus: ${fetched.stderr}` };
    const unpacked = run("dpkg-deb", "-x", file, "unpacked");
    if (unpacked.status !== 0) return { why: `dpkg-deb: ${unpacked.stderr}` };
    mkdirSync(cacheDir, { recursive: true });
    const part = `${kept}.${process.pid}`;
    copyFileSync(join(dir, "unpacked/usr/bin/promtool"), part);
    renameSync(part, kept);
    return { program: kept };
  } finally {
    rmSync(dir, { recursive: true });
  }
}
