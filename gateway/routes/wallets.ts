import { assetDigits } from "../../services/shared/kernel/assets";
import { DomainError, type FieldViolation, invalid } from "../../services/shared/kernel/errors";
import type { Upstreams } from "../clients";
import {
  answerForm,
  fitsMessage,
  renderBalance,
  renderConfirmed,
  renderStatement,
  renderTransaction,
  renderTransfer,
  renderTransferVoid,
  renderVoided,
  renderWallet,
  toOpenIntent,
  toTransactionIntent,
  toTransferIntent,
  toWalletStatus,
} from "../codec/wallet-codec";
import { defineRoute, replyWith } from "../contract/define-route";
import type { Draft } from "../contract/draft";
import type { Infer } from "../contract/infer";
import { instantOfQuery } from "../contract/instant-of-query";
import { pageOrText } from "../contract/parts";
import * as contracts from "../contract/wallets";
import { columnsOf, type SendList, wantsCsv } from "../csv";
import type { Route } from "../route";

const common = { scheme: "bearer", scope: "wallets", tag: "Wallets" } as const;
const walletParam = { walletId: "Id of the wallet." };
const transactionParam = { transactionId: "Id of the transaction." };

type WalletUpstream = Pick<Upstreams, "wallet">;
type WalletLists = WalletUpstream & { sendList: SendList };

export const walletRoutes = (upstreams: WalletLists): readonly Route[] => [
  ...resourceRoutes(upstreams),
  ...moneyRoutes(upstreams),
  createTransactionRoute(upstreams),
  ...holdRoutes(upstreams),
  ...transferRoutes(upstreams),
];

const resourceRoutes = ({ wallet, sendList }: WalletLists): readonly Route[] => [
  defineRoute({
    ...common,
    method: "POST",
    path: "/wallets",
    summary: "Open a wallet.",
    request: contracts.walletRequest,
    response: { status: 200, description: "The new wallet, active and empty.", schema: contracts.wallet },
    refusals: [],
    alsoRefuses: unknownAssets,
    async handle({ tenant, body }) {
      return renderWallet((await wallet.createWallet({ tenant, wallet: toOpenIntent(body) })).wallet);
    },
  }),
  defineRoute({
    ...common,
    method: "GET",
    path: "/wallets",
    summary: "List wallets, the newest first.",
    query: contracts.walletListQuery,
    response: pageOrText(contracts.walletPage, "the newest first"),
    refusals: ["INVALID_ARGUMENT"],
    async handle({ tenant, headers, query }) {
      const asked = { tenant, accountAsset: query.asset, status: toWalletStatus(query.status) };
      return sendList({
        holder: tenant,
        headers,
        name: "wallets",
        columns: walletColumns,
        query,
        async read(page) {
          const { wallets, next } = await wallet.listWallets({ ...asked, ...page });
          return { items: wallets.map(renderWallet), next };
        },
        render: ({ items, next }) => ({ wallets: items, next: next ?? null }),
      });
    },
  }),
  defineRoute({
    ...common,
    method: "GET",
    path: "/wallets/{walletId}",
    summary: "Read a wallet.",
    params: walletParam,
    response: { status: 200, description: "The wallet.", schema: contracts.wallet },
    refusals: ["WALLET_NOT_FOUND"],
    async handle({ tenant, params: { walletId } }) {
      return renderWallet((await wallet.getWallet({ tenant, walletId })).wallet);
    },
  }),
];

