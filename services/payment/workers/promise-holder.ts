import { monotonicMs } from "../../shared/kernel/clock";
import type { Ids } from "../../shared/kernel/ids";
import type { Running } from "../../shared/process/lifecycle";
import { errorFields, type Logger } from "../../shared/process/logger";
import { repeat } from "../../shared/process/repeat";
import type { PromiseLedger } from "../ports";
import type { PaymentStore } from "../store/payment-store";
import type { PromiseHolderStore } from "../store/promise-holder-store";

export interface PromiseHolderDeps {
  /** Identifies this process. */
  process: string;
  holders: PromiseHolderStore;
  payments: Pick<PaymentStore, "closeBlock">;
  ledger: Pick<PromiseLedger, "unreturned" | "returnUnused">;
  ids: Pick<Ids, "uuid">;
  logger: Logger;
}

/** The name under which this process holds blocks. */
export interface PromiseHolder extends Running {
  /** Returns the name, with a heartbeat that is recent enough. Throws while the store accepts none. */
  name(): Promise<string>;
  /** True while blocks of that name may be promised from: false once the last heartbeat is too old. */
  isFresh(name: string): boolean;
  /** True while there is a name, which sends heartbeats until it is ended. */
  isNamed(): boolean;
  /** Ends the name, when nothing is held under it any more. The next one is a new name. */
  end(): Promise<void>;
}

const beatEveryMs = 8_000;
/** Silent holders (for a minute or more) are looked for at every second heartbeat. */
const beatsPerLook = 2;
/**
 * A process promises nothing without a heartbeat that is younger than this, and is given up after a much longer silence: its last
 * promises are usually stored by then. Those that are not stored never will be, since its blocks are closed first.
 */
const freshMs = 20_000;
const silentMs = 60_000;

/** Sends this process's heartbeats, and returns the blocks that silent processes have left. */
export function startPromiseHolder(deps: PromiseHolderDeps): PromiseHolder {
  const { process, holders, ids, logger } = deps;
  let current: { name: string; aliveMs: number } | undefined;
  const isFresh = (name: string): boolean => current?.name === name && monotonicMs() - current.aliveMs < freshMs;

  const beat = async (): Promise<void> => {
    if (current === undefined) return;
    const { name } = current;
    const aliveMs = monotonicMs();
    const isKnown = await holders.keepAlive(name);
    if (current?.name !== name) return;
    if (isKnown) current = { name, aliveMs };
    else {
      logger.warn({ holder: name }, "this process was silent for so long that its blocks of promises were given up");
      current = undefined;
    }
  };
  const begin = async (): Promise<string> => {
    const name = `${process}/${ids.uuid()}`;
    const aliveMs = monotonicMs();
    await holders.add(name);
    current ??= { name, aliveMs };
    return current.name;
  };
  const warn = (error: unknown): void => logger.warn(errorFields(error), "blocks of promises could not be maintained");
  let beatCount = 0;
  const beats = repeat(
    beatEveryMs,
    async () => {
      await beat();
      beatCount += 1;
      if (beatCount % beatsPerLook !== 1) return;
      // A process whose blocks cannot be recovered must not hold up those of other processes.
      for (const name of await holders.giveUpSilent(silentMs)) await recover(deps, name).catch(warn);
    },
    warn,
  );
  return {
    isFresh,
    async name() {
      if (current !== undefined && !isFresh(current.name)) await beat();
      return current?.name ?? (await begin());
    },
    isNamed: () => current !== undefined,
    async end() {
      const ended = current;
      // A request for a name during this time gets a new one.
      current = undefined;
      if (ended !== undefined) await holders.remove(ended.name);
    },
    stop: () => beats.stop(),
  };
}

/** Returns what a lost holder has left: everything that no payment names. */
async function recover({ ledger, payments, holders, logger }: PromiseHolderDeps, name: string): Promise<void> {
  const blocks = await ledger.unreturned(name);
  for (const { blockId, granted } of blocks) {
    const named = await payments.closeBlock(blockId);
    await ledger.returnUnused(blockId, granted > named ? granted - named : 0n);
  }
  await holders.remove(name);
  logger.info({ holder: name, blocks: blocks.length }, "the blocks of promises of a silent process were given back");
}
