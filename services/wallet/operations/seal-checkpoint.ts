import type { KeyObject } from "node:crypto";
import type { Clock } from "../../shared/kernel/clock";
import type { Transact } from "../../shared/storage/mongo";
import { type Checkpoint, headsOf, sealCheckpoint } from "../domain/checkpoint";
import type { AccountStore } from "../store/account-store";
import type { CheckpointStore } from "../store/checkpoint-store";
import type { CommitStore } from "../store/commit-store";

export interface SealCheckpointDeps {
  transact: Transact;
  commits: Pick<CommitStore, "unsealed" | "markSealed">;
  accounts: Pick<AccountStore, "load">;
  checkpoints: Pick<CheckpointStore, "latest" | "add">;
  key: KeyObject;
  clock: Clock;
}

/** Returns the new checkpoint and whether it sealed everything; undefined when nothing has changed. */
export type SealCheckpoint = () => Promise<{ checkpoint: Checkpoint; isAll: boolean } | undefined>;

/** This many commits touch at most a few thousand accounts, whose heads fit one document. */
const commitsAtOnce = 50;

/** Seals the heads of every account that the oldest unsealed commits have touched. */
export const makeSealCheckpoint =
  ({ transact, commits, accounts, checkpoints, key, clock }: SealCheckpointDeps): SealCheckpoint =>
  () =>
    transact(async (tx) => {
      const unsealed = await commits.unsealed(tx, commitsAtOnce);
      if (unsealed.length === 0) return undefined;
      const latest = await checkpoints.latest(tx);
      const touched = await accounts.load(tx, [...new Set(unsealed.flatMap((commit) => commit.accounts))]);
      const place = { number: (latest?.number ?? 0) + 1, previous: latest?.seal ?? "" };
      const checkpoint = sealCheckpoint(key, { ...place, at: clock.now(), heads: touched.flatMap(headsOf) });
      await checkpoints.add(tx, checkpoint);
      await commits.markSealed(
        tx,
        unsealed.map(({ id }) => id),
      );
      return { checkpoint, isAll: unsealed.length < commitsAtOnce };
    });
