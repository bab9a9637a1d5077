import { monotonicMs } from "../../shared/kernel/clock";
import { hasReason } from "../../shared/kernel/errors";
import type { Ids } from "../../shared/kernel/ids";
import { makeTurns } from "../../shared/kernel/turns";
import type { Running } from "../../shared/process/lifecycle";
import { errorFields, type Logger } from "../../shared/process/logger";
import { repeatWhile } from "../../shared/process/repeat";
import { type Need, placesOfBlock } from "../domain/promises";
import type { BlockRequest, PromiseLedger, RailBalance, Reservation } from "../ports";
import type { PaymentStore } from "../store/payment-store";
import type { PromiseHolder } from "../workers/promise-holder";
import type { RailBalances } from "./rail-balances";

export interface PromiseBlocksDeps {
  ledger: PromiseLedger;
  holder: PromiseHolder;
  figures: RailBalances;
  payments: Pick<PaymentStore, "closeBlock">;
  ids: Pick<Ids, "uuid">;
  pause(ms: number): Promise<void>;
  logger: Logger;
  /** Time after which the store certainly shows whether a payment was stored, milliseconds. */
  doubtMs: number;
  /**
   * A process that has held nothing for this long, in milliseconds, gives up its name as a holder, since a name costs a write every few
   * seconds.
   */
  quietMs?: number | undefined;
}

/** Why nothing was promised, with what the account could still promise. */
export interface TooLow {
  available: bigint;
  /** True where the rail does not answer: what it holds is unknown, and a last figure that covers less proves nothing. */
  isSilent: boolean;
}

/** Makes promises of accounts in memory, out of blocks that this process has taken from the ledger. */
export interface PromiseBlocks extends Running {
  reserve(need: Need): Promise<Reservation | TooLow>;
  /** Says whether a need could be met now; promises nothing. */
  appraise(need: Need): Promise<TooLow | undefined>;
}

interface Block {
  id: string;
  holder: string;
  granted: bigint;
  left: bigint;
  /** How many places were given to promises; no place is given twice. */
  places: number;
  /** Reservations whose payment is not stored yet. */
  pending: number;
  /** When it was last unknown whether a payment was stored. */
  doubtedMs: number | undefined;
  openedMs: number;
  usedMs: number;
  /** How long a block stays open while it is unused, and at most. */
  lives: { idleMs: number; mostMs: number };
  returning: Promise<void> | undefined;
}

interface Refusal extends TooLow {
  startedMs: number;
  /** Blocks that may still be returned. */
  unreturned: readonly string[];
  /**
   * True when the rail has the money but it is promised: money that was already drawn is counted twice until the ledger knows of the
   * draw.
   */
  mayBeDrawn: boolean;
}

const largestBlock = 10n ** 15n;
/** A process takes a small fraction of what there is, so that others find some too. */
const share = 64n;
const bounded = { idleMs: 1_000, mostMs: 2_000 };
const unbounded = { idleMs: 10_000, mostMs: 10_000 };
const lookEveryMs = 250;
const usualQuietMs = 10_000;
/** How long a refusal waits for what others hold and may give back, and for the ledger to learn what a rail has drawn. */
const patienceMs = 3_000;
const drawnPatienceMs = 1_000;
const firstRestMs = 20;
const longestRestMs = 250;

export function startPromiseBlocks(deps: PromiseBlocksDeps): PromiseBlocks {
  const { holder, pause, logger, quietMs = usualQuietMs } = deps;
  const returns = makeReturns(deps);
  const blocks = makeOpenBlocks(deps, returns);
  const inTurn = makeTurns();
  const warn = (error: unknown): void =>
    logger.warn(errorFields(error), "blocks of promises could not be given back; it is tried again");
  /** Number of needs for which a block is being taken. */
  let taking = 0;
  let heldMs = monotonicMs();
  const holdsNothing = (): boolean => taking === 0 && blocks.isEmpty() && returns.isEmpty();
  const look = async (): Promise<void> => {
    blocks.closeOld();
    await returns.tryAgain();
    if (!holdsNothing()) heldMs = monotonicMs();
    else if (monotonicMs() - heldMs >= quietMs) await holder.end();
  };
  const looking = repeatWhile({
    pauseMs: lookEveryMs,
    isNeeded: () => holder.isNamed() || !holdsNothing(),
    work: look,
    onError: warn,
  });
  return {
    async reserve(need) {
      const now = blocks.promise(need);
      if (now !== undefined) return now;
      taking += 1;
      looking.wake();
      try {
        return await insist((askedMs) => inTurn(keyOf(need), () => blocks.take(need, askedMs)), pause);
      } finally {
        taking -= 1;
      }
    },
    async appraise(need) {
      const own = blocks.left(need);
      if (own >= need.minor) return undefined;
      const { available, isFresh } = await sizeOf(deps, need, "long");
      if (available === undefined || available + own >= need.minor) return undefined;
      return { available: available + own, isSilent: !isFresh };
    },
    async stop() {
      await looking.stop();
      await blocks.closeAll();
      // Blocks that cannot be returned now are returned by other processes, once this process has been silent for long enough.
      await returns.tryAgain().catch(warn);
      if (returns.isEmpty()) await holder.end();
      await holder.stop();
    },
  };
}