const moneyRoutes = ({ wallet, sendList }: WalletLists): readonly Route[] => [
  defineRoute({
    ...common,
    method: "GET",
    path: "/wallets/{walletId}/balance",
    isHot: true,
    summary: "Read what a wallet has.",
    params: walletParam,
    response: { status: 200, description: "The balance.", schema: contracts.walletBalance },
    refusals: ["WALLET_NOT_FOUND"],
    async handle({ tenant, params: { walletId } }) {
      return renderBalance(await wallet.getBalance({ tenant, walletId, asOf: undefined }));
    },
  }),
  defineRoute({
    ...common,
    method: "GET",
    path: "/wallets/{walletId}/statement",
    summary: "List the settled entries of a wallet, the oldest first or the newest.",
    params: walletParam,
    query: contracts.statementQuery,
    response: pageOrText(contracts.walletStatement, "oldest first"),
    refusals: ["WALLET_NOT_FOUND", "INVALID_ARGUMENT"],
    async handle({ tenant, headers, params: { walletId }, query: { from, until, page, size, order } }) {
      const newestFirst = order === "newest";
      if (newestFirst && wantsCsv(headers)) throw invalid([{ field: "order", message: "must be oldest for text/csv" }]);
      const asked = { tenant, walletId, from: instantOf(from), until: instantOf(until), newestFirst };
      return sendList({
        holder: tenant,
        headers,
        name: "statement",
        columns: statementColumns,
        // The whole list has no page to begin at.
        query: { after: wantsCsv(headers) ? "0" : `${page}`, limit: size },
        async read({ after = "0", limit }) {
          const number = Number.parseInt(after, 10);
          const statement = renderStatement(await wallet.getStatement({ ...asked, page: number, size: limit }));
          const isFull = statement.entries.length === limit;
          return { items: statement.entries, next: isFull ? `${number + 1}` : undefined, statement };
        },
        render: ({ statement }) => statement,
      });
    },
  }),
];

const createTransactionRoute = ({ wallet }: WalletUpstream): Route =>
  defineRoute({
    ...common,
    method: "POST",
    path: "/wallets/transaction",
    isHot: true,
    isReplayed: true,
    summary: "Debit or credit a wallet, at once or held until it is confirmed.",
    request: contracts.walletTransactionRequest,
    response: { status: 200, description: "Completed, or held.", schema: contracts.walletTransaction },
    refusals: ["WALLET_NOT_FOUND", "WALLET_INACTIVE", "INSUFFICIENT_FUNDS", "REQUEST_RUNNING", "IDEMPOTENCY_CONFLICT"],
    alsoRefuses: (body) => [...unfitAmounts(body), ...expiriesWithoutHold(body)],
    whenRefused: ({ tenant = "", body = {} }, violations) =>
      askLedger(body, violations, () => wallet.checkTransaction({ tenant, transaction: toTransactionIntent(body) })),
    async handle({ tenant, body }) {
      const response = await wallet.createTransaction({ tenant, transaction: toTransactionIntent(body), answerForm });
      return replyWith(renderTransaction(response), replayedHeader(response));
    },
  });

const holdRoutes = ({ wallet }: WalletUpstream): readonly Route[] => [
  defineRoute({
    ...common,
    method: "POST",
    path: "/wallets/transaction/{transactionId}/confirm",
    isReplayed: true,
    summary: "Settle a held transaction.",
    params: transactionParam,
    response: { status: 200, description: "Settled.", schema: contracts.confirmedTransaction },
    refusals: ["WALLET_NOT_FOUND", "WALLET_INACTIVE", "TRANSACTION_NOT_HELD"],
    async handle({ tenant, params: { transactionId } }) {
      const response = await wallet.confirmTransaction({ tenant, transactionId, answerForm });
      return replyWith(renderConfirmed(response), replayedHeader(response));
    },
  }),
  defineRoute({
    ...common,
    method: "POST",
    path: "/wallets/transaction/{transactionId}/void",
    isReplayed: true,
    summary: "Release a held transaction.",
    params: transactionParam,
    response: { status: 200, description: "Released.", schema: contracts.voidedTransaction },
    refusals: ["WALLET_NOT_FOUND", "TRANSACTION_NOT_HELD"],
    async handle({ tenant, params: { transactionId } }) {
      const response = await wallet.voidTransaction({ tenant, transactionId, answerForm });
      return replyWith(renderVoided(response), replayedHeader(response));
    },
  }),
];

