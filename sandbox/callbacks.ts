import { createHmac } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { Agent, request } from "undici";
import { systemClock } from "../services/shared/clock";
import type { Ids } from "../services/shared/ids";
import { errorFields, type Logger } from "../services/shared/logger";
import { type Callback, openCallbackBook } from "./callback-book";
import type { Database } from "./database";
import { type Faults, statusInstead } from "./faults";
import type { WorldClock } from "./world-clock";

export interface CallbackDeps {
  database: Database;
  faults: Faults;
  clock: WorldClock;
  ids: Ids;
  logger: Logger;
  /** Where the platform listens; a provider's callbacks go to its name below it. */
  callbackUrl: string;
  /** The key that both sides sign with. */
  callbackSecret: string;
}

/** What a provider tells of one of its resources. What is undefined is left out. */
export interface Report {
  reference: string;
  status: string;
  [field: string]: unknown;
}

/** Tells the platform what happened, until it acknowledges. Reports about one resource are sent in their order. */
export interface Callbacks {
  /** Called inside `Database.write`: books a report, which is sent once it is on disk, `copies` times. */
  report(provider: string, report: Report, copies?: number): void;
  /** What was sent about one resource, oldest first. */
  of(provider: string, reference: string): Callback[];
  /** Sends what the book still owes. */
  start(): void;
  /** Ends after the attempts that are under way; the rest is sent after the next start. */
  stop(): Promise<void>;
}

const retryDelaysMs = [50, 200, 1_000, 2_000];
const attemptTimeoutMs = 5_000;
const connections = 32;

/** The `x-rail-signature` of a body sent at `unixSeconds`. */
export function signCallback(secret: string, unixSeconds: number, body: string): string {
  return `t=${unixSeconds},v1=${createHmac("sha256", secret).update(`${unixSeconds}.${body}`).digest("hex")}`;
}

/** The wait before the next attempt, after so many failed ones. */
export const retryDelayMs = (failedAttempts: number): number => retryDelaysMs[failedAttempts - 1] ?? 2_000;

export function openCallbacks(deps: CallbackDeps): Callbacks {
  const { database, clock, ids, logger } = deps;
  const book = openCallbackBook(database);
  const agent = new Agent({ connections, headersTimeout: attemptTimeoutMs, bodyTimeout: attemptTimeoutMs });
  const stopping = new AbortController();
  /** The last delivery of each resource that is under way. */
  const lanes = new Map<string, Promise<void>>();

  const deliver = async (first: Callback): Promise<void> => {
    let callback = first;
    while (!stopping.signal.aborted) {
      const delivered = await attempt(deps, agent, callback);
      const attempts = callback.attempts + 1;
      callback = { ...callback, attempts, deliveredAt: delivered ? clock.now().toISOString() : null };
      const booked = callback;
      await database.write(() => book.update(booked));
      if (delivered) return;
      await delay(retryDelayMs(attempts), undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const send = (callback: Callback): void => {
    const lane = `${callback.provider}/${callback.reference}`;
    const delivery = (lanes.get(lane) ?? Promise.resolve())
      .then(() => deliver(callback))
      .catch((error: unknown) => logger.error(errorFields(error), "callback abandoned until the next start"))
      .finally(() => {
        if (lanes.get(lane) === delivery) lanes.delete(lane);
      });
    lanes.set(lane, delivery);
  };

  return {
    report(provider, report, copies = 1) {
      const eventId = ids.uuid();
      const { reference, status } = report;
      const body = JSON.stringify({ eventId, ...report });
      for (let copy = 0; copy < copies; copy += 1) {
        const callback = book.add({ provider, eventId, reference, status, body });
        database.afterCommit(() => send(callback));
      }
    },
    of: (provider, reference) => book.of(provider, reference),
    start() {
      for (const callback of book.undelivered()) send(callback);
    },
    async stop() {
      stopping.abort();
      await Promise.all(lanes.values());
      await agent.close();
    },
  };
}

/** One attempt under the faults of the day. True if the platform answered 2xx and the answer arrived. */
async function attempt(deps: CallbackDeps, agent: Agent, { provider, body, reference }: Callback): Promise<boolean> {
  const fault = deps.faults.take(provider, "callback");
  if (fault.latencyMs > 0) await delay(fault.latencyMs);
  if (statusInstead(fault) !== undefined) return false;
  const unixSeconds = Math.floor(systemClock.now().getTime() / 1_000);
  try {
    const answer = await request(`${deps.callbackUrl}/${provider}`, {
      method: "POST",
      dispatcher: agent,
      headers: {
        "content-type": "application/json",
        "x-rail-signature": signCallback(deps.callbackSecret, unixSeconds, body),
      },
      body,
    });
    await answer.body.dump();
    return !fault.timeoutAfterExecute && answer.statusCode >= 200 && answer.statusCode < 300;
  } catch (error) {
    deps.logger.debug({ provider, reference, ...errorFields(error) }, "callback attempt failed");
    return false;
  }
}
