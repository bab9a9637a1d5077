import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { findProgram } from "./find-program";

const timeoutMs = 5 * 60_000;
const aptGet = (): string | undefined => findProgram("apt-get", process.env["PATH"] ?? "");

/** True for root on a system with apt. */
export const canInstall = (): boolean => aptGet() !== undefined && process.getuid?.() === 0;

/** Installs packages of the distribution, without recommended ones. */
export async function installWithApt(...packages: readonly string[]): Promise<void> {
  const run = async (...args: string[]): Promise<void> => {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    await promisify(execFile)(aptGet() ?? "apt-get", args, { env, timeout: timeoutMs });
  };
  const install = () => run("install", "-y", "--no-install-recommends", ...packages);
  // Package lists may be missing or old; then the first attempt fails.
  await install().catch(async () => {
    await run("update");
    await install();
  });
}