/** Keeps the blocks that this process promises from, one for each account. */
function makeOpenBlocks(deps: PromiseBlocksDeps, returns: Returns) {
  const open = new Map<string, Block>();
  const refusals = new Map<string, Refusal>();
  const promise = (need: Need): Reservation | undefined => {
    const block = open.get(keyOf(need));
    if (block === undefined || block.left < need.minor || block.places === placesOfBlock) return undefined;
    if (!deps.holder.isFresh(block.holder)) return undefined;
    return promiseFrom(block, need, returns.settle);
  };
  const close = async (key: string): Promise<void> => {
    const block = open.get(key);
    if (block === undefined) return;
    open.delete(key);
    await returns.add(block);
  };
  return {
    promise,
    left: (need: Need): bigint => open.get(keyOf(need))?.left ?? 0n,
    async take(need: Need, askedMs: number): Promise<Reservation | Refusal> {
      const key = keyOf(need);
      const ready = promise(need);
      if (ready !== undefined) return ready;
      const known = refusals.get(key);
      // This refusal is newer than the request, and what was available then does not cover the need.
      if (known !== undefined && known.startedMs >= askedMs && need.minor > known.available) return known;
      void close(key);
      const startedMs = monotonicMs();
      const taken = await takeBlock(deps, returns, need);
      if ("granted" in taken) {
        refusals.delete(key);
        open.set(key, taken);
        return promiseFrom(taken, need, returns.settle);
      }
      const refusal = { ...taken, startedMs };
      refusals.set(key, refusal);
      return refusal;
    },
    closeOld(): void {
      const now = monotonicMs();
      for (const [key, { usedMs, openedMs, lives }] of open)
        if (now - usedMs >= lives.idleMs || now - openedMs >= lives.mostMs) void close(key);
    },
    closeAll: () => Promise.all([...open.keys()].map(close)),
    isEmpty: (): boolean => open.size === 0,
  };
}

const keyOf = ({ account, currency }: Need): string => `${account}/${currency}`;

/**
 * Asks again while the cause of the refusal may go away: what another process holds, perhaps for this very payment, is either promised to
 * a stored payment or free again when its block is returned.
 */
async function insist(
  ask: (askedMs: number) => Promise<Reservation | Refusal>,
  pause: PromiseBlocksDeps["pause"],
): Promise<Reservation | TooLow> {
  const beganMs = monotonicMs();
  let awaited: readonly string[] | undefined;
  for (let restMs = firstRestMs; ; restMs = Math.min(restMs * 2, longestRestMs)) {
    const taken = await ask(monotonicMs());
    if (!("available" in taken)) return taken;
    awaited = awaited?.filter((id) => taken.unreturned.includes(id)) ?? taken.unreturned;
    const waitedMs = monotonicMs() - beganMs;
    const isHeld = awaited.length > 0 && waitedMs < patienceMs;
    if (!isHeld && !(taken.mayBeDrawn && waitedMs < drawnPatienceMs))
      return { available: taken.available, isSilent: taken.isSilent };
    await pause(restMs);
  }
}

function promiseFrom(block: Block, { account, currency, minor }: Need, settle: (block: Block) => void): Reservation {
  const place = block.places;
  block.places += 1;
  block.left -= minor;
  block.pending += 1;
  block.usedMs = monotonicMs();
  const end = (): void => {
    block.pending -= 1;
    settle(block);
  };
  return {
    promises: [{ blockId: block.id, place, account, currency, minor }],
    commit: end,
    release() {
      block.left += minor;
      end();
    },
    doubt() {
      block.doubtedMs = monotonicMs();
      end();
    },
    lose() {
      block.left = 0n;
      block.doubtedMs = monotonicMs();
      end();
    },
  };
}

type Sizing = Pick<PromiseBlocksDeps, "ledger" | "figures">;

interface Size {
  /** Undefined where there is no bound. */
  available: bigint | undefined;
  figure: RailBalance | undefined;
  isFresh: boolean;
}

