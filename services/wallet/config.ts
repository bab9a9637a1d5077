import {
  ConfigError,
  type Configured,
  integer,
  keyRing,
  oneOf,
  optional,
  readSettings,
  text,
  withDefault,
} from "../shared/process/config";
import { busSettings, serviceSettings } from "../shared/process/runtime";
import { statementPlaces } from "./adapters/statements/places";
import { tokensFile } from "./adapters/statements/tokens";

const settings = {
  ...serviceSettings,
  ...busSettings,
  NATS_STREAM_REPLICAS: withDefault(integer(1, 5), 1),
  WALLET_SEAL_KEY_FILE: keyRing,
  WALLET_SEALING_KEY_FILE: keyRing,
  WALLET_ANCHOR_FILE: optional(text),
  WALLET_CLOCK_SKEW_SECONDS: withDefault(integer(1, 300), 5),
  WALLET_CHECKPOINT_SECONDS: withDefault(integer(1, 3_600), 60),
  WALLET_STATEMENTS: optional(statementPlaces),
  WALLET_STATEMENT_TOKENS_FILE: optional(tokensFile),
  WALLET_STATEMENT_SECONDS: withDefault(integer(1, 86_400), 300),
  WALLET_STATEMENT_GRACE_SECONDS: withDefault(integer(1, 604_800), 3_600),
  PAYMENT_TARGET: optional(text),
  WALLET_VERIFICATION_SECONDS: withDefault(integer(1, 604_800), 86_400),
  WALLET_ACCOUNT_SHARDS: withDefault(integer(1, 256), 16),
  WALLET_UNSET_FLOOR: optional(oneOf("zero", "none")),
};

export type WalletConfig = Configured<typeof settings>;

/** Reads the wallet service's settings. Throws a ConfigError that names every problem. */
export function readWalletConfig(env: NodeJS.ProcessEnv = process.env): WalletConfig {
  const config = readSettings(settings, env);
  if (config.WALLET_STATEMENTS !== undefined && config.WALLET_STATEMENT_TOKENS_FILE === undefined) {
    throw new ConfigError(["WALLET_STATEMENT_TOKENS_FILE is required with WALLET_STATEMENTS"]);
  }
  return config;
}

/** The floor of a tenant's account without its own. In production it is zero unless the setting says otherwise. */
export const unsetFloorOf = ({ PROFILE, WALLET_UNSET_FLOOR }: WalletConfig): bigint | undefined =>
  (WALLET_UNSET_FLOOR ?? (PROFILE === "production" ? "zero" : "none")) === "zero" ? 0n : undefined;

const { PROFILE, MONGODB_URI, MONGODB_DATABASE, WALLET_SEAL_KEY_FILE, WALLET_ANCHOR_FILE } = settings;

/** The settings that a verification needs. It opens no sealed details, so it has no key for them. */
export const readVerifierConfig = (env: NodeJS.ProcessEnv = process.env) =>
  readSettings({ PROFILE, MONGODB_URI, MONGODB_DATABASE, WALLET_SEAL_KEY_FILE, WALLET_ANCHOR_FILE }, env);
