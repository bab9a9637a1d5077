import { type Clock, monotonicMs, plusMs } from "../shared/clock";
import type { Ids } from "../shared/ids";
import { errorFields, type Logger } from "../shared/logger";
import { exactMinor, type Money, parseDecimal, requireDigits } from "../shared/money";
import type { FundsHolder } from "./check-ports";
import type { Reservation } from "./ports";
import { type Allotment, accountOf, type FundAccount, type FundStore } from "./store/fund-store";

export interface PrefundingDeps {
  funds: FundStore;
  /** The providers that say what they hold for us. */
  holders: readonly FundsHolder[];
  /** The machine's clock: an allotment is a lease. */
  clock: Clock;
  ids: Pick<Ids, "uuid">;
  logger: Logger;
}

export interface Prefunding {
  /** Sets an amount apart on our account at a provider; undefined when the account does not cover it. */
  reserve(provider: string, amount: Money): Promise<Reservation | undefined>;
  /** Whether the account would cover an amount now; sets nothing apart. */
  covers(provider: string, amount: Money): Promise<boolean>;
}

interface OpenAllotment extends Allotment {
  left: bigint;
  /** Reservations whose payment is not stored yet. */
  pending: number;
  isClosed: boolean;
  /** Nobody knows whether a payment with a promise of it is stored: the store then remembers it to its end. */
  isDoubted: boolean;
  closesAtMs: number;
}

/** How long a process promises from one allotment, and how much longer the store remembers it. */
const openMs = 1_000;
const heldMs = 15_000;
/** How long a payment waits for the provider's figure when our own account would do. */
const shortPatienceMs = 150;
const longPatienceMs = 2_500;
const backOffMs = 10_000;
/** A process takes a small part of what is free, so that others find some too. */
const share = 64n;

/**
 * Reservations without a write for each: a process is allotted a part of an account, durably, and promises from it in
 * memory; the payments that it stores are the record of what was promised. What is free is the provider's figure less what
 * stored payments and live allotments may still draw. A process that dies leaves an unused rest locked for some seconds:
 * every doubt counts as promised.
 */
export function makePrefunding({ funds, holders, clock, ids, logger }: PrefundingDeps): Prefunding {
  const allotments = makeAllotments(funds, logger);
  const turns = new Map<string, Promise<unknown>>();
  const figures = makeFigures(holders);
  figures.warm();

  const synchronise = async (account: FundAccount, patienceMs: number): Promise<void> => {
    const { version, promised } = await funds.snapshot(account, clock.now());
    // Read last: what a payment draws meanwhile is then counted twice, and never not at all.
    const figure = await figures.of(account, patienceMs, version === undefined);
    if (figure !== undefined) await funds.setFree(account, version, figure - promised);
  };
  const allot = async (account: FundAccount, key: string, minor: bigint): Promise<Reservation | undefined> => {
    const found = await funds.find(account);
    const part = (found?.free ?? 0n) / share;
    const wanted = { id: ids.uuid(), minor: part > minor ? part : minor };
    const taken = await funds.take(account, wanted, plusMs(clock.now(), heldMs));
    return taken === undefined ? undefined : allotments.open(key, taken, minor);
  };
  return {
    async covers(provider, amount) {
      const account = accountOf(provider, amount);
      if (allotments.hasRoom(`${provider}:${amount.currency}`, amount.minor)) return true;
      await allotments.ended();
      await synchronise(account, longPatienceMs);
      return ((await funds.find(account))?.free ?? 0n) >= amount.minor;
    },
    reserve(provider, amount) {
      const account = accountOf(provider, amount);
      const key = `${provider}:${amount.currency}`;
      const now = allotments.promise(key, amount.minor);
      if (now !== undefined) return Promise.resolve(now);
      const work = async (): Promise<Reservation | undefined> => {
        const ready = allotments.promise(key, amount.minor);
        if (ready !== undefined) return ready;
        await allotments.ended();
        if (figures.mayWait(provider)) await synchronise(account, shortPatienceMs);
        const first = await allot(account, key, amount.minor);
        if (first !== undefined) return first;
        await synchronise(account, longPatienceMs);
        return allot(account, key, amount.minor);
      };
      const turn = (turns.get(key) ?? Promise.resolve()).then(work, work);
      turns.set(key, turn);
      return turn;
    },
  };
}

