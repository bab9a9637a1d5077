import { canInstall, installWithApt } from "../apt";
import { findProgram } from "../find-program";
import { ensureNatsServer } from "../nats";

/** The browser for the console's tests. Without one those tests are skipped, and counted. */
async function ensureChromium(): Promise<string> {
  const find = (): string | undefined => findProgram("chromium", process.env["PATH"] ?? "");
  if (find() === undefined && canInstall()) await installWithApt("chromium").catch(() => undefined);
  return find() ?? "missing: install chromium to run `make test-console`";
}

/** `make setup`: ensures that nats-server and a browser are present, one after the other, as apt installs them. */
async function main(): Promise<void> {
  try {
    const { command, why } = await ensureNatsServer();
    console.log(`nats-server: ${command} (${why})`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
  console.log(`chromium: ${await ensureChromium()}`);
}

main().catch((error: unknown) => {
  console.error(String(error));
  process.exitCode = 1;
});
