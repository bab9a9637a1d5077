import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { readGatewayConfig } from "../../gateway/config";
import { readAuthConfig } from "../../services/auth/config";
import { readFxConfig } from "../../services/fx/config";
import { readIdentityConfig } from "../../services/identity/config";
import { readPaymentConfig } from "../../services/payment/config";
import { readSchemaConfig } from "../../services/schema/config";
import { ConfigError } from "../../services/shared/process/config";
import { inspectProduction } from "../../services/shared/process/inspect-production";
import { readWalletConfig } from "../../services/wallet/config";
import { readWebhookConfig } from "../../services/webhook/config";

type Read = (env: NodeJS.ProcessEnv) => Readonly<Record<string, unknown>>;

const readers: Readonly<Record<string, Read>> = {
  gateway: readGatewayConfig,
  auth: readAuthConfig,
  schema: readSchemaConfig,
  fx: readFxConfig,
  payment: readPaymentConfig,
  wallet: readWalletConfig,
  identity: readIdentityConfig,
  webhook: readWebhookConfig,
};

/** Returns everything that would prevent a process from starting in production with these settings. */
export async function diagnose(service: string, env: NodeJS.ProcessEnv): Promise<string[]> {
  const read = readers[service];
  if (read === undefined) throw new Error(`no service ${service}; there are ${Object.keys(readers).join(", ")}`);
  try {
    return await inspectProduction(service, read({ ...env, PROFILE: "production" }));
  } catch (error) {
    if (error instanceof ConfigError) return [...error.problems];
    throw error;
  }
}

/**
 * `npm run operator -- doctor <service> [file]`: prints what would prevent the service from starting in production, given the
 * environment or a file of `NAME=value` lines. Returns false when there is anything.
 */
export async function doctor(service: string, file?: string): Promise<boolean> {
  const env = file === undefined ? process.env : parseEnv(readFileSync(file, "utf8"));
  const weaknesses = await diagnose(service, env);
  for (const weakness of weaknesses) console.log(`- ${weakness}`);
  if (weaknesses.length === 0) console.log(`${service} is fit for production`);
  return weaknesses.length === 0;
}
