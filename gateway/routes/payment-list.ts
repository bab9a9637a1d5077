import type { Upstreams } from "../clients";
import { paymentColumns, renderListed, toPaymentFilter } from "../codec/payment-list-codec";
import { defineRoute } from "../contract/define-route";
import * as contracts from "../contract/payment-list";
import { csvPage, makeSendCsv, wantsCsv } from "../csv";
import type { Route } from "../route";

/** What a tenant has paid. */
export function paymentListRoutes({ payment }: Pick<Upstreams, "payment">): readonly Route[] {
  const sendCsv = makeSendCsv();
  return [
    defineRoute({
      method: "GET",
      path: "/v2/payments",
      scheme: "bearer",
      scope: "payments",
      tag: "Payments",
      summary: "List payments, the newest first. `Accept: text/csv` gets all of them as text.",
      query: contracts.paymentListQuery,
      response: {
        status: 200,
        description: "A page; or the whole list as text.",
        schema: contracts.paymentListPage,
        also: { mediaType: "text/csv", schema: contracts.paymentListCsv },
      },
      refusals: ["INVALID_ARGUMENT"],
      async handle({ tenant, headers, query: { after, limit, ...filters } }) {
        const asked = { tenant, allTenants: false, filter: toPaymentFilter(filters), withPeople: true };
        if (wantsCsv(headers)) {
          return sendCsv(tenant, "payments", paymentColumns, async (from = after) => {
            const found = await payment.listPayments({ ...asked, after: from, limit: csvPage });
            return { items: found.payments, next: found.next };
          });
        }
        const { payments, next } = await payment.listPayments({ ...asked, after, limit });
        return { payments: payments.map(renderListed), next: next ?? null };
      },
    }),
  ];
}
