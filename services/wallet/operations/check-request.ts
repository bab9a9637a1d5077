import type { FieldViolation } from "../../shared/kernel/errors";
import type { MoveFunds, Transfer } from "../domain/command";
import { differingFields } from "../domain/content";
import type { KeyedRequest } from "../domain/wallet-request";
import type { EntryStore } from "../store/entry-store";
import type { SealedDetails } from "../store/sealed-details";

export interface CheckRequestDeps {
  entries: Pick<EntryStore, "find">;
  sealed: Pick<SealedDetails, "hashesOf">;
}

/** The outcome of checking a request without looking at the wallet. */
export interface RequestCheck {
  /** True when its id was used before. */
  isKnown: boolean;
  /** Fields in which it differs from the request that was accepted under its id. */
  differentFields: readonly string[];
  violations: readonly FieldViolation[];
}

export type CheckRequest = (request: KeyedRequest<MoveFunds> | KeyedRequest<Transfer>) => Promise<RequestCheck>;

/** Returns whether the id of a request was used, and what is wrong with the request. Changes nothing. */
export const makeCheckRequest =
  ({ entries, sealed }: CheckRequestDeps): CheckRequest =>
  async ({ tenant, id, fields, command }) => {
    const violations = "violations" in command ? command.violations : [];
    const earlier = id === undefined ? undefined : await entries.find(id);
    if (earlier === undefined) return { isKnown: false, differentFields: [], violations };
    const hashes = await sealed.hashesOf(tenant, earlier.id, fields);
    return { isKnown: true, differentFields: differingFields(earlier.content, hashes), violations };
  };
