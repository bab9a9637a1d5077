import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  keyRing,
  optional,
  readableFile,
  readSettings,
  text,
  url,
  withDefault,
} from "../../services/shared/process/config";
import { statementPlaces } from "../../services/wallet/adapters/statements/places";
import { startEmbeddedStore } from "../embedded-store/start";
import { startNats } from "../nats";

const settings = {
  MONGODB_URI: url("mongodb", "mongodb+srv"),
  DATABASE_PREFIX: withDefault(text, "corridor"),
  NATS_URL: optional(url("nats", "tls")),
  NATS_PASSWORD_FILE: optional(readableFile),
  NATS_CA_FILE: optional(readableFile),
  WALLET_SEAL_KEY_FILE: keyRing,
  WALLET_ANCHOR_FILE: optional(text),
  WALLET_STATEMENTS: optional(statementPlaces),
  WALLET_STATEMENT_TOKENS_FILE: optional(readableFile),
  AUTH_SEALING_KEY_FILE: keyRing,
  AUTH_ANCHOR_FILE: optional(text),
};

/** Settings for checking a restored platform. */
export type RestoreSettings = ReturnType<typeof readRestoreSettings>["settings"];

/** Reads the settings of the environment, completed by a local platform's folder; throws a ConfigError with every problem. */
function readRestoreSettings(env: NodeJS.ProcessEnv) {
  return { settings: readSettings(settings, env) };
}

/** Settings, with the processes that were started for them. */
export interface OpenedSettings {
  settings: RestoreSettings;
  stop(): Promise<void>;
}

/**
 * Reads the settings of the environment. Without `MONGODB_URI`, uses the local platform in `CORRIDOR_DIR`: starts its store and
 * its bus for the duration, which fails while the platform runs.
 */
export async function openRestoreSettings(env: NodeJS.ProcessEnv): Promise<OpenedSettings> {
  if (env["MONGODB_URI"]) return { ...readRestoreSettings(env), stop: async () => undefined };
  const dir = resolve(env["CORRIDOR_DIR"] ?? ".local");
  const storeDir = join(dir, "store");
  if (!existsSync(join(storeDir, "store.sqlite"))) {
    throw new Error(`there is no MONGODB_URI, and no embedded store in ${storeDir}`);
  }
  const store = await startEmbeddedStore({ dir: storeDir, port: 0, log: () => undefined }).catch((error: unknown) => {
    throw new Error("the store of the local platform cannot be opened; is the platform running?", { cause: error });
  });
  const bus = await startNats({ dir: join(dir, "nats") });
  const local = {
    MONGODB_URI: store.uri,
    NATS_URL: bus.url,
    WALLET_SEAL_KEY_FILE: join(dir, "keys", "ledger-seal"),
    AUTH_SEALING_KEY_FILE: join(dir, "keys", "auth-sealing"),
    WALLET_STATEMENT_TOKENS_FILE: join(dir, "keys", "statement-tokens"),
  };
  const stop = async (): Promise<void> => {
    await bus.stop();
    await store.stop();
  };
  try {
    return { ...readRestoreSettings({ ...local, ...env }), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
