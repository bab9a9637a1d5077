import type { Money } from "../../proto/gen/corridor/common/v1/money";
import type { VerifyLedgerResponse } from "../../proto/gen/corridor/wallet/v1/wallet_service";
import { formatMinor } from "../../services/shared/kernel/assets";
import { parseInstant } from "../../services/shared/kernel/clock";
import type { Upstreams } from "../clients";
import { walletStatuses } from "../codec/wallet-codec";
import { defineRoute } from "../contract/define-route";
import type { Answered } from "../contract/infer";
import {
  answer,
  closedQuery,
  givenInstant,
  instant,
  integer,
  listOf,
  oneOf,
  orNull,
  request,
  text,
} from "../contract/parts";
import type { Route } from "../route";

type Wallet = Pick<Upstreams, "wallet">;

const common = { scheme: "operator", tag: "Ledger" } as const;
const count = (value: bigint): number => Number.parseInt(String(value), 10);

const sum = {
  asset: text("Currency of ISO 4217 or another asset code."),
  amount: text("Plain decimal."),
} as const;

const walkShape = answer("LedgerVerification", "A walk over the whole ledger.", {
  verificationId: text("Id of the walk, to ask again."),
  startedAt: orNull(instant("When it was started.")),
  finishedAt: orNull(instant("When it ended; null while it runs.")),
  accounts: integer("Accounts that were walked."),
  entries: integer("Entries of the journal."),
  rows: integer("Rows of all lines."),
  checkpoints: integer("Sealed checkpoints."),
  anchors: integer("Anchors outside of the store that were compared; 0 where none can be read."),
  findings: listOf(
    "What is not as it should be.",
    answer("LedgerFinding", "A fault of the ledger.", {
      fault: text("What kind of fault it is."),
      record: text("The record."),
      detail: text("What was seen."),
    }),
  ),
});

const renderWalk = (walk: VerifyLedgerResponse): Answered<typeof walkShape> => ({
  ...walk,
  startedAt: walk.startedAt ?? null,
  finishedAt: walk.finishedAt ?? null,
  accounts: count(walk.accounts),
  entries: count(walk.entries),
  rows: count(walk.rows),
  checkpoints: count(walk.checkpoints),
  anchors: count(walk.anchors),
});

function sumOf(sum: Money | undefined) {
  if (sum === undefined) throw new Error("the wallet service sent no sum");
  return { asset: sum.currency, amount: formatMinor(sum.amountMinor, sum.currency) };
}

const balanceShape = answer("TrialBalance", "What all accounts of each path hold together.", {
  accounts: listOf(
    "The accounts.",
    answer("TrialBalanceAccount", "What the accounts of a path hold.", {
      path: text("Path in the chart of accounts."),
      ...sum,
    }),
  ),
  totals: listOf("Each must be 0.", answer("TrialBalanceTotal", "What all accounts hold of an asset.", sum)),
});

const balanceQuery = closedQuery("As of when.", {
  asOf: {
    ...givenInstant("The accounts as they were at the end of this instant; now, unless given."),
    rule: "must be an ISO 8601 time with its offset",
  },
});

const trialBalanceRoute = ({ wallet }: Wallet): Route =>
  defineRoute({
    ...common,
    method: "GET",
    path: "/ledger/trial-balance",
    summary: "What all accounts of each path hold together; each asset's total must be 0.",
    query: balanceQuery,
    response: { status: 200, description: "The trial balance.", schema: balanceShape },
    refusals: [],
    async handle({ query: { asOf } }) {
      const { accounts, totals } = await wallet.getTrialBalance({
        asOf: asOf === undefined ? undefined : parseInstant(asOf),
      });
      return {
        accounts: accounts.map(({ path, balance }) => ({ path, ...sumOf(balance) })),
        totals: totals.map(sumOf),
      };
    },
  });

const statusRequest = request("WalletStatusRequest", "Where a wallet goes.", {
  status: oneOf("Where it goes.", ["ACTIVE", "FROZEN", "CLOSED"]),
});
const statusShape = answer("WalletStatusChange", "Where a wallet is.", {
  walletId: text("Id of the wallet."),
  status: text("Its state."),
});

const statusRoute = ({ wallet }: Wallet): Route =>
  defineRoute({
    ...common,
    method: "PUT",
    path: "/tenants/{tenant}/wallets/{walletId}/status",
    summary: "Freeze, activate or close a wallet.",
    params: { tenant: "Slug of the tenant.", walletId: "Id of the wallet." },
    request: statusRequest,
    response: { status: 200, description: "The wallet.", schema: statusShape },
    refusals: ["WALLET_NOT_FOUND", "WALLET_INACTIVE", "WALLET_NOT_EMPTY"],
    async handle({ params, body: { status } }) {
      await wallet.changeWalletStatus({ ...params, status: walletStatuses[status] });
      return { walletId: params.walletId, status };
    },
  });

const verificationRoutes = ({ wallet }: Wallet): readonly Route[] => [
  defineRoute({
    ...common,
    method: "POST",
    path: "/ledger/verifications",
    summary: "Walk the whole ledger; waits up to 3 seconds for the end.",
    response: { status: 201, description: "The walk.", schema: walkShape },
    refusals: [],
    handle: async () => renderWalk(await wallet.verifyLedger({})),
  }),
  defineRoute({
    ...common,
    method: "GET",
    path: "/ledger/verifications/{verificationId}",
    summary: "How a walk went.",
    params: { verificationId: "Id of the walk." },
    response: { status: 200, description: "The walk.", schema: walkShape },
    refusals: ["WALLET_NOT_FOUND"],
    handle: async ({ params }) => renderWalk(await wallet.verifyLedger(params)),
  }),
];

/** Wallets and the ledger, for operators. */
export const ledgerRoutes = (upstreams: Wallet): readonly Route[] => [
  statusRoute(upstreams),
  trialBalanceRoute(upstreams),
  ...verificationRoutes(upstreams),
];
