import { type Decimal, decimal } from "../../sdk/src/main.ts";
import { type Given, textOf } from "../command.ts";
import { Usage } from "../failures.ts";

export const limitOption = { flags: "--limit <count>", does: "how many at most, 20 unless said" };

/** Returns a given whole number, or the default. */
export function countOf(given: Given, name: string, otherwise: number): number {
  const text = textOf(given, name) ?? String(otherwise);
  if (!/^\d{1,9}$/.test(text)) throw new Usage(`--${name} takes a whole number`);
  return Number(text);
}

export const limitOf = (given: Given): number => countOf(given, "limit", 20);

/** Returns a given exact number as a member of a body; nothing if none was given. */
export function decimalOf<Name extends string>(given: Given, name: Name): { [Key in Name]?: Decimal } {
  const text = textOf(given, name);
  if (text === undefined) return {};
  return { [name]: requireDecimal(text) } as { [Key in Name]?: Decimal };
}

export function requireDecimal(text: string): Decimal {
  try {
    return decimal(text);
  } catch (error) {
    throw new Usage(error instanceof Error ? error.message : String(error));
  }
}
