import type { VerifyLedgerResponse } from "../../proto/gen/corridor/wallet/v1/wallet_service";
import { parseInstant } from "../../services/shared/clock";
import type { Upstreams } from "../clients";
import { readFields } from "../field-reader";
import { readQuery } from "../query-reader";
import { type Answer, jsonAnswer, type OperatorCall, type Route, readJson, requireParam } from "../route";
import { arrayOf, enumSchema, instantSchema, nullable, objectSchema, textSchema } from "../schemas/document-schema";

const tag = "Ledger";
const integer = (description: string) => ({ type: "integer", description });
const count = (value: bigint): number => Number.parseInt(String(value), 10);

const sumSchema = {
  asset: textSchema("Currency of ISO 4217 or another asset code."),
  amount: textSchema("Plain decimal."),
};

const walkSchema = objectSchema({
  verificationId: textSchema("Id of the walk, to ask again."),
  startedAt: nullable(instantSchema("When it was started.")),
  finishedAt: nullable(instantSchema("When it ended; null while it runs.")),
  accounts: integer("Accounts that were walked."),
  entries: integer("Entries of the journal."),
  rows: integer("Rows of all lines."),
  checkpoints: integer("Sealed checkpoints."),
  anchors: integer("Anchors outside of the store that were compared; 0 where none can be read."),
  findings: arrayOf(
    objectSchema({
      fault: textSchema("What kind of fault it is."),
      record: textSchema("The record."),
      detail: textSchema("What was seen."),
    }),
  ),
});

const walkAnswer = (walk: VerifyLedgerResponse, status = 200): Answer =>
  jsonAnswer(
    {
      ...walk,
      startedAt: walk.startedAt?.toISOString() ?? null,
      finishedAt: walk.finishedAt?.toISOString() ?? null,
      accounts: count(walk.accounts),
      entries: count(walk.entries),
      rows: count(walk.rows),
      checkpoints: count(walk.checkpoints),
      anchors: count(walk.anchors),
    },
    status,
  );

const trialBalanceRoute = ({ wallet }: Pick<Upstreams, "wallet">): Route => ({
  scheme: "operator",
  tag,
  method: "GET",
  path: "/ledger/trial-balance",
  summary: "What all accounts of each path hold together; each asset's total must be 0.",
  body: "none",
  query: {
    asOf: {
      description: "The accounts as they were at the end of this instant; now, unless given.",
      schema: { type: "string", format: "date-time" },
    },
  },
  success: {
    status: 200,
    description: "The trial balance.",
    schema: objectSchema({
      accounts: arrayOf(objectSchema({ path: textSchema("Path in the chart of accounts."), ...sumSchema })),
      totals: arrayOf(objectSchema(sumSchema)),
    }),
  },
  refusals: [],
  async handle(call: OperatorCall) {
    const query = readQuery(call);
    const text = query.optionalText("asOf");
    const asOf = text === undefined ? undefined : parseInstant(text);
    query.check(text === undefined || asOf !== undefined, "asOf", "must be an ISO 8601 time with its offset");
    query.finish();
    return jsonAnswer(await wallet.getTrialBalance({ asOf }));
  },
});

/** Wallets and the ledger, for operators. */
export function ledgerRoutes({ wallet }: Pick<Upstreams, "wallet">): readonly Route[] {
  const common = { scheme: "operator", tag } as const;
  return [
    {
      ...common,
      method: "PUT",
      path: "/tenants/{tenant}/wallets/{walletId}/status",
      summary: "Freeze, activate or close a wallet.",
      body: "json",
      params: { tenant: "Slug of the tenant.", walletId: "Id of the wallet." },
      requestSchema: objectSchema({ status: enumSchema("Where it goes.", ["ACTIVE", "FROZEN", "CLOSED"]) }),
      success: {
        status: 200,
        description: "The wallet.",
        schema: objectSchema({ walletId: textSchema("Id of the wallet."), status: textSchema("Its state.") }),
      },
      refusals: ["WALLET_NOT_FOUND", "WALLET_INACTIVE", "WALLET_NOT_EMPTY"],
      async handle(call: OperatorCall) {
        const fields = readFields(readJson(call).value);
        const status = fields.text("status");
        fields.check(["ACTIVE", "FROZEN", "CLOSED"].includes(status), "status", "must be ACTIVE, FROZEN or CLOSED");
        fields.finish();
        const which = { tenant: requireParam(call, "tenant"), walletId: requireParam(call, "walletId") };
        await wallet.changeWalletStatus({ ...which, status });
        return jsonAnswer({ walletId: which.walletId, status });
      },
    },
    trialBalanceRoute({ wallet }),
    {
      ...common,
      method: "POST",
      path: "/ledger/verifications",
      summary: "Walk the whole ledger; waits up to 3 seconds for the end.",
      body: "none",
      success: { status: 201, description: "The walk.", schema: walkSchema },
      refusals: [],
      handle: async () => walkAnswer(await wallet.verifyLedger({}), 201),
    },
    {
      ...common,
      method: "GET",
      path: "/ledger/verifications/{verificationId}",
      summary: "How a walk went.",
      body: "none",
      params: { verificationId: "Id of the walk." },
      success: { status: 200, description: "The walk.", schema: walkSchema },
      refusals: ["WALLET_NOT_FOUND"],
      async handle(call: OperatorCall) {
        return walkAnswer(await wallet.verifyLedger({ verificationId: requireParam(call, "verificationId") }));
      },
    },
  ];
}
