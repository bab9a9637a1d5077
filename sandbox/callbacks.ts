import { createHmac } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { Agent, request } from "undici";
import { systemClock } from "../services/shared/kernel/clock";
import type { Ids } from "../services/shared/kernel/ids";
import { errorFields, type Logger } from "../services/shared/process/logger";
import { type Callback, openCallbackBook } from "./callback-book";
import type { Database } from "./database";
import { type ReportFault, type SignatureFault, statusInstead } from "./fault-rule";
import type { Faults } from "./faults";
import type { SandboxClock } from "./sandbox-clock";

export interface CallbackDeps {
  database: Database;
  faults: Faults;
  clock: SandboxClock;
  ids: Ids;
  logger: Logger;
  /** The platform's callback address; each provider's name is appended to it. */
  callbackUrl: string;
  /** The shared signing key of providers without one of their own. */
  callbackSecret: string;
  /** Keys of single providers, by name. */
  callbackSecrets?: Readonly<Record<string, string>>;
}

/** A provider's report about one of its resources. Undefined fields are left out. */
export interface Report {
  reference: string;
  status: string;
  [field: string]: unknown;
}

/** Reports events to the platform until it acknowledges them, in order per resource. */
export interface Callbacks {
  /** Called inside `Database.write`: books a report, sent `copies` times, or as a rule demands, once it is on disk. */
  report(provider: string, report: Report, copies?: number): void;
  /** Registers how a provider reports the present state of a resource. */
  onNotify(provider: string, render: (reference: string) => Report | undefined): void;
  /** Reports the state of a resource; resolves when the platform has answered, or after a moment. */
  notify(provider: string, reference: string): Promise<void>;
  /** The callbacks about one resource, oldest first. */
  of(provider: string, reference: string): Callback[];
  owed(): Owed;
  /** Sends the callbacks that the book still owes. */
  start(): void;
  /** Ends after the attempts in progress; the rest is sent after the next start. */
  stop(): Promise<void>;
}

/** The number of unacknowledged callbacks, and how many of these were refused repeatedly or wait behind such a callback. */
export interface Owed {
  undelivered: number;
  refused: number;
}

/** The resource of a callback: callbacks about one resource go out one after the other. */
const resourceOf = ({ provider, reference }: Pick<Callback, "provider" | "reference">): string =>
  `${provider}/${reference}`;

const retryDelaysMs = [50, 200, 1_000, 2_000];
const attemptTimeoutMs = 5_000;
const tellPatienceMs = 1_000;
/** An extra report may concern no order of the platform, so it is not repeated indefinitely. */
const attemptsOfExtras = 3;
/** A callback refused this often is unlikely to be merely late. */
const manyAttempts = 10;
const connections = 32;
/** Exceeds the permitted age of a signature. */
const staleSeconds = 3_600;

/** The content that a signature covers. */
export interface Signed {
  provider: string;
  eventId: string;
  unixSeconds: number;
  body: string;
}

/** The `x-signature` of a callback: its MAC covers provider, event, time and body. */
export function signEvent(secret: string, { provider, eventId, unixSeconds, body }: Signed): string {
  const signed = `${provider}.${eventId}.${unixSeconds}.${body}`;
  return `t=${unixSeconds},id=${eventId},v1=${createHmac("sha256", secret).update(signed).digest("hex")}`;
}

/** Counts the undelivered callbacks. */
export function countOwed(undelivered: readonly Pick<Callback, "provider" | "reference" | "attempts">[]): Owed {
  const refused = new Set(undelivered.filter(({ attempts }) => attempts >= manyAttempts).map(resourceOf));
  const heldUp = undelivered.filter((callback) => refused.has(resourceOf(callback)));
  return { undelivered: undelivered.length, refused: heldUp.length };
}

/** The wait before the next attempt, after this many failed ones. */
export const retryDelayMs = (failedAttempts: number): number => retryDelaysMs[failedAttempts - 1] ?? 2_000;

