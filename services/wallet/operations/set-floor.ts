import { isDuplicateKey, type Transact } from "../../shared/storage/mongo";
import type { PromiseStore } from "../store/promise-store";

export interface SetFloorDeps {
  transact: Transact;
  promises: Pick<PromiseStore, "setFloor">;
}

export type SetFloor = (path: string, asset: string, floor: bigint | undefined) => Promise<void>;

const tries = 8;

/** Sets the lowest balance that promises may take a tenant's account to; undefined removes its own floor. */
export const makeSetFloor =
  ({ transact, promises }: SetFloorDeps): SetFloor =>
  async (path, asset, floor) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await transact((tx) => promises.setFloor(tx, path, asset, floor));
      } catch (error) {
        if (attempt === tries || !isDuplicateKey(error)) throw error;
      }
    }
  };
