import { exactNumber } from "../../services/shared/kernel/exact-number";
import type { Upstreams } from "../clients";
import { defineRoute } from "../contract/define-route";
import { answer, currency, exact, listOf, text } from "../contract/parts";
import type { Route } from "../route";

const currencyBalance = answer("CurrencyBalance", "What a provider holds in a currency.", {
  currencyCode: currency,
  balance: exact("What can be paid out, exactly."),
});

const providerBalances = listOf(
  "What each provider holds.",
  answer("ProviderBalances", "What a provider holds.", {
    providerId: text("Name of the provider."),
    balances: listOf("Its funds by currency.", currencyBalance),
  }),
);

export const balanceRoutes = ({ payment }: Pick<Upstreams, "payment">): readonly Route[] => [
  defineRoute({
    method: "GET",
    path: "/payer/balance",
    scheme: "bearer",
    scope: "balance",
    summary: "What each provider holds, at most 30 seconds old. Providers that do not answer are left out.",
    tag: "Balance",
    response: { status: 200, description: "Funds by provider and currency.", schema: providerBalances },
    refusals: [],
    async handle() {
      const { providers } = await payment.getBalances({});
      return providers.map(({ providerId, balances }) => ({
        providerId,
        balances: balances.map(({ currency: currencyCode, available }) => ({
          currencyCode,
          balance: exactNumber(available),
        })),
      }));
    },
  }),
];