/** The allotments that this process promises from, one for each account. */
function makeAllotments(funds: Pick<FundStore, "end">, logger: Logger) {
  const open = new Map<string, OpenAllotment>();
  const endings = new Set<Promise<void>>();
  const endIfSettled = ({ id, isClosed, isDoubted, pending }: OpenAllotment): void => {
    if (!isClosed || isDoubted || pending > 0) return;
    const ending = funds
      .end(id)
      .catch((error: unknown) => logger.warn(errorFields(error), "an allotment could not be ended"))
      .finally(() => endings.delete(ending));
    endings.add(ending);
  };
  const promiseFrom = (allotment: OpenAllotment, minor: bigint): Reservation => {
    allotment.left -= minor;
    allotment.pending += 1;
    const settle = (back: bigint): void => {
      allotment.left += back;
      allotment.pending -= 1;
      endIfSettled(allotment);
    };
    const doubt = (): void => {
      allotment.isDoubted = true;
      settle(0n);
    };
    return { keep: () => settle(0n), giveBack: () => settle(minor), doubt };
  };
  return {
    hasRoom: (key: string, minor: bigint): boolean => {
      const allotment = open.get(key);
      return allotment !== undefined && monotonicMs() < allotment.closesAtMs && allotment.left >= minor;
    },
    /** A reservation from the open allotment; one that is too old or too small is closed. */
    promise(key: string, minor: bigint): Reservation | undefined {
      const allotment = open.get(key);
      if (allotment === undefined) return undefined;
      if (monotonicMs() < allotment.closesAtMs && allotment.left >= minor) return promiseFrom(allotment, minor);
      open.delete(key);
      allotment.isClosed = true;
      endIfSettled(allotment);
      return undefined;
    },
    open(key: string, taken: Allotment, minor: bigint): Reservation {
      const closesAtMs = monotonicMs() + openMs;
      const allotment = { ...taken, left: taken.minor, pending: 0, isClosed: false, isDoubted: false, closesAtMs };
      open.set(key, allotment);
      return promiseFrom(allotment, minor);
    },
    /** Resolved when the store knows of every allotment that has ended. */
    ended: () => Promise.all(endings),
  };
}

/** What providers say that they hold for us. */
function makeFigures(holders: readonly FundsHolder[]) {
  const last = new Map<string, ReadonlyMap<string, bigint>>();
  const silentUntilMs = new Map<string, number>();
  const asking = new Map<string, Promise<ReadonlyMap<string, bigint> | undefined>>();

  const ask = async (holder: FundsHolder): Promise<ReadonlyMap<string, bigint> | undefined> => {
    const balances = await holder.balances();
    if (balances === undefined) return undefined;
    const found = new Map(balances.map(({ currency, available }) => [currency, minorOf(currency, available)] as const));
    last.set(holder.name, found);
    silentUntilMs.delete(holder.name);
    return found;
  };
  const askOnce = (holder: FundsHolder): Promise<ReadonlyMap<string, bigint> | undefined> => {
    const running = asking.get(holder.name) ?? ask(holder).finally(() => asking.delete(holder.name));
    asking.set(holder.name, running);
    return running;
  };
  return {
    /** Reads every figure once, so that the first payment need not wait. */
    warm(): void {
      for (const holder of holders) askOnce(holder).catch(() => undefined);
    },
    /** False for a while after a provider has not answered in time: its last word stands. */
    mayWait: (provider: string): boolean => (silentUntilMs.get(provider) ?? 0) <= monotonicMs(),
    /** The present figure; without an answer in time the last one, but only for an account that is not kept yet. */
    async of({ provider, currency }: FundAccount, patienceMs: number, isNew: boolean): Promise<bigint | undefined> {
      const holder = holders.find(({ name }) => name === provider);
      if (holder === undefined) return undefined;
      const fresh = await within(askOnce(holder), patienceMs);
      if (fresh !== undefined) return fresh.get(currency) ?? 0n;
      silentUntilMs.set(provider, monotonicMs() + backOffMs);
      return isNew ? last.get(provider)?.get(currency) : undefined;
    },
  };
}

function minorOf(currency: string, available: string): bigint {
  const decimal = parseDecimal(available);
  return (decimal && exactMinor(decimal, requireDigits(currency))) ?? 0n;
}

/** The answer, or undefined when it takes too long. */
async function within<T>(answer: Promise<T | undefined>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined);
  });
  try {
    return await Promise.race([answer, silence]);
  } finally {
    clearTimeout(timer);
  }
}
