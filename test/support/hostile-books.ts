import { setTimeout as delay } from "node:timers/promises";
import { type ConsumerMessages, jetstream } from "@nats-io/jetstream";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import { PaymentEvents } from "../../proto/gen/corridor/payment/v1/payment_events";
import { streamNameOf } from "../../services/shared/bus/bus-users";
import { derivedUuid } from "../../services/shared/kernel/ids";
import { currencyDigits, exactMinor, parseDecimal } from "../../services/shared/kernel/money";
import type { Running } from "../../services/shared/process/lifecycle";
import { rails } from "./hostile-cases";
import type { HostileWorld, SandboxSwitches } from "./hostile-world";

/** Movements at each provider in each currency, signed as in our clearing accounts: a payout is positive. */
export type Balance = ReadonlyMap<string, bigint>;

/** Our side: the entries that the payment service ordered from the ledger. */
export interface LedgerBook extends Running {
  /** Movements of a payment, with the entries of its cases. */
  of(paymentId: string, caseIds?: readonly string[]): Balance;
  /** All movements. */
  total(): Balance;
  /** Number of received events. */
  size(): number;
}

const clearing = /^provider\/([^/]+)\/clearing$/;
const keyOf = (provider: string, currency: string): string => `${provider} ${currency}`;
const add = (balance: Map<string, bigint>, key: string, minor: bigint): void => {
  balance.set(key, (balance.get(key) ?? 0n) + minor);
};

/** Consumes all payment events and adds up each entry once. */
export async function openLedgerBook({ natsUrl }: Pick<HostileWorld, "natsUrl">): Promise<LedgerBook> {
  const { host, username: user, password: pass } = new URL(natsUrl);
  const connection = await connect({ servers: host, user, pass });
  const balances = new Map<string, Map<string, bigint>>();
  const seen = new Set<string>();
  let heard = 0;
  const hear = (data: Uint8Array): void => {
    const { paymentId, events } = PaymentEvents.decode(data);
    const balance = balances.get(paymentId) ?? new Map<string, bigint>();
    balances.set(paymentId, balance);
    heard += events.length;
    for (const { eventId, change } of events) {
      if (change?.$case !== "money" || seen.has(eventId)) continue;
      const { entryId, postings } = change.value;
      const entry = entryId === "" ? eventId : `entry ${entryId}`;
      seen.add(eventId);
      if (entry !== eventId && seen.has(entry)) continue;
      seen.add(entry);
      for (const { account, currency, minor } of postings) {
        const provider = clearing.exec(account)?.[1];
        if (provider !== undefined) add(balance, keyOf(provider, currency), minor);
      }
    }
  };
  const messages = await eventsOf(connection);
  const listening = (async () => {
    for await (const { data } of messages) hear(data);
  })();
  return {
    of(paymentId, caseIds = []) {
      const total = new Map<string, bigint>();
      for (const id of [paymentId, ...caseIds]) {
        for (const [key, minor] of balances.get(id) ?? []) add(total, key, minor);
      }
      return total;
    },
    total: () => sumOf(balances.values()),
    size: () => heard,
    async stop() {
      await messages.close();
      await listening;
      await connection.close();
    },
  };
}

const mostTries = 100;
const tryAgainMs = 100;

/** All events of the payment stream from its beginning, in order and without gaps, even across a lost connection. */
async function eventsOf(connection: NatsConnection): Promise<ConsumerMessages> {
  for (let tries = 0; ; tries += 1) {
    try {
      const consumer = await jetstream(connection).consumers.get(streamNameOf("payment"));
      return await consumer.consume();
    } catch (error) {
      if (tries >= mostTries) throw error;
      await delay(tryAgainMs);
    }
  }
}

/** The providers' side, from their statements: movements under each of our references. */
export interface ProviderBook {
  /** Reads new lines. */
  refresh(): Promise<void>;
  of(paymentId: string): Balance;
  /** All movements. */
  total(): Balance;
  /** Number of lines. */
  size(): number;
}

const signs: Readonly<Record<string, bigint>> = {
  CAPTURE: -1n,
  REFUND: 1n,
  RETURN: 1n,
  CHARGEBACK: 1n,
  PAYOUT: 1n,
  PAYOUT_RETURN: -1n,
};
const providers = [...rails, "acquirer", "debits"];

interface StatementPage {
  lines: { reference: string; kind: string; amount: string; currency: string }[];
  next: string;
  hasMore: boolean;
}

export function openProviderBook({ call }: SandboxSwitches): ProviderBook {
  const cursors = new Map<string, string>();
  const balances = new Map<string, Map<string, bigint>>();
  const read = async (provider: string): Promise<void> => {
    for (let hasMore = true; hasMore; ) {
      const after = cursors.get(provider) ?? "0";
      const page = (await call("GET", `/statements/${provider}?after=${after}&limit=1000`)) as StatementPage;
      for (const { reference, kind, amount, currency } of page.lines) {
        const balance = balances.get(reference) ?? new Map<string, bigint>();
        balances.set(reference, balance);
        add(balance, keyOf(provider, currency), (signs[kind] ?? 0n) * minorOf(amount, currency));
      }
      cursors.set(provider, page.next);
      hasMore = page.hasMore;
    }
  };
  let reading: Promise<void> | undefined;
  const readAll = async (): Promise<void> => {
    await Promise.all(providers.map(read));
  };
  return {
    refresh() {
      // Concurrent readers share one read.
      reading ??= readAll().finally(() => {
        reading = undefined;
      });
      return reading;
    },
    of(paymentId) {
      const total = new Map<string, bigint>();
      for (const reference of [
        paymentId,
        derivedUuid("leg", paymentId, "push"),
        derivedUuid("leg", paymentId, "pull"),
      ]) {
        for (const [key, minor] of balances.get(reference) ?? []) add(total, key, minor);
      }
      return total;
    },
    total: () => sumOf(balances.values()),
    size: () => [...cursors.values()].reduce((sum, cursor) => sum + Number(cursor), 0),
  };
}

function sumOf(balances: Iterable<Balance>): Balance {
  const total = new Map<string, bigint>();
  for (const balance of balances) for (const [key, minor] of balance) add(total, key, minor);
  return total;
}

function minorOf(amount: string, currency: string): bigint {
  const decimal = parseDecimal(amount);
  const minor = decimal && exactMinor(decimal, currencyDigits(currency) ?? 2);
  if (minor === undefined) throw new Error(`a statement says ${amount} ${currency}`);
  return minor;
}

/** The provider's book minus ours, in minor units; empty when both are equal. */
export function differenceOf(theirs: Balance, ours: Balance): Balance {
  const difference = new Map<string, bigint>();
  for (const key of new Set([...theirs.keys(), ...ours.keys()])) {
    const minor = (theirs.get(key) ?? 0n) - (ours.get(key) ?? 0n);
    if (minor !== 0n) difference.set(key, minor);
  }
  return difference;
}
