import type { ProviderCall } from "../../../shared/http/provider-call";
import { parseDecimal } from "../../../shared/kernel/money";
import type { Balance, FundsHolder } from "../../domain/check-ports";

/** What a rail holds for us, over HTTP and JSON. Rows that are no amounts are left out. */
export function makeRailFunds(name: string, call: ProviderCall): FundsHolder {
  return {
    name,
    async balances() {
      const answer = await call("GET", `/rails/${name}/balance`);
      const rows = answer?.status === 200 ? answer.body["balances"] : undefined;
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
