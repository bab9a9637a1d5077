import type { StatementEntry, Wallet } from "../../proto/gen/corridor/wallet/v1/wallet_service";
import { parseInstant } from "../../services/shared/clock";
import { exactNumber } from "../../services/shared/exact-number";
import type { Upstreams } from "../clients";
import { readQuery } from "../query-reader";
import { type Answer, jsonAnswer, type Route, requireParam, type TenantCall } from "../route";
import * as schemas from "../schemas/wallet-schemas";

const common = { scheme: "bearer", scope: "wallets", tag: "Wallets" } as const;
const walletParam = { walletId: "Id of the wallet." };
const transactionParam = { transactionId: "Id of the transaction." };
const maxSize = 200;

type WalletUpstream = Pick<Upstreams, "wallet">;

export const walletRoutes = (upstreams: WalletUpstream): readonly Route[] => [
  ...resourceRoutes(upstreams),
  ...moneyRoutes(upstreams),
  ...transactionRoutes(upstreams),
  ...transferRoutes(upstreams),
];

function resourceRoutes({ wallet }: WalletUpstream): readonly Route[] {
  return [
    {
      ...common,
      method: "POST",
      path: "/wallets",
      summary: "Open a wallet.",
      body: "json",
      requestSchema: schemas.walletRequestSchema,
      success: { status: 200, description: "The new wallet, active and empty.", schema: schemas.walletSchema },
      refusals: [],
      async handle({ tenant, body }: TenantCall) {
        const response = await wallet.createWallet({ tenant, bodyJson: body });
        return jsonAnswer(renderWallet(response.wallet));
      },
    },
    {
      ...common,
      method: "GET",
      path: "/wallets/{walletId}",
      summary: "Read a wallet.",
      body: "none",
      params: walletParam,
      success: { status: 200, description: "The wallet.", schema: schemas.walletSchema },
      refusals: ["WALLET_NOT_FOUND"],
      async handle(call: TenantCall) {
        const response = await wallet.getWallet(walletOf(call));
        return jsonAnswer(renderWallet(response.wallet));
      },
    },
  ];
}

function moneyRoutes({ wallet }: WalletUpstream): readonly Route[] {
  return [
    {
      ...common,
      method: "GET",
      path: "/wallets/{walletId}/balance",
      summary: "Read what a wallet has.",
      body: "none",
      params: walletParam,
      success: { status: 200, description: "The balance.", schema: schemas.balanceSchema },
      refusals: ["WALLET_NOT_FOUND"],
      async handle(call: TenantCall) {
        const { walletId, accountAsset, balance } = await wallet.getBalance({ ...walletOf(call), asOf: undefined });
        if (balance === undefined) throw new Error("the wallet service sent no balance");
        return jsonAnswer({
          walletId,
          accountAsset,
          availableBalance: exactNumber(balance.available),
          heldBalance: exactNumber(balance.held),
          totalBalance: exactNumber(balance.total),
        });
      },
    },
    {
      ...common,
      method: "GET",
      path: "/wallets/{walletId}/statement",
      summary: "List the settled entries of a wallet, oldest first.",
      body: "none",
      params: walletParam,
      query: schemas.statementQuery,
      success: { status: 200, description: "One page.", schema: schemas.statementSchema },
      refusals: ["WALLET_NOT_FOUND", "INVALID_ARGUMENT"],
      async handle(call: TenantCall) {
        const statement = await wallet.getStatement({ ...walletOf(call), ...parseRange(call) });
        const { walletId, entries, page, size, totalEntries } = statement;
        return jsonAnswer({
          walletId,
          entries: entries.map(renderEntry),
          page,
          size,
          totalEntries: exactNumber(totalEntries.toString()),
        });
      },
    },
  ];
}

function transactionRoutes({ wallet }: WalletUpstream): readonly Route[] {
  return [
    {
      ...common,
      method: "POST",
      path: "/wallets/transaction",
      isReplayed: true,
      summary: "Debit or credit a wallet, at once or held until it is confirmed.",
      body: "json",
      requestSchema: schemas.transactionRequestSchema,
      success: { status: 200, description: "Completed, or held.", schema: schemas.transactionSchema },
      refusals: [
        "WALLET_NOT_FOUND",
        "WALLET_INACTIVE",
        "INSUFFICIENT_FUNDS",
        "REQUEST_RUNNING",
        "IDEMPOTENCY_CONFLICT",
      ],
      handle: async ({ tenant, body }: TenantCall) =>
        firstAnswer(await wallet.createTransaction({ tenant, bodyJson: body })),
    },
    {
      ...common,
      method: "POST",
      path: "/wallets/transaction/{transactionId}/confirm",
      isReplayed: true,
      summary: "Settle a held transaction.",
      body: "none",
      params: transactionParam,
      success: { status: 200, description: "Settled.", schema: schemas.confirmSchema },
      refusals: ["WALLET_NOT_FOUND", "WALLET_INACTIVE", "TRANSACTION_NOT_HELD"],
      handle: async (call: TenantCall) => firstAnswer(await wallet.confirmTransaction(transactionOf(call))),
    },
    {
      ...common,
      method: "POST",
      path: "/wallets/transaction/{transactionId}/void",
      isReplayed: true,
      summary: "Release a held transaction.",
      body: "none",
      params: transactionParam,
      success: { status: 200, description: "Released.", schema: schemas.transactionVoidSchema },
      refusals: ["WALLET_NOT_FOUND", "TRANSACTION_NOT_HELD"],
      handle: async (call: TenantCall) => firstAnswer(await wallet.voidTransaction(transactionOf(call))),
    },
  ];
}

