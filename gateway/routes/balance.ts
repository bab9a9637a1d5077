import { exactNumber } from "../../services/shared/exact-number";
import type { Upstreams } from "../clients";
import { jsonAnswer, type Route } from "../route";
import { arrayOf, currencySchema, numberSchema, objectSchema, textSchema } from "../schemas/document-schema";

const balanceSchema = arrayOf(
  objectSchema({
    providerId: textSchema("Name of the provider."),
    balances: arrayOf(
      objectSchema({ currencyCode: currencySchema, balance: numberSchema("What can be paid out, exactly.") }),
    ),
  }),
);

export function balanceRoutes({ payment }: Pick<Upstreams, "payment">): readonly Route[] {
  return [
    {
      method: "GET",
      path: "/payer/balance",
      scheme: "bearer",
      scope: "balance",
      summary: "What each provider holds, at most 30 seconds old. Providers that do not answer are left out.",
      tag: "Balance",
      body: "none",
      success: { status: 200, description: "Funds by provider and currency.", schema: balanceSchema },
      refusals: [],
      async handle() {
        const { providers } = await payment.getBalances({});
        return jsonAnswer(
          providers.map(({ providerId, balances }) => ({
            providerId,
            balances: balances.map(({ currency, available }) => ({
              currencyCode: currency,
              balance: exactNumber(available),
            })),
          })),
        );
      },
    },
  ];
}
