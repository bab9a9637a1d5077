import { retryOnConflict } from "../../shared/process/retry-on-conflict";
import { conflictOfDuplicate, type Transact } from "../../shared/storage/mongo";
import type { PromiseStore } from "../store/promise-store";

export interface SetFloorDeps {
  transact: Transact;
  promises: Pick<PromiseStore, "setFloor">;
}

export type SetFloor = (path: string, asset: string, floor: bigint | undefined) => Promise<void>;

/** Sets the lowest balance that promises may take a tenant's account to; undefined removes its own floor. */
export const makeSetFloor =
  ({ transact, promises }: SetFloorDeps): SetFloor =>
  (path, asset, floor) =>
    retryOnConflict("account", () =>
      transact((tx) => promises.setFloor(tx, path, asset, floor)).catch(conflictOfDuplicate),
    );
