import type { ListPlace } from "../../shared/kernel/list-cursor";
import type { ListPage } from "../../shared/storage/read-list";
import type { Entry } from "../domain/entry";
import { endingId, type Movement, movementKind, movementOf, walletsOf } from "../domain/movement";
import { walletNotFound } from "../domain/rules";
import { payoutId, transactionId, transferId } from "../domain/wallet-request";
import type { AccountStore } from "../store/account-store";
import type { EntryStore, MovementFilter } from "../store/entry-store";
import type { SealedDetails } from "../store/sealed-details";

export interface ReadMovementsDeps {
  entries: Pick<EntryStore, "findMany" | "listed">;
  accounts: Pick<AccountStore, "findMany">;
  sealed: Pick<SealedDetails, "openDescription">;
}

/** A movement with its caller's description. */
export interface ShownMovement extends Movement {
  description: string | undefined;
}

/** Reads the current state of movements. */
export interface ReadMovements {
  /** By our id, the caller's or the payment's. Throws WALLET_NOT_FOUND. */
  transaction(tenant: string, id: string): Promise<ShownMovement>;
  /** By our id or the caller's. Throws WALLET_NOT_FOUND. */
  transfer(tenant: string, id: string): Promise<ShownMovement>;
  list(
    tenant: string,
    filter: MovementFilter,
    page: ListPage,
  ): Promise<{ movements: ShownMovement[]; next: ListPlace | undefined }>;
}

export function makeReadMovements({ entries, accounts, sealed }: ReadMovementsDeps): ReadMovements {
  const show = async (made: readonly Entry[]): Promise<ShownMovement[]> => {
    const endings = await entries.findMany(made.map(endingId));
    const wallets = await accounts.findMany(made.flatMap(walletsOf));
    return Promise.all(
      made.map(async (entry) => {
        const asset = wallets.get(walletsOf(entry)[0] ?? "")?.asset;
        if (asset === undefined) throw new Error(`the entry ${entry.id} is on no account`);
        const description = await sealed.openDescription(entry);
        return { ...movementOf(entry, endings.get(endingId(entry)), asset), description };
      }),
    );
  };
  /** Prefers our id over a caller's id of the same form. */
  const find = async (tenant: string, ids: readonly string[], isTransfer: boolean): Promise<ShownMovement> => {
    const found = await entries.findMany(ids);
    const own = ids.flatMap((id) => found.get(id) ?? []).filter((entry) => entry.tenant === tenant);
    const made = own.find((entry) => {
      const kind = movementKind(entry);
      return kind !== undefined && (kind === "TRANSFER") === isTransfer;
    });
    const [movement] = made === undefined ? [] : await show([made]);
    if (movement === undefined) throw walletNotFound(isTransfer ? "transfer" : "transaction");
    return movement;
  };
  return {
    transaction: (tenant, id) => find(tenant, [id, transactionId(tenant, id), payoutId(tenant, id)], false),
    transfer: (tenant, id) => find(tenant, [transferId(tenant, id), id], true),
    async list(tenant, filter, page) {
      const { rows, next } = await entries.listed(tenant, filter, page);
      return { movements: await show(rows), next };
    },
  };
}