/** Returns what an account has. The ledger's counter is read before the rail is asked. */
async function sizeOf({ ledger, figures }: Sizing, need: Need, patience: "short" | "long"): Promise<Size> {
  const { account, currency } = need;
  const stand = await ledger.stand(account, currency);
  const [owner, rail = ""] = account.split("/");
  if (owner !== "provider") return { available: stand.available, figure: undefined, isFresh: true };
  const known = await figures.of(rail, currency, stand.released, patience);
  if (known === undefined) return { available: 0n, figure: undefined, isFresh: false };
  const { figure, isFresh } = known;
  const available = figure.available - stand.promised - (stand.released - figure.released);
  return { available, figure, isFresh };
}

/** Takes a block for a need and some more, or returns why there is none. */
async function takeBlock(
  deps: PromiseBlocksDeps,
  returns: Returns,
  need: Need,
  patience: "short" | "long" = "short",
): Promise<Block | Omit<Refusal, "startedMs">> {
  const { ledger, holder, ids } = deps;
  const { account, currency, minor } = need;
  const name = await holder.name();
  const { available, figure, isFresh } = await sizeOf(deps, need, patience);
  const isRail = account.startsWith("provider/");
  if (minor > largestBlock || (isRail && figure === undefined))
    return { available: available ?? largestBlock, isSilent: !isFresh, unreturned: [], mayBeDrawn: false };
  const part = available === undefined ? largestBlock : available / share;
  const wanted = part > largestBlock ? largestBlock : part > minor ? part : minor;
  const request = { blockId: ids.uuid(), holder: name, account, currency, wanted, least: minor, figure };
  const taken = await ledger.take(request).catch((error: unknown) => {
    if (!hasReason(error, "INVALID_ARGUMENT")) returns.addUnknown(request);
    throw error;
  });
  if (taken.granted === 0n) {
    if (!isFresh && patience === "short") return takeBlock(deps, returns, need, "long");
    const mayBeDrawn = figure !== undefined && isFresh && figure.available >= minor;
    return { available: taken.available, isSilent: !isFresh, unreturned: taken.unreturned, mayBeDrawn };
  }
  const now = monotonicMs();
  return {
    id: request.blockId,
    holder: name,
    granted: taken.granted,
    left: taken.granted,
    places: 0,
    pending: 0,
    doubtedMs: undefined,
    openedMs: now,
    usedMs: now,
    lives: available === undefined ? unbounded : bounded,
    returning: undefined,
  };
}

type Returns = ReturnType<typeof makeReturns>;

/** Keeps blocks that nothing more is promised from, until what they have left is back in the ledger. */
function makeReturns({ ledger, payments, logger, doubtMs }: PromiseBlocksDeps) {
  const closed = new Set<Block>();
  const unknown = new Map<string, BlockRequest>();

  const returnUnused = async (block: Block): Promise<void> => {
    const named = block.doubtedMs === undefined ? undefined : await payments.closeBlock(block.id);
    await ledger
      .returnUnused(block.id, named === undefined ? block.left : block.granted - named)
      .catch((error: unknown) => {
        // Another process took this one for dead, and released everything that no payment named.
        if (!hasReason(error, "IDEMPOTENCY_CONFLICT")) throw error;
      });
    closed.delete(block);
  };
  const isSettled = ({ pending, doubtedMs }: Block): boolean =>
    pending === 0 && (doubtedMs === undefined || monotonicMs() - doubtedMs >= doubtMs);
  const returnOnce = (block: Block): Promise<void> => {
    block.returning ??= returnUnused(block)
      .catch((error: unknown) => logger.warn(errorFields(error), "a block of promises was not given back"))
      .finally(() => {
        block.returning = undefined;
      });
    return block.returning;
  };
  const settle = async (block: Block): Promise<void> => {
    if (closed.has(block) && isSettled(block)) await returnOnce(block);
  };
  return {
    settle: (block: Block): void => void settle(block),
    add(block: Block): Promise<void> {
      closed.add(block);
      return settle(block);
    },
    /** Adds a block whose grant is unknown: repeating the same call shows it. */
    addUnknown: (request: BlockRequest): void => void unknown.set(request.blockId, request),
    async tryAgain(): Promise<void> {
      await Promise.all([...closed].map(settle));
      for (const [id, request] of unknown) {
        const { granted } = await ledger.take(request);
        if (granted > 0n) await ledger.returnUnused(id, granted);
        unknown.delete(id);
      }
    },
    isEmpty: (): boolean => closed.size === 0 && unknown.size === 0,
  };
}

/** True when nothing was promised. */
export const isTooLow = (taken: Reservation | TooLow): taken is TooLow => "available" in taken;
