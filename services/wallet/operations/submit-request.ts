import { invalid } from "../../shared/errors";
import type { Command } from "../domain/command";
import { requireSameContent } from "../domain/decide";
import type { KeyedRequest } from "../domain/wallet-request";
import type { Ledger } from "../ports";
import type { EntryStore } from "../store/entry-store";

export interface SubmitRequestDeps {
  ledger: Ledger;
  entries: Pick<EntryStore, "find">;
}

/** An answer as the caller shall receive it. */
export interface Answered {
  answer: string;
  replayed: boolean;
}

export type SubmitRequest = (request: KeyedRequest<Command>) => Promise<Answered>;

/**
 * Carries out a request that has an id of its caller. An id that was used decides before anything else: with other content
 * the request is refused for that, however wrong it is besides.
 */
export const makeSubmitRequest =
  ({ ledger, entries }: SubmitRequestDeps): SubmitRequest =>
  async ({ id, hashes, command }) => {
    if ("violations" in command) {
      const earlier = id === undefined ? undefined : await entries.find(id);
      if (earlier !== undefined) requireSameContent(earlier.hashes, hashes);
      throw invalid(command.violations);
    }
    const { entry, replayed } = await ledger.submit(command);
    return { answer: entry.answer, replayed };
  };
