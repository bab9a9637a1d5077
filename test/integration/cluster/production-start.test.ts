import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { diagnose } from "../../../local/cli/doctor";
import { ensureLocalCa } from "../../../local/local-ca";
import { startPayment } from "../../../services/payment/app";
import { readPaymentConfig } from "../../../services/payment/config";
import { startTestTestbed, type TestTestbed } from "../../support/testbed";

describe("a service that is started in production on weak testbed", () => {
  const dir = mkdtempSync(join(tmpdir(), "production-start-"));
  let testbed: TestTestbed;
  let env: Record<string, string>;
  const file = (name: string, text: string): string => {
    writeFileSync(join(dir, name), text);
    return join(dir, name);
  };

  beforeAll(async () => {
    testbed = await startTestTestbed();
    const { caFile, certFile, keyFile } = await ensureLocalCa(dir);
    env = {
      PROFILE: "production",
      LOG_LEVEL: "error",
      GRPC_PORT: "0",
      MONGODB_URI: testbed.mongoUri,
      MONGODB_DATABASE: testbed.database("production"),
      NATS_URL: "nats://127.0.0.1:4222",
      SCHEMA_TARGET: "a",
      FX_TARGET: "a",
      WALLET_TARGET: "a",
      IDENTITY_TARGET: "a",
      RPC_TLS_CA_FILE: caFile,
      RPC_TLS_CERT_FILE: certFile,
      RPC_TLS_KEY_FILE: keyFile,
      PAYMENT_SEALING_KEY_FILE: file("sealing", "1".repeat(64)),
      RAIL_BASE_URL: "http://rail.example.com",
      RAIL_API_KEY_FILE: file("api-key", "key"),
      PROVIDER_CALLBACK_SECRETS_FILE: file("callback", "pix=callback-secret-callback-secret-01"),
      LINKER_BASE_URL: "http://linker.example.com",
      LINKER_CLIENT_ID: "client",
      LINKER_SECRET_FILE: file("linker", "secret"),
    };
  });
  afterAll(async () => {
    await testbed.stop();
    rmSync(dir, { recursive: true });
  });

  it("does not start, and names everything at once: settings, certificate, secrets and store", async () => {
    const failure = await startPayment(readPaymentConfig(env)).catch((error: unknown) => error);

    const text = String(failure);
    for (const name of [
      "RPC_TLS_CERT_FILE must be for <release>-payment.<namespace>.svc",
      "LINKER_BASE_URL",
      "RAIL_BASE_URL",
      "MONGODB_URI must set tls=true",
      "STORE_DISKS_ENCRYPTED",
      "NATS_URL",
      "NATS_PASSWORD_FILE",
      "NATS_STREAM_REPLICAS",
      "PAYMENT_SEALING_KEY_FILE",
      "PROVIDER_CALLBACK_SECRETS_FILE",
      "the store of MONGODB_URI: it is",
    ]) {
      expect(text).toContain(name);
    }
    expect(text).not.toContain("callback-secret");
    expect(await diagnose("payment", env)).toEqual(
      text
        .split("\n")
        .slice(1)
        .map((line) => line.replace("  - ", "")),
    );
  });

  it.each(["", "short", "0".repeat(64)])("starts in no profile with the callback secret %p", (secret) => {
    const read = () =>
      readPaymentConfig({ ...env, PROFILE: "local", PROVIDER_CALLBACK_SECRETS_FILE: file("weak", `pix=${secret}`) });

    expect(read).toThrow("PROVIDER_CALLBACK_SECRETS_FILE must name a file");
  });
});
