import { readFileSync } from "node:fs";
import { systemClock } from "../../services/shared/kernel/clock";
import { errorFields, makeLogger } from "../../services/shared/process/logger";
import { readCertificatesConfig } from "./config";
import { ensureCertificates } from "./ensure-certificates";
import { openSecretStore } from "./secret-store";

const logger = makeLogger("certificates", "info");

async function main(): Promise<void> {
  const config = readCertificatesConfig();
  const url = config.KUBERNETES_API_URL;
  const namespace = config.CERTIFICATES_NAMESPACE;
  const secrets = openSecretStore({
    url,
    namespace,
    token: readFileSync(config.KUBERNETES_TOKEN_FILE, "utf8").trim(),
    ca: url.startsWith("https:") ? readFileSync(config.KUBERNETES_CA_FILE, "utf8") : undefined,
  });
  const plan = {
    namespace,
    prefix: config.CERTIFICATES_PREFIX,
    services: config.CERTIFICATES_SERVICES,
    days: config.CERTIFICATES_DAYS,
    renewBeforeDays: config.CERTIFICATES_RENEW_BEFORE_DAYS,
  };
  const written = await ensureCertificates(plan, { secrets, clock: systemClock });
  logger.info({ written, services: plan.services.length }, "every service has its certificate");
}

main().catch((error: unknown) => {
  logger.error(errorFields(error), "certificates could not be made");
  process.exitCode = 1;
});
