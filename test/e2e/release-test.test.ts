import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { compiled } from "../../local/compiled";
import { freePorts } from "../../local/free-port";
import type { Platform } from "../../local/platform";
import { startTestPlatform } from "../support/test-platform";

const run = promisify(execFile);

describe("the test of a release", () => {
  let platform: Platform;
  let environment: Record<string, string>;

  beforeAll(async () => {
    const [gatewayTls = 0] = await freePorts(1);
    platform = await startTestPlatform({ ports: { gateway: 0, gatewayTls, sandbox: 0, sandboxTls: 0 } });
    const [tenant] = platform.credentials.tenants;
    const secret = (name: string, text: string): string => {
      const path = join(platform.dir, name);
      writeFileSync(path, text);
      return path;
    };
    environment = {
      TEST_GATEWAY_URL: `https://127.0.0.1:${gatewayTls}`,
      TEST_SERVER_NAME: "localhost",
      TEST_CA_FILE: join(platform.dir, "tls", "ca.crt"),
      TEST_CLIENT_ID_FILE: secret("client-id", tenant?.clientId ?? ""),
      TEST_CLIENT_SECRET_FILE: secret("client-secret", tenant?.clientSecret ?? ""),
    };
  });
  afterAll(() => platform.stop());

  const test = (changes: Record<string, string> = {}) =>
    run(process.execPath, [compiled("cluster/test-payment/main")], { env: { ...environment, ...changes } });

  it("pays a payment over TLS and says which", async () => {
    await expect(test()).resolves.toMatchObject({
      stdout: expect.stringMatching(/^paid: release-test-[0-9a-f-]{36}\n$/),
    });
  });

  it("fails with the step that was refused", async () => {
    const wrong = join(platform.dir, "wrong");
    writeFileSync(wrong, "secret_local_nobody");

    await expect(test({ TEST_CLIENT_SECRET_FILE: wrong })).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining("asking for a token ended with 401"),
    });
  });
});
