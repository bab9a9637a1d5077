import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Context } from "./context.ts";
import { configFolder, writeSecret } from "./profile.ts";

/** Kinds of ids that the completion of a word can offer beside commands and options. */
export type IdKind =
  | "payment"
  | "wallet"
  | "walletTransaction"
  | "webhook"
  | "delivery"
  | "country"
  | "scenario"
  | "profile";

const most = 50;
const keptMs = 30_000;
/** Longest wait after the key for completion. */
const patienceMs = 2_000;

/** The lists of ids of each kind: the newest of the caller's own. */
const lists: Readonly<Record<Exclude<IdKind, "profile">, (context: Context) => Promise<readonly unknown[]>>> = {
  async payment({ corridor, signal }) {
    const found = await corridor().payments.list({}, { tries: 1, signal }).first(most);
    return found.map(({ externalPaymentId }) => externalPaymentId);
  },
  async wallet({ corridor }) {
    return (await corridor().wallets.list({}, { tries: 1 }).first(most)).map(({ walletId }) => walletId);
  },
  async walletTransaction({ corridor }) {
    return (await corridor().wallets.transactions({}, { tries: 1 }).first(most)).map(({ id }) => id);
  },
  async webhook({ corridor }) {
    return (await corridor().webhooks.list({ tries: 1 })).map(({ id }) => id);
  },
  async delivery({ corridor }) {
    return (await corridor().webhooks.deliveries({}, { tries: 1 }).first(most)).map(({ id }) => id);
  },
  async country({ corridor }) {
    return (await corridor().reference.destinations({ tries: 1 })).map(({ countryCodeAlpha3 }) => countryCodeAlpha3);
  },
  async scenario({ sandbox }) {
    const { scenarios } = (await sandbox("GET", "/values")) as { scenarios: readonly { name: string }[] };
    return scenarios.map(({ name }) => name);
  },
};

interface Kept {
  readonly until: number;
  readonly ids: readonly string[];
}

/** Shells take the words as they are: ids with special characters for a shell are not offered. */
const isPlain = (id: unknown): id is string => typeof id === "string" && /^[\w.@-]{1,128}$/.test(id);

/** Returns recent ids of a kind, from the platform or from at most half a minute ago. Empty if the platform cannot be asked. */
export async function knownIds(context: Context, kind: IdKind): Promise<readonly string[]> {
  if (kind === "profile") return context.profileNames();
  const file = join(configFolder(context.env), "recent-ids.json");
  const { url, clientId, tenant, agentId } = context.profile();
  // Ids of one caller are not offered to another; the name of the entry does not reveal the caller.
  const entry = createHash("sha256")
    .update(JSON.stringify([kind, url, clientId, tenant, agentId]))
    .digest("hex");
  const all = readKept(file);
  const known = all[entry];
  if (known !== undefined) return known.ids;
  const ids = (await Promise.race([lists[kind](context), late()])).filter(isPlain);
  writeSecret(file, { ...all, [entry]: { until: Date.now() + keptMs, ids } });
  return ids;
}

/** Returns the cached ids that are still fresh. */
function readKept(file: string): Record<string, Kept> {
  const all = parseKept(file);
  return Object.fromEntries(Object.entries(all).filter(([, { until }]) => until > Date.now()));
}

/** Two shells may write at once; losing the cache is harmless. */
function parseKept(file: string): Record<string, Kept> {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Record<string, Kept>;
  } catch {
    return {};
  }
}

const late = (): Promise<never> =>
  new Promise((_resolve, reject) => {
    setTimeout(() => reject(new Error("too late")), patienceMs).unref();
  });
