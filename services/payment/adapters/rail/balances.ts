import { textOf } from "../../../shared/crypto/callback-signature";
import type { ProviderCall } from "../../../shared/http/provider-call";
import { parseDecimal } from "../../../shared/kernel/money";
import type { Balance, FundsHolder } from "../../domain/check-ports";

/** Reads what a rail holds for us, over HTTP and JSON. The answer names its rail; rows that are not amounts are skipped. */
export function makeRailFunds(name: string, call: ProviderCall): FundsHolder {
  return {
    name,
    async balances() {
      const answer = await call("GET", `/rails/${name}/balance`);
      if (answer?.status !== 200 || textOf(answer.body, "rail") !== name) return undefined;
      const rows = answer.body["balances"];
      return Array.isArray(rows) ? rows.flatMap(read) : undefined;
    },
  };
}

function read(row: unknown): Balance[] {
  if (row === null || typeof row !== "object" || !("currency" in row) || !("available" in row)) return [];
  const { currency, available } = row;
  if (typeof currency !== "string" || !/^[A-Z]{3}$/.test(currency)) return [];
  return typeof available === "string" && parseDecimal(available) !== undefined ? [{ currency, available }] : [];
}
