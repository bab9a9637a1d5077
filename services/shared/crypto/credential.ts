import { createHash } from "node:crypto";
import type { Ids } from "../kernel/ids";
import type { Profile } from "../kernel/profile";

/** `key` names a tenant, `agent` one of its agents, `secret` an OAuth client. */
export type CredentialKind = "key" | "agent" | "secret";

/** The parts of a credential that can be read without verifying it. */
export interface CredentialName {
  kind: CredentialKind;
  env: Profile;
  /** Public part, under which the keyed hash is stored. */
  id: string;
}

const form = /^((key|agent|secret)_(local|sandbox|production)_([0-9a-f]{16})_[0-9a-f]{64})([0-9a-f]{8})$/;
const kinds: readonly CredentialKind[] = ["key", "agent", "secret"];
const envs: readonly Profile[] = ["local", "sandbox", "production"];

/** Eight hex digits that reveal a mistyped or truncated credential, or one in a leaked file, without a look-up. */
const checksum = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 8);

/** The public prefix of a credential's text. */
export const credentialPrefix = ({ kind, env, id }: CredentialName): string => `${kind}_${env}_${id}`;

/**
 * A fresh credential `<kind>_<env>_<id>_<secret><checksum>` with 256 secret bits. Shown once to its owner, never stored.
 */
export function makeCredential(kind: CredentialKind, env: Profile, ids: Pick<Ids, "bytes">): string {
  const prefix = credentialPrefix({ kind, env, id: ids.bytes(8).toString("hex") });
  const text = `${prefix}_${ids.bytes(32).toString("hex")}`;
  return text + checksum(text);
}

/** Reads the public parts of a credential; undefined for text that cannot be one. */
export function parseCredential(text: string): CredentialName | undefined {
  const [, body = "", kindText, envText, id, sum] = form.exec(text) ?? [];
  if (sum !== checksum(body)) return undefined;
  const kind = kinds.find((candidate) => candidate === kindText);
  const env = envs.find((candidate) => candidate === envText);
  return kind === undefined || env === undefined || id === undefined ? undefined : { kind, env, id };
}
