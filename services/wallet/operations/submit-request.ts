import type { DataKeys } from "../../shared/data-keys";
import { invalid } from "../../shared/errors";
import type { MoveFunds, Transfer } from "../domain/command";
import { requireSameContent } from "../domain/decide";
import type { KeyedRequest } from "../domain/wallet-request";
import type { Ledger } from "../ports";
import { keyedHashes, openAnswer, sealCommand } from "../sealed-words";
import type { EntryStore } from "../store/entry-store";

export interface SubmitRequestDeps {
  ledger: Ledger;
  entries: Pick<EntryStore, "find">;
  keys: Pick<DataKeys, "of">;
}

/** An answer as the caller shall receive it. */
export interface Answered {
  answer: string;
  replayed: boolean;
}

export type SubmitRequest = (request: KeyedRequest<MoveFunds> | KeyedRequest<Transfer>) => Promise<Answered>;

/**
 * Carries out a request that has an id of its caller. An id that was used decides before anything else: with other content
 * the request is refused for that, however wrong it is besides.
 */
export const makeSubmitRequest =
  ({ ledger, entries, keys }: SubmitRequestDeps): SubmitRequest =>
  async ({ tenant, id, fields, command }) => {
    const key = await keys.of(tenant);
    if ("violations" in command) {
      const earlier = id === undefined ? undefined : await entries.find(id);
      if (earlier !== undefined) requireSameContent(earlier.hashes, keyedHashes(key, earlier.id, fields));
      throw invalid(command.violations);
    }
    const { entry, replayed } = await ledger.submit(sealCommand(key, command, fields));
    return { answer: openAnswer(key, entry), replayed };
  };
