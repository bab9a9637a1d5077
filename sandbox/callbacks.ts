import { createHmac } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { Agent, request } from "undici";
import type { Clock } from "../services/shared/clock";
import { errorFields, type Logger } from "../services/shared/logger";
import type { Book, Callback } from "./book";
import type { Database } from "./database";
import { type Faults, statusInstead } from "./faults";

export interface CallbackDeps {
  database: Database;
  book: Book;
  faults: Faults;
  clock: Clock;
  logger: Logger;
  /** Where the platform listens, and the key that both sides sign with. */
  callbackUrl: string;
  callbackSecret: string;
}

/** Sends booked callbacks until the platform acknowledges them. */
export interface CallbackSender {
  /** Starts on a callback that is already in the book. */
  send(callback: Callback): void;
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

/** Starts the sender with everything that the book still owes. */
export function startCallbackSender(deps: CallbackDeps): CallbackSender {
  const { database, book, logger } = deps;
  const agent = new Agent({ connections, headersTimeout: attemptTimeoutMs, bodyTimeout: attemptTimeoutMs });
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();

  const deliver = async (first: Callback): Promise<void> => {
    let callback = first;
    while (!stopping.signal.aborted) {
      const delivered = await attempt(deps, agent, callback);
      const attempts = callback.attempts + 1;
      callback = { ...callback, attempts, deliveredAt: delivered ? deps.clock.now().toISOString() : null };
      const booked = callback;
      await database.write(() => book.saveCallback(booked));
      if (delivered) return;
      await delay(retryDelayMs(attempts), undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };

  const send = (callback: Callback): void => {
    const delivery = deliver(callback)
      .catch((error: unknown) => logger.error(errorFields(error), "callback abandoned until the next start"))
      .finally(() => running.delete(delivery));
    running.add(delivery);
  };

  for (const callback of book.undelivered()) send(callback);
  return {
    send,
    async stop() {
      stopping.abort();
      await Promise.all(running);
      await agent.close();
    },
  };
}

/** One attempt under the faults of the day. True if the platform answered 2xx and the answer arrived. */
async function attempt(deps: CallbackDeps, agent: Agent, { body, reference }: Callback): Promise<boolean> {
  const fault = deps.faults.take("pix", "callback");
  if (fault.latencyMs > 0) await delay(fault.latencyMs);
  if (statusInstead(fault) !== undefined) return false;
  const unixSeconds = Math.floor(deps.clock.now().getTime() / 1_000);
  try {
    const answer = await request(deps.callbackUrl, {
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
    deps.logger.debug({ reference, ...errorFields(error) }, "callback attempt failed");
    return false;
  }
}
