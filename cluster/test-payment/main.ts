import { systemIds } from "../../services/shared/kernel/ids";
import { readTestPaymentConfig } from "./config";
import { openGateway } from "./gateway";
import { payOnce } from "./pay-once";

/** Makes one payment in a release of the sandbox profile, and exits with 0 once it is paid. */
async function main(): Promise<void> {
  const config = readTestPaymentConfig();
  const gateway = openGateway(config);
  try {
    const externalPaymentId = `release-test-${systemIds.uuid()}`;
    await payOnce(gateway, {
      clientId: config.TEST_CLIENT_ID_FILE,
      clientSecret: config.TEST_CLIENT_SECRET_FILE,
      externalPaymentId,
      patienceMs: 120_000,
    });
    process.stdout.write(`paid: ${externalPaymentId}\n`);
  } finally {
    await gateway.stop();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
