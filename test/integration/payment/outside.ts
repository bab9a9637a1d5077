import { randomUUID } from "node:crypto";
import { signCallback } from "../../../services/shared/crypto/callback-signature";
import { systemClock } from "../../../services/shared/kernel/clock";
import { call } from "../sandbox/outside-world";

/** Money that moved at a provider, by the provider's own book. */
interface Moved {
  provider: string;
  reference: string;
  kind: string;
  amount: string;
  currency: string;
  movementId: string;
}

type Entry = Readonly<Record<string, unknown>>;

/** What no provider means when it answers so: each answer in words, and the fault that makes it. */
export const nonsense: readonly [string, object][] = [
  ["HTML", { answer: { kind: "html" } }],
  ["half of its JSON", { answer: { kind: "truncated" } }],
  ["an empty 200", { answer: { kind: "empty" } }],
  ["far too much", { answer: { kind: "oversized" } }],
  ["a broken connection", { answer: { kind: "reset" } }],
];

/** The switches and the books of the outside world. */
export interface Outside {
  /** Adds a fault rule. */
  fault(rule: object): Promise<void>;
  clearFaults(): Promise<void>;
  /** Lets a provider do something by itself. */
  act(order: object): Promise<void>;
  /** Moves business time forward, for all who follow it. */
  advance(seconds: number): Promise<void>;
  /** What a reference caused on one shelf of the book. */
  book(shelf: string, reference: string): Promise<Entry | undefined>;
  /** What really moved for a reference, as `kind cents currency`, in order. */
  moved(reference: string): Promise<string[]>;
  movements(reference: string): Promise<Moved[]>;
}

/** Decimal text of a currency with two decimals, in cents. */
export const centsOf = (amount: unknown): string => String(Math.round(Number(amount) * 100));

export function outsideOf(url: string): Outside {
  const ask = async (method: string, path: string, body?: object): Promise<Record<string, unknown>> => {
    const reply = await call(method, `${url}${path}`, body);
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
  const shelf = async (name: string, reference: string): Promise<Entry[]> =>
    (await ask("GET", `/book?reference=${encodeURIComponent(reference)}`))[name] as Entry[];
  const movements = async (reference: string): Promise<Moved[]> =>
    (await shelf("movements", reference)) as unknown as Moved[];
  return {
    async fault(rule) {
      await ask("POST", "/faults", rule);
    },
    async clearFaults() {
      await ask("DELETE", "/faults");
    },
    async act(order) {
      await ask("POST", "/acts", order);
    },
    async advance(seconds) {
      await ask("POST", "/clock", { advance: seconds });
    },
    book: async (name, reference) => (await shelf(name, reference)).at(-1),
    movements,
    moved: async (reference) =>
      (await movements(reference)).map(({ kind, amount, currency }) => `${kind} ${centsOf(amount)} ${currency}`),
  };
}

/** The secret with which a provider of the tests signs. */
export const callbackSecretOf = (provider: string): string => `${provider}-`.padEnd(48, "s");

/** A callback that was signed: by its provider, now, unless it says otherwise. */
export function signedCallback(
  provider: string,
  report: object | string,
  { secret = callbackSecretOf(provider), as = provider, ageSeconds = 0 } = {},
): { rail: string; signature: string; body: Buffer } {
  const text = typeof report === "string" ? report : JSON.stringify(report);
  const unixSeconds = Math.floor(systemClock.now().getTime() / 1_000) - ageSeconds;
  return {
    rail: provider,
    signature: signCallback(secret, as, randomUUID(), unixSeconds, text),
    body: Buffer.from(text),
  };
}
