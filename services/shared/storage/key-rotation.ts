import type { Connection } from "mongoose";
import { keyIdOf } from "../crypto/sealing";
import { plusMs, systemClock } from "../kernel/clock";
import { DomainError } from "../kernel/errors";
import type { Keys } from "../kernel/keys";
import { makeDueNotes, startDueWork } from "../process/due-work";
import { type Running, stopAll } from "../process/lifecycle";
import { errorFields, type Logger } from "../process/logger";
import { repeatTogether } from "../process/repeat";
import { areSameRings, type KeyHolder, makeKeyHolders, type RingFacts } from "./key-holders";
import { type KeyRenewal, type KeyRenewals, makeKeyRenewals } from "./key-renewals";
import { addTallies, type KeyUse, renewBatch } from "./key-use";
import { makeHolder, makeLease } from "./lease";
import { driverDb } from "./mongo";

export interface KeyRotationDeps {
  connection: Connection;
  /** Rings by the names of their settings. */
  rings: Readonly<Record<string, Keys>>;
  uses: readonly KeyUse[];
  logger: Logger;
}

/**
 * Maintains a service's keys: it reports which keys the service has, and puts everything under the newest one, when requested, and by
 * itself once all replicas have the same newest one.
 */
export interface KeyRotation extends Running {
  rings: readonly RingFacts[];
  /** Returns the replicas that have reported lately. */
  holders(): Promise<KeyHolder[]>;
  latest(): Promise<KeyRenewal | undefined>;
  /**
   * Begins a renewal, or returns its progress. Throws RECORD_CONFLICT while a replica has other keys, or has them in another order: what
   * that replica seals meanwhile would be under another key, and it might not be able to open what is sealed here.
   */
  renew(id: string): Promise<KeyRenewal>;
}

const beatMs = 30_000;
/** A replica counts as gone this long after its last report, milliseconds. */
const goneMs = 100_000;
/** How often to check whether everything is to be put under other keys, milliseconds. */
const lookMs = 15_000;
/** The same during a renewal, and while it waits for replicas that have other keys. */
const openLookMs = 2_000;

/** Starts the rotation. Throws when this process lacks the keys under which everything was put before. */
export async function startKeyRotation({
  connection,
  rings: keys,
  uses,
  logger,
}: KeyRotationDeps): Promise<KeyRotation> {
  const rings = Object.entries(keys).map(([name, ring]) => ({ name, keyIds: ring.map(keyIdOf) }));
  const [holders, renewals] = [makeKeyHolders(connection), makeKeyRenewals(connection)];
  await Promise.all([holders.init(), renewals.init()]);
  const latest = await renewals.latest();
  refuseLackingKeys(rings, latest);
  const holder = makeHolder();
  const beat = (): Promise<void> => holders.note({ holder, rings, seenAt: systemClock.now() });
  await beat();
  // The first start records which keys everything is under, so that a later start without them is detected.
  if (latest === undefined) await renewals.ask("first", rings, uses);
  const live = (): Promise<KeyHolder[]> => holders.since(plusMs(systemClock.now(), -goneMs));
  const lease = makeLease({ connection, name: "key-renewal", holder });
  const isUnderNewest = (last: KeyRenewal | undefined): boolean =>
    last === undefined || areSameRings(last.rings.map(newestOf), rings.map(newestOf));
  /** Requests a renewal when all replicas put new data under other keys than the last renewal did. */
  const askWhenDue = async (last: KeyRenewal | undefined): Promise<void> => {
    if (isUnderNewest(last) || !(await lease.hold()) || othersOf(rings, await live()).length > 0) return;
    await renewals.ask(`by itself, ${systemClock.now().toISOString()}`, rings, uses);
  };
  const walk = async (): Promise<Date | undefined> => {
    const last = await renewals.latest();
    if (last?.doneAt !== undefined && isUnderNewest(last)) return undefined;
    await askWhenDue(last);
    for (let isOver = false; !isOver && !(await isIdle(renewals, rings)) && (await lease.hold()); ) {
      isOver = await takeStep({ connection, renewals, uses, logger });
    }
    return plusMs(systemClock.now(), openLookMs);
  };
  const notes = makeDueNotes();
  const warn = (error: unknown): void =>
    logger.warn(errorFields(error), "the renewal of keys failed; it is tried again");
  const work = stopAll([
    {
      stop: async () => {
        await holders.forget(holder);
        await lease.release();
      },
    },
    repeatTogether(beatMs, beat, warn),
    startDueWork({ work: walk, notes, clock: systemClock, onError: warn, lookMs, restMs: openLookMs }),
  ]);
  return {
    rings,
    holders: live,
    latest: renewals.latest,
    async renew(id) {
      const known = await renewals.find(id);
      if (known !== undefined) return known;
      requireAgreement(rings, await live());
      await renewals.ask(id, rings, uses);
      notes.note();
      const asked = await renewals.find(id);
      if (asked === undefined) throw new Error("a renewal vanished");
      return asked;
    },
    stop: work.stop,
  };
}

