import { invalid } from "../../services/shared/kernel/errors";
import type { Upstreams } from "../clients";
import { renderMovement, toMovementKind } from "../codec/movement-codec";
import { defineRoute } from "../contract/define-route";
import { instantOfQuery } from "../contract/instant-of-query";
import * as contracts from "../contract/movements";
import { pageOrText } from "../contract/parts";
import { columnsOf, type SendList } from "../csv";
import type { Route } from "../route";

const common = { method: "GET", scheme: "bearer", scope: "wallets", tag: "Wallets" } as const;
const columns = columnsOf(Object.keys(contracts.walletMovement.properties));

type MovementRouteDeps = Pick<Upstreams, "wallet"> & { sendList: SendList };

/** Movements of a tenant's wallets in their current state. */
export const movementRoutes = (deps: MovementRouteDeps): readonly Route[] => [
  listRoute(deps),
  defineRoute({
    ...common,
    path: "/wallet-transactions/{transactionId}",
    alsoAt: ["/wallets/transaction/{transactionId}"],
    summary: "Read a transaction as it stands: held, completed, released or expired.",
    params: { transactionId: "Id of the transaction, or the externalId that it was created with." },
    response: { status: 200, description: "The transaction.", schema: contracts.walletMovement },
    refusals: ["WALLET_NOT_FOUND"],
    async handle({ tenant, params: { transactionId: id } }) {
      return renderMovement((await deps.wallet.getTransaction({ tenant, id })).movement);
    },
  }),
  defineRoute({
    ...common,
    path: "/wallet-transfers/{externalTransferId}",
    alsoAt: ["/wallets/transfer/{externalTransferId}"],
    summary: "Read a transfer as it stands.",
    params: { externalTransferId: "The externalId that the transfer was created with, or its id." },
    response: { status: 200, description: "The transfer.", schema: contracts.walletMovement },
    refusals: ["WALLET_NOT_FOUND"],
    async handle({ tenant, params: { externalTransferId: id } }) {
      return renderMovement((await deps.wallet.getTransfer({ tenant, id })).movement);
    },
  }),
];

const listRoute = ({ wallet, sendList }: MovementRouteDeps): Route =>
  defineRoute({
    ...common,
    path: "/wallets/transactions",
    summary:
      "List transactions, payouts and transfers of all wallets, the newest first. `Accept: text/csv` gets all of them as text.",
    query: contracts.movementQuery,
    response: pageOrText(contracts.walletMovementPage, "the newest first"),
    refusals: ["INVALID_ARGUMENT"],
    async handle({ tenant, headers, query }) {
      const [from, until] = [query.from, query.until].map((text) => (text === undefined ? text : instantOfQuery(text)));
      if (from !== undefined && until !== undefined && from >= until) {
        throw invalid([{ field: "until", message: "must be after from" }]);
      }
      const asked = { tenant, kind: toMovementKind(query.type), walletId: query.walletId, from, until };
      return sendList({
        holder: tenant,
        headers,
        name: "wallet-transactions",
        columns,
        query,
        async read(page) {
          const { movements, next } = await wallet.listMovements({ ...asked, ...page });
          return { items: movements.map(renderMovement), next };
        },
        render: ({ items, next }) => ({ transactions: items, next: next ?? null }),
      });
    },
  });
