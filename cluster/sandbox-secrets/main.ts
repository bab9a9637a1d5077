import { readSandboxSecretsConfig } from "./config";
import { makeSecrets } from "./make-secrets";

/** Prints every Secret of a release with the sandbox profile, for `kubectl create -f -`. */
async function main(): Promise<void> {
  const config = readSandboxSecretsConfig();
  const secrets = await makeSecrets({
    prefix: config.SECRETS_PREFIX,
    publicHost: config.SECRETS_PUBLIC_HOST,
    mongodbUri: config.SECRETS_MONGODB_URI ?? `mongodb://${config.SECRETS_PREFIX}-mongodb:27017/?replicaSet=corridor`,
    natsUrl: config.SECRETS_NATS_URL ?? `nats://${config.SECRETS_PREFIX}-nats:4222`,
  });
  const items = Object.entries(secrets).map(([name, stringData]) => ({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name, namespace: config.SECRETS_NAMESPACE },
    stringData,
  }));
  process.stdout.write(`${JSON.stringify({ apiVersion: "v1", kind: "List", items }, null, 2)}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
