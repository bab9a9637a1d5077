import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { writeComposeSecrets } from "../containers/compose-secrets";

/** `make compose-secrets`: once, before the first `docker compose up`. Stored data can be read only with these keys. */
const dir = resolve(".local/compose");

async function main(): Promise<void> {
  if (existsSync(dir)) {
    console.log(`secrets exist and are kept: ${dir}`);
    return;
  }
  await writeComposeSecrets(dir);
  console.log(
    `secrets of every service: ${dir} (callers' credentials: auth/bootstrap.json, authority: sandbox/gateway-ca.crt)`,
  );
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
