import type { Profile } from "./config";
import type { Ids } from "./ids";

/** `key` names a tenant, `agent` one of its agents, `secret` an OAuth client. */
export type CredentialKind = "key" | "agent" | "secret";

/** What can be read off a credential without knowing whether it is genuine. */
export interface CredentialName {
  kind: CredentialKind;
  env: Profile;
  /** Public part, under which the keyed hash is stored. */
  id: string;
}

const form = /^(key|agent|secret)_(local|sandbox|production)_([0-9a-f]{16})_[0-9a-f]{64}$/;
const kinds: readonly CredentialKind[] = ["key", "agent", "secret"];
const envs: readonly Profile[] = ["local", "sandbox", "production"];

/** A fresh credential `<kind>_<env>_<id>_<secret>` with 256 secret bits. Shown once to its owner, never stored. */
export function makeCredential(kind: CredentialKind, env: Profile, ids: Pick<Ids, "bytes">): string {
  return `${kind}_${env}_${ids.bytes(8).toString("hex")}_${ids.bytes(32).toString("hex")}`;
}

/** Reads the public parts of a credential; undefined for text that cannot be one. */
export function parseCredential(text: string): CredentialName | undefined {
  const [, kindText, envText, id] = form.exec(text) ?? [];
  const kind = kinds.find((candidate) => candidate === kindText);
  const env = envs.find((candidate) => candidate === envText);
  return kind === undefined || env === undefined || id === undefined ? undefined : { kind, env, id };
}