function transferRoutes({ wallet }: WalletUpstream): readonly Route[] {
  return [
    {
      ...common,
      method: "POST",
      path: "/wallets/transfer",
      isReplayed: true,
      summary: "Move an amount between two wallets of one currency.",
      body: "json",
      requestSchema: schemas.transferRequestSchema,
      success: { status: 200, description: "Both wallets are booked.", schema: schemas.transferSchema },
      refusals: [
        "WALLET_NOT_FOUND",
        "WALLET_INACTIVE",
        "CURRENCY_MISMATCH",
        "INSUFFICIENT_FUNDS",
        "REQUEST_RUNNING",
        "IDEMPOTENCY_CONFLICT",
      ],
      handle: async ({ tenant, body }: TenantCall) =>
        firstAnswer(await wallet.createTransfer({ tenant, bodyJson: body })),
    },
    {
      ...common,
      method: "POST",
      path: "/wallets/transfer/{externalTransferId}/void",
      isReplayed: true,
      summary: "Give the full amount of a transfer back.",
      body: "none",
      params: { externalTransferId: "The externalId that the transfer was created with." },
      success: { status: 200, description: "The amount is back.", schema: schemas.transferVoidSchema },
      refusals: ["WALLET_NOT_FOUND", "WALLET_INACTIVE", "TRANSFER_IRREVERSIBLE"],
      async handle(call: TenantCall) {
        const externalTransferId = requireParam(call, "externalTransferId");
        return firstAnswer(await wallet.voidTransfer({ tenant: call.tenant, externalTransferId }));
      },
    },
  ];
}

const walletOf = (call: TenantCall) => ({ tenant: call.tenant, walletId: requireParam(call, "walletId") });
const transactionOf = (call: TenantCall) => ({
  tenant: call.tenant,
  transactionId: requireParam(call, "transactionId"),
});

/** The wallet service's own bytes: it keeps them, and a repeat gets the same. */
function firstAnswer({ bodyJson, replayed }: { bodyJson: Uint8Array; replayed: boolean }): Answer {
  const headers = { "content-type": "application/json", ...(replayed ? { "idempotency-replayed": "true" } : {}) };
  return { status: 200, headers, body: Buffer.from(bodyJson) };
}

function parseRange(call: TenantCall) {
  const query = readQuery(call);
  const instant = (name: string): Date | undefined => {
    // A plus sign that was not encoded has become a space.
    const text = query.optionalText(name)?.replace(" ", "+");
    const at = text === undefined ? undefined : parseInstant(text);
    query.check(text === undefined || at !== undefined, name, "must be an ISO 8601 date, or a time with its offset");
    return at;
  };
  const range = {
    from: instant("from"),
    until: instant("until"),
    page: query.wholeNumber("page", { min: 0, max: 2 ** 31 - 1, fallback: 0 }),
    size: query.wholeNumber("size", { min: 1, max: maxSize, fallback: 20 }),
  };
  query.finish();
  return range;
}

function renderWallet(wallet: Wallet | undefined): object {
  if (wallet === undefined) throw new Error("the wallet service sent no wallet");
  const { additionalInfoJson, ...fields } = wallet;
  const { walletId, accountAsset, ownerId, beneficiaryId, type, status, createdAt } = fields;
  const info = Buffer.from(additionalInfoJson).toString("utf8");
  return {
    walletId,
    accountAsset,
    ownerId,
    beneficiaryId,
    type,
    status,
    createdAt,
    ...(info === "" ? {} : { additionalInfo: JSON.parse(info) as unknown }),
  };
}

const renderEntry = (entry: StatementEntry): object => ({
  transactionId: entry.transactionId,
  externalId: entry.externalId ?? null,
  type: entry.type,
  amount: exactNumber(entry.amount),
  description: entry.description ?? null,
  balanceAfter: exactNumber(entry.balanceAfter),
  createdAt: entry.createdAt,
});
