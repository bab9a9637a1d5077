import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureLocalCa, issueCertificate } from "../../../local/local-ca";
import { runOperator } from "../../support/operator-command";
import { type AccessWorld, makeTenant, operatorToken, startAccessWorld } from "./access-world";

/** What the certificate of a gateway in a cluster names. */
const serverName = "corridor-gateway.payments.svc";

describe("the operator commands at a forwarded port", () => {
  const dir = mkdtempSync(join(tmpdir(), "forwarded-"));
  let world: AccessWorld;
  let env: Record<string, string>;

  beforeAll(async () => {
    const { caFile } = await ensureLocalCa(dir);
    const { certFile, keyFile } = await issueCertificate(dir, serverName);
    world = await startAccessWorld({
      tenants: [makeTenant("demo", "sandbox")],
      profile: "sandbox",
      ca: readFileSync(caFile, "utf8"),
      gateway: {
        GATEWAY_TLS_CERT_FILE: certFile,
        GATEWAY_TLS_KEY_FILE: keyFile,
        GATEWAY_CLIENT_CA_FILE: caFile,
      },
    });
    env = {
      OPERATOR_URL: `https://localhost:${world.gateway.operatorPort}`,
      OPERATOR_TOKEN: operatorToken,
      OPERATOR_CA_FILE: caFile,
      CORRIDOR_DIR: dir,
    };
  });
  afterAll(async () => {
    await world.stop();
    rmSync(dir, { recursive: true });
  });

  it("take the server for nobody while its certificate names another host", async () => {
    const { code, stdout, stderr } = await runOperator(["tenants", "list"], env);

    expect(code).not.toBe(0);
    expect(stdout).toBe("");
    expect(stderr).toMatch(/localhost/);
    expect(stderr).not.toContain(operatorToken);
  });

  it("work with the name that is in the certificate, and with no other", async () => {
    const named = await runOperator(["tenants", "list"], { ...env, OPERATOR_SERVER_NAME: serverName });
    const other = await runOperator(["tenants", "list"], {
      ...env,
      OPERATOR_SERVER_NAME: "corridor-gateway.other.svc",
    });

    expect(named).toMatchObject({ code: 0, stderr: "" });
    expect(named.stdout).toContain("demo");
    expect(other.code).not.toBe(0);
    expect(other.stderr).toMatch(/corridor-gateway\.other\.svc/);
  });
});
