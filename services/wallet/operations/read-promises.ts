import type { Transact } from "../../shared/storage/mongo";
import { isFundingPath } from "../domain/account";
import { availableAtFloor, totalPromised, totalReleased } from "../domain/promise";
import type { AccountStore } from "../store/account-store";
import type { PromiseStore } from "../store/promise-store";

export interface ReadPromisesDeps {
  transact: Transact;
  accounts: Pick<AccountStore, "settledOf">;
  promises: Pick<PromiseStore, "load">;
  /** The floor of an account without one of its own; undefined: none. */
  unsetFloor: bigint | undefined;
}

export interface Promises {
  settled: bigint;
  promised: bigint;
  released: bigint;
  /** Undefined where there is none, as for providers. */
  floor: bigint | undefined;
  available: bigint | undefined;
}

export type ReadPromises = (path: string, asset: string) => Promise<Promises>;

/** Returns the state of an account at one instant. */
export const makeReadPromises =
  ({ transact, accounts, promises, unsetFloor }: ReadPromisesDeps): ReadPromises =>
  (path, asset) =>
    transact(async (tx) => {
      const account = await promises.load(tx, path, asset);
      const settled = await accounts.settledOf(tx, path, asset);
      const floor = isFundingPath(path) ? (account.floor ?? unsetFloor) : undefined;
      const available = floor === undefined ? undefined : availableAtFloor(account, settled, floor);
      return { settled, promised: totalPromised(account), released: totalReleased(account), floor, available };
    });
