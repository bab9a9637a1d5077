import type { Clock } from "../../shared/kernel/clock";
import { DomainError } from "../../shared/kernel/errors";
import { type CredentialBounds, parseBounds } from "../domain/credential-bounds";
import type { Credential } from "../domain/directory";
import type { CredentialStore } from "../store/credential-store";

export interface BindCredentialDeps {
  credentials: Pick<CredentialStore, "find" | "bind">;
  clock: Clock;
}

export type BindCredential = (tenant: string, id: string, bounds: CredentialBounds) => Promise<Credential>;

/** Sets the bounds of a credential. Throws RECORD_NOT_FOUND when the tenant has no live credential with this id. */
export const makeBindCredential =
  ({ credentials, clock }: BindCredentialDeps): BindCredential =>
  async (tenant, id, given) => {
    const present = await credentials.find(id);
    if (present?.tenant === tenant) {
      const bound = await credentials.bind(tenant, id, parseBounds(present.kind, given, clock.now()));
      if (bound !== undefined) return bound;
    }
    throw new DomainError("RECORD_NOT_FOUND", "the tenant has no such credential");
  };