/** True when there is nothing to renew here, which includes a renewal for keys that this replica does not have, or not as its newest. */
async function isIdle(renewals: KeyRenewals, rings: readonly RingFacts[]): Promise<boolean> {
  const latest = await renewals.latest();
  return latest === undefined || latest.doneAt !== undefined || !areSameRings(latest.rings, rings);
}

/** Renews one batch; true when nothing is left to do. */
async function takeStep({
  connection,
  renewals,
  uses,
  logger,
}: Pick<KeyRotationDeps, "connection" | "uses" | "logger"> & { renewals: KeyRenewals }): Promise<boolean> {
  const renewal = await renewals.latest();
  if (renewal === undefined || renewal.doneAt !== undefined) return true;
  const { use: at, after } = renewal.place;
  const use = uses[at];
  if (use === undefined) {
    const isEnd = await renewals.advance(renewal, { ...renewal, doneAt: systemClock.now() });
    if (isEnd)
      logger.info({ renewal: renewal.id, uses: renewal.tallies }, "all records are sealed under the newest keys");
    return true;
  }
  const { tally, last, isOver } = await renewBatch(driverDb(connection), use, after, logger);
  const tallies = renewal.tallies.map((one, index) => (index === at ? { ...one, ...addTallies(one, tally) } : one));
  const place = isOver ? { use: at + 1, after: undefined } : { use: at, after: last };
  await renewals.advance(renewal, { place, tallies, doneAt: undefined });
  return false;
}

const newestOf = ({ name, keyIds }: RingFacts): RingFacts => ({ name, keyIds: keyIds.slice(0, 1) });

/** Returns the replicas with other keys, or with another order of them. */
const othersOf = (rings: readonly RingFacts[], holders: readonly KeyHolder[]): string[] =>
  holders.filter((one) => !areSameRings(one.rings, rings)).map(({ holder }) => holder);

function requireAgreement(rings: readonly RingFacts[], holders: readonly KeyHolder[]): void {
  const others = othersOf(rings, holders);
  if (others.length === 0) return;
  throw new DomainError("RECORD_CONFLICT", `other keys, or another order of them, are at ${others.join(", ")}`);
}

/** Throws when this process lacks a key: what was put under the key cannot be read without it, so the process must not start. */
function refuseLackingKeys(rings: readonly RingFacts[], latest: KeyRenewal | undefined): void {
  if (latest === undefined) return;
  for (const { name, keyIds } of latest.rings) {
    const [newest = ""] = keyIds;
    const own = rings.find((ring) => ring.name === name);
    if (own !== undefined && !own.keyIds.includes(newest)) {
      throw new Error(`${name} lacks the key ${newest}, which everything was sealed with`);
    }
  }
}
