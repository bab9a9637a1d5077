import { formatDecimal } from "../../services/shared/kernel/money";
import { digitsOf, requireMinor } from "../amounts";
import type { Database } from "../database";

/** The platform's balances at each rail. Changes belong inside `Database.write`. */
export interface Funds {
  of(rail: string, currencies: readonly string[]): { currency: string; available: string }[];
  /** Sets the balance; returns its increase. */
  set(rail: string, currency: string, available: string): bigint;
  /** Takes an amount out; false, taking nothing, when there is less. */
  draw(rail: string, currency: string, amount: string): boolean;
  give(rail: string, currency: string, amount: string): void;
  /** Takes an amount out even where there is less: money already sent has left. */
  take(rail: string, currency: string, amount: string): void;
}

const schema =
  "CREATE TABLE IF NOT EXISTS funds (rail TEXT, currency TEXT, minor TEXT NOT NULL, PRIMARY KEY (rail, currency)) STRICT";
const startUnits = 1_000_000_000n;

export function openFunds({ sql }: Database): Funds {
  sql.exec(schema);
  const one = sql.prepare("SELECT minor FROM funds WHERE rail = ? AND currency = ?");
  const upsert = sql.prepare(
    "INSERT INTO funds VALUES (?, ?, ?) ON CONFLICT (rail, currency) DO UPDATE SET minor = excluded.minor",
  );
  const read = (rail: string, currency: string): bigint => {
    const minor = one.get(rail, currency)?.["minor"];
    return typeof minor === "string" ? BigInt(minor) : startUnits * 10n ** BigInt(digitsOf(currency));
  };
  const write = (rail: string, currency: string, minor: bigint): void => {
    upsert.run(rail, currency, minor.toString());
  };
  return {
    of: (rail, currencies) =>
      currencies.map((currency) => ({
        currency,
        available: formatDecimal({ digits: read(rail, currency), scale: digitsOf(currency) }),
      })),
    set(rail, currency, available) {
      const before = read(rail, currency);
      write(rail, currency, requireMinor(available, currency));
      return requireMinor(available, currency) - before;
    },
    draw(rail, currency, amount) {
      const rest = read(rail, currency) - requireMinor(amount, currency);
      if (rest < 0n) return false;
      write(rail, currency, rest);
      return true;
    },
    take: (rail, currency, amount) => write(rail, currency, read(rail, currency) - requireMinor(amount, currency)),
    give: (rail, currency, amount) => write(rail, currency, read(rail, currency) + requireMinor(amount, currency)),
  };
}
