import { canInstall, installWithApt } from "../apt";
import { findProgram } from "../find-program";
import { ensureNatsServer } from "../nats";

/** The browser that the console is tested in. Without it those tests fail and say so; nothing else needs it. */
async function ensureChromium(): Promise<string> {
  const find = (): string | undefined => findProgram("chromium", process.env["PATH"] ?? "");
  if (find() === undefined && canInstall()) await installWithApt("chromium").catch(() => undefined);
  return find() ?? "missing: install chromium to run `make test-console`";
}

/** `make setup`: ensures that nats-server is present, installing it where possible. */
ensureNatsServer().then(
  ({ command, why }) => console.log(`nats-server: ${command} (${why})`),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  },
);

ensureChromium().then(
  (where) => console.log(`chromium: ${where}`),
  (error: unknown) => console.error(String(error)),
);
