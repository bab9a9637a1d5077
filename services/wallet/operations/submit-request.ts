import { invalid } from "../../shared/kernel/errors";
import type { MoveFunds, Transfer } from "../domain/command";
import { requireSameContent } from "../domain/content";
import type { Outcome } from "../domain/decide";
import type { KeyedRequest } from "../domain/wallet-request";
import type { Ledger } from "../ports";
import type { EntryStore } from "../store/entry-store";
import type { SealedDetails } from "../store/sealed-details";

export interface SubmitRequestDeps {
  ledger: Ledger;
  entries: Pick<EntryStore, "find">;
  sealed: Pick<SealedDetails, "sealCommand" | "hashesOf" | "openDescription">;
}

/** The outcome of a request, with its description as the caller wrote it. */
export interface Submitted extends Outcome {
  description: string | undefined;
}

export type SubmitRequest = (request: KeyedRequest<MoveFunds> | KeyedRequest<Transfer>) => Promise<Submitted>;

/**
 * Carries out a request with an id of its caller. A used id is checked first: a request with different content is refused
 * for that reason, whatever else is wrong with it.
 */
export const makeSubmitRequest =
  ({ ledger, entries, sealed }: SubmitRequestDeps): SubmitRequest =>
  async ({ tenant, id, fields, command }) => {
    if ("violations" in command) {
      const earlier = id === undefined ? undefined : await entries.find(id);
      if (earlier !== undefined) requireSameContent(earlier.content, await sealed.hashesOf(tenant, earlier.id, fields));
      throw invalid(command.violations);
    }
    const { entry, replayed } = await ledger.submit(await sealed.sealCommand(command, fields));
    return { entry, replayed, description: await sealed.openDescription(entry) };
  };