export function openCallbacks(deps: CallbackDeps): Callbacks {
  const { database, clock, faults, logger } = deps;
  const book = openCallbackBook(database);
  const agent = new Agent({ connections, headersTimeout: attemptTimeoutMs, bodyTimeout: attemptTimeoutMs });
  const stopping = new AbortController();
  const pause = (ms: number): Promise<void> => delay(ms, undefined, { signal: stopping.signal }).catch(() => undefined);
  /** The delivery in progress of each resource. */
  const deliveries = new Map<string, Promise<void>>();
  const renderers = new Map<string, (reference: string) => Report | undefined>();

  const deliver = async (first: Callback, mostAttempts: number): Promise<void> => {
    let callback = first;
    while (!stopping.signal.aborted) {
      const delivered = await attempt(deps, agent, callback);
      const attempts = callback.attempts + 1;
      const isOver = delivered || attempts >= mostAttempts;
      callback = { ...callback, attempts, deliveredAt: isOver ? clock.now().toISOString() : null };
      const booked = callback;
      await database.write(() => book.update(booked));
      if (isOver) return;
      await pause(retryDelayMs(attempts));
    }
  };
  const send = (callback: Callback, overtakenMs = 0, mostAttempts = Number.POSITIVE_INFINITY): void => {
    const resource = resourceOf(callback);
    const lane = overtakenMs > 0 ? `${resource}/${callback.id}` : resource;
    const turn = overtakenMs > 0 ? pause(overtakenMs) : (deliveries.get(lane) ?? Promise.resolve());
    const delivery = turn
      .then(() => deliver(callback, mostAttempts))
      .catch((error: unknown) => logger.error(errorFields(error), "callback abandoned until the next start"))
      .finally(() => {
        if (deliveries.get(lane) === delivery) deliveries.delete(lane);
      });
    deliveries.set(lane, delivery);
  };
  const report = (provider: string, event: Report, copies = 1): void => {
    const fault = faults.take({ provider, step: "report", reference: event.reference }).report ?? {};
    for (const { eventId, isExtra, ...words } of reportsOf(event, copies, fault, deps.ids)) {
      const { reference, status } = words;
      const callback = book.add({ provider, eventId, reference, status, body: JSON.stringify({ eventId, ...words }) });
      const most = isExtra ? attemptsOfExtras : Number.POSITIVE_INFINITY;
      database.afterCommit(() => send(callback, fault.overtakenMs, most));
    }
  };

  return {
    report,
    onNotify: (provider, render) => renderers.set(provider, render),
    async notify(provider, reference) {
      const state = renderers.get(provider)?.(reference);
      if (state === undefined) return;
      await database.write(() => report(provider, state));
      await Promise.race([
        deliveries.get(resourceOf({ provider, reference })),
        delay(tellPatienceMs, undefined, { ref: false }),
      ]);
    },
    of: (provider, reference) => book.of(provider, reference),
    owed() {
      return countOwed(book.undelivered());
    },
    start() {
      for (const callback of book.undelivered()) send(callback);
    },
    async stop() {
      stopping.abort();
      await Promise.all(deliveries.values());
      await agent.close();
    },
  };
}

interface ReportToSend extends Report {
  eventId: string;
  /** Sent a few times only, acknowledged or not. */
  isExtra: boolean;
}

/** The reports to send in place of one: none, itself, copies of it, and extras. */
function reportsOf(event: Report, copies: number, fault: ReportFault, ids: Ids): ReportToSend[] {
  if (fault.isSuppressed === true) return [];
  const eventId = ids.uuid();
  const own: ReportToSend = { ...event, ...fault.change, eventId, isExtra: false };
  const extras = (when: "before" | "after"): ReportToSend[] =>
    (fault.extras ?? [])
      .filter((extra) => (extra.when ?? "after") === when)
      .map(({ hasSameEvent, change }) => ({
        ...event,
        ...change,
        eventId: hasSameEvent === true ? eventId : ids.uuid(),
        isExtra: true,
      }));
  return [...extras("before"), ...new Array<ReportToSend>(fault.copies ?? copies).fill(own), ...extras("after")];
}

/** The headers of an attempt, corrupted as a rule demands. */
function signatures(deps: CallbackDeps, { provider, eventId, body }: Callback, fault: SignatureFault | undefined) {
  if (fault === "none") return {};
  const now = Math.floor(systemClock.now().getTime() / 1_000);
  const own = deps.callbackSecrets?.[provider] ?? deps.callbackSecret;
  const secret = fault === "wrong" ? `${own}-of-somebody-else` : own;
  const signed: Signed = {
    provider: fault === "other-provider" ? `not-${provider}` : provider,
    eventId,
    unixSeconds: fault === "stale" ? now - staleSeconds : now,
    body: fault === "body" ? `${body} ` : body,
  };
  return { "x-signature": signEvent(secret, signed) };
}

/** Makes one attempt under the fault rules. True if the platform answered 2xx and the answer arrived. */
async function attempt(deps: CallbackDeps, agent: Agent, callback: Callback): Promise<boolean> {
  const { provider, body, reference } = callback;
  const fault = deps.faults.take({ provider, step: "callback", reference });
  if (fault.latencyMs > 0) await delay(fault.latencyMs);
  if (statusInstead(fault) !== undefined || !fault.execute) return false;
  try {
    const answer = await request(`${deps.callbackUrl}/${provider}`, {
      method: "POST",
      dispatcher: agent,
      headers: { "content-type": "application/json", ...signatures(deps, callback, fault.signature) },
      body,
    });
    await answer.body.dump();
    return !fault.timeoutAfterExecute && answer.statusCode >= 200 && answer.statusCode < 300;
  } catch (error) {
    deps.logger.debug({ provider, reference, ...errorFields(error) }, "callback attempt failed");
    return false;
  }
}
