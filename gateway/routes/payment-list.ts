import type { Upstreams } from "../clients";
import { paymentColumns, renderListed, toPaymentFilter } from "../codec/payment-list-codec";
import { defineRoute } from "../contract/define-route";
import { pageOrText } from "../contract/parts";
import * as contracts from "../contract/payment-list";
import type { SendList } from "../csv";
import type { Route } from "../route";

/** The payments of a tenant. */
export function paymentListRoutes({
  payment,
  sendList,
}: Pick<Upstreams, "payment"> & { sendList: SendList }): readonly Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/v2/payments",
      scheme: "bearer",
      scope: "payments",
      tag: "Payments",
      summary: "List payments, the newest first. `Accept: text/csv` gets all of them as text.",
      query: contracts.paymentListQuery,
      response: pageOrText(contracts.paymentListPage, "the newest first"),
      refusals: ["INVALID_ARGUMENT"],
      async handle({ tenant, headers, query }) {
        const asked = { tenant, allTenants: false, filter: toPaymentFilter(query), withPeople: true };
        return sendList({
          holder: tenant,
          headers,
          name: "payments",
          columns: paymentColumns,
          query,
          async read(page) {
            const { payments, next } = await payment.listPayments({ ...asked, ...page });
            return { items: payments, next };
          },
          render: ({ items, next }) => ({ payments: items.map(renderListed), next: next ?? null }),
        });
      },
    }),
  ];
}