const transferRoutes = ({ wallet }: WalletUpstream): readonly Route[] => [
  defineRoute({
    ...common,
    method: "POST",
    path: "/wallets/transfer",
    isHot: true,
    isReplayed: true,
    summary: "Move an amount between two wallets of one currency.",
    request: contracts.transferRequest,
    response: { status: 200, description: "Both wallets are booked.", schema: contracts.walletTransfer },
    refusals: [
      "WALLET_NOT_FOUND",
      "WALLET_INACTIVE",
      "CURRENCY_MISMATCH",
      "INSUFFICIENT_FUNDS",
      "REQUEST_RUNNING",
      "IDEMPOTENCY_CONFLICT",
    ],
    alsoRefuses: unfitAmounts,
    whenRefused: ({ tenant = "", body = {} }, violations) =>
      askLedger(body, violations, () => wallet.checkTransfer({ tenant, transfer: toTransferIntent(body) })),
    async handle({ tenant, body }) {
      const response = await wallet.createTransfer({ tenant, transfer: toTransferIntent(body), answerForm });
      return replyWith(renderTransfer(response), replayedHeader(response));
    },
  }),
  defineRoute({
    ...common,
    method: "POST",
    path: "/wallets/transfer/{externalTransferId}/void",
    isReplayed: true,
    summary: "Give the full amount of a transfer back.",
    params: { externalTransferId: "The externalId that the transfer was created with." },
    response: { status: 200, description: "The amount is back.", schema: contracts.voidedTransfer },
    refusals: ["WALLET_NOT_FOUND", "WALLET_INACTIVE", "TRANSFER_IRREVERSIBLE"],
    async handle({ tenant, params: { externalTransferId: externalId } }) {
      const response = await wallet.voidTransfer({ tenant, externalId, answerForm });
      return replyWith(renderTransferVoid(response), replayedHeader(response));
    },
  }),
];

const walletColumns = columnsOf(Object.keys(contracts.wallet.properties));
const statementColumns = columnsOf(Object.keys(contracts.walletStatement.properties.entries.items.properties));

const instantOf = (text: string | undefined) => (text === undefined ? undefined : instantOfQuery(text));

const replayedHeader = ({ replayed }: { replayed: boolean }): Readonly<Record<string, string>> =>
  replayed ? { "idempotency-replayed": "true" } : {};

type TransactionDraft = Draft<Infer<typeof contracts.walletTransactionRequest>>;

/** Refuses amounts that are impossible in every asset, so that no message needs to carry them. */
const unfitAmounts = ({ amount }: Pick<TransactionDraft, "amount">): readonly FieldViolation[] =>
  amount === undefined || fitsMessage(amount)
    ? []
    : [{ field: "amount", message: "must not have more digits than an asset can have" }];

/** Names an unknown asset together with the other violations; the wallet service would name it only when everything else is right. */
const unknownAssets = ({ accountAsset }: Draft<Infer<typeof contracts.walletRequest>>): readonly FieldViolation[] =>
  accountAsset === undefined || assetDigits(accountAsset) !== undefined
    ? []
    : [{ field: "accountAsset", message: "must be a currency of ISO 4217 or a known asset code" }];

const expiriesWithoutHold = ({ hold, expiresAt }: TransactionDraft): readonly FieldViolation[] =>
  expiresAt && hold !== true ? [{ field: "expiresAt", message: "is for holds only" }] : [];

interface Check {
  isKnown: boolean;
  differentFields: readonly string[];
  violations: readonly FieldViolation[];
}

/**
 * Asks the ledger about a request that is refused for its form, and throws what it finds. A request that breaks a rule can never be the one
 * accepted under its id: if the id was used, the refusal says that.
 */
async function askLedger(draft: object, known: readonly FieldViolation[], check: () => Promise<Check>): Promise<void> {
  // Nothing remains of a body that is not JSON.
  if (Object.keys(draft).length === 0) return;
  const { isKnown, differentFields, violations } = await check();
  if (!isKnown) throw invalid(violations);
  const names = [...differentFields, ...known.map(({ field }) => field.split(".")[0] ?? field)];
  const fields = [...new Set(names)].toSorted();
  throw new DomainError("IDEMPOTENCY_CONFLICT", "the id was used with different content", { details: { fields } });
}
