import type { PayoutOrder } from "./payment-request";

/** Which wallet operator of a country is reached through a money-services network. */
export type MoneyServices = Readonly<Record<string, string>>;

/**
 * The rails that can pay an order out, the preferred one first: by method, by the kind of account number, and for wallets
 * by the operator of the corridor. The first one with funds is taken.
 */
export function railsFor({ method, account, countryCode }: PayoutOrder, moneyServices: MoneyServices): string[] {
  switch (method) {
    case "PIX":
      return ["pix"];
    case "CARD":
      return ["card"];
    case "WALLET": {
      const operator = moneyServices[countryCode];
      return operator !== undefined && operator === account["walletOperator"] ? ["msn"] : ["wallet"];
    }
    case "BANK_DEPOSIT":
      return [
        account["accountNumberType"] === "UPI" ? "upi" : account["accountNumberType"] === "DIMO" ? "dimo" : "bank",
      ];
    default:
      return [];
  }
}

/** What the fx service calls the method of a payout. */
export function quoteMethod(method: string): string {
  if (method === "WALLET" || method === "CARD") return method;
  return "BANK_ACCOUNT";
}
