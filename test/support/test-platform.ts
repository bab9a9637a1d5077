import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Platform, type PlatformOptions, startPlatform } from "../../local/platform";

/**
 * A whole platform in a folder of its own, on free ports. Its embedded store refuses long scans. `stop` ends it and
 * removes the folder.
 */
export async function startTestPlatform(options: Partial<PlatformOptions> = {}): Promise<Platform> {
  const dir = mkdtempSync(join(tmpdir(), "corridor-test-"));
  const platform = await startPlatform({
    dir,
    ports: { gateway: 0, gatewayTls: 0, sandbox: 0, sandboxTls: 0 },
    refusesScans: true,
    ...options,
  });
  return {
    ...platform,
    async stop() {
      const untidy = await platform.stop();
      rmSync(dir, { recursive: true, force: true });
      return untidy;
    },
  };
}
