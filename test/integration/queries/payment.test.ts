import type { PaymentFilter } from "../../../services/payment/domain/payment-filter";
import { makeAccountTokenStore } from "../../../services/payment/store/account-token-store";
import { makeCardVerdictStore } from "../../../services/payment/store/card-verdict-store";
import { makeCaseStore } from "../../../services/payment/store/case-store";
import { makeEvidenceStore } from "../../../services/payment/store/evidence-store";
import { makeFilteredPaymentStore } from "../../../services/payment/store/filtered-payment-store";
import { makeHoldStore } from "../../../services/payment/store/hold-store";
import { makeLimitStore } from "../../../services/payment/store/limit-store";
import { makeOpenConversionStore } from "../../../services/payment/store/open-conversion-store";
import { makeParticipantKeys } from "../../../services/payment/store/participant-keys";
import { makePaymentListStore } from "../../../services/payment/store/payment-list-store";
import { makePaymentOutbox } from "../../../services/payment/store/payment-outbox";
import { makePaymentStore } from "../../../services/payment/store/payment-store";
import { makePayoutAccountStore } from "../../../services/payment/store/payout-account-store";
import { makePromiseHolderStore } from "../../../services/payment/store/promise-holder-store";
import { makeCloseBlock } from "../../../services/payment/store/promise-places";
import { makeTransactionStore } from "../../../services/payment/store/transaction-store";
import { systemIds } from "../../../services/shared/kernel/ids";
import { makeDataKeys } from "../../../services/shared/storage/data-keys";
import { renewBatch } from "../../../services/shared/storage/key-use";
import { driverDb } from "../../../services/shared/storage/mongo";
import { anyPayment } from "../../support/any-payment";
import { callsOf, describeQueries } from "../../support/served-by-index";
import { silent } from "../bus/bus-testbed";

const at = new Date(0);
const place = { createdAt: at, id: "p" };
const claim = { paymentId: "p", accountTokenId: "a", tenant: "t", until: at };
const person = { tenant: "t", participantId: "p" };
const check = { externalId: "e", firstName: "A", lastName: "B", cardToken: "c" } as never;
const owner = { tenant: "t", agentId: "a" };

const line = { at, author: "a", approver: "", text: "t", command: "", evidence: "" };
const noFilter = { state: undefined, kind: undefined, tenant: undefined, provider: undefined, paymentId: undefined };
const caseFilters = [
  {},
  { state: "OPEN" as const },
  { kind: "UNKNOWN_REFERENCE" as never },
  { tenant: "t" },
  { provider: "pix" },
  { paymentId: "p" },
  { state: "OPEN" as const, tenant: "t", provider: "pix" },
];

const decimal = { digits: 1n, scale: 0 };
/** Each filter by itself, and some together. */
const paymentFilters: readonly Partial<PaymentFilter>[] = [
  {},
  { status: "DECLINED" },
  { state: "Completed" },
  { type: "PUSH" },
  { currency: "USD" },
  { recipientCurrency: "BRL" },
  { minAmount: decimal },
  { maxAmount: decimal },
  { countryCode: "BRA" },
  { method: "PIX" },
  { createdFrom: at },
  { createdUntil: at },
  { changedFrom: at },
  { changedUntil: at },
  { agentId: "a" },
  { reasonCode: "AC03" },
  { idPrefix: "order" },
  { isOverdue: true },
  { isStuck: true },
  { paymentId: "p" },
  {
    createdFrom: at,
    createdUntil: at,
    agentId: "a",
    status: "DECLINED",
    isStuck: true,
    isOverdue: true,
    idPrefix: "o",
  },
];

describeQueries("payment", async ({ connection, tx }) => {
  const keys = makeDataKeys({ connection, sealingKeys: [Buffer.alloc(32, 1)], ids: systemIds });
  const sealingKeys = [Buffer.alloc(32, 2), Buffer.alloc(32, 1)];
  const participantKeys = makeParticipantKeys({ connection, sealingKeys, ids: systemIds });
  const tokens = makeAccountTokenStore(connection, { keys, ids: systemIds });
  const transact = <T>(work: (session: typeof tx) => Promise<T>): Promise<T> => work(tx);
  const payouts = { connection, transact, keys: participantKeys, tenantKeys: keys, ids: systemIds };
  const share = { id: "l", limitMinor: 5n, minor: 1n, resetsAt: at } as never;
  return {
    tokens: callsOf(tokens, {
      init: "inserts",
      findAnswer: (findAnswer) => findAnswer({ tenant: "t", externalId: "e" }),
      claim: async (take) => [
        await take({ tenant: "t", externalId: "e", hashes: {} }),
        await take({ tenant: "t", externalId: "e", hashes: {} }),
      ],
      finish: (finish) => finish(claim, {} as never, undefined),
      giveUp: (giveUp) => giveUp(claim),
      open: (open) => open("t", "a"),
      isKnown: (isKnown) => isKnown("t", "a"),
      revoke: (revoke) => revoke("t", "a"),
      forget: (forget) => forget("t", "a", at, tx),
    }),
    verdicts: callsOf(makeCardVerdictStore(connection, keys), {
      init: "inserts",
      find: (find) => find("t", check),
      keep: (keep) => keep("t", check, { paymentId: "p", createdAt: at, report: { status: "VERIFIED" } } as never),
    }),
    promiseHolders: callsOf(makePromiseHolderStore(connection), {
      init: "inserts",
      add: "inserts",
      keepAlive: (keepAlive) => keepAlive("p"),
      giveUpSilent: (giveUpSilent) => giveUpSilent(1),
      remove: (remove) => remove("p"),
    }),
    holds: callsOf(makeHoldStore(connection, keys), {
      list: async (list) => [await list(undefined, 5), await list(place, 5)],
    }),
    conversions: callsOf(makeOpenConversionStore(connection), {
      init: "inserts",
      open: (open) => open(),
      stored: (stored) => stored(["p"]),
      accepted: (accepted) => accepted(["p"]),
      ended: (ended) => ended(new Date(), 5),
      forgetUntil: (forgetUntil) => forgetUntil(new Date()),
      postpone: (postpone) => postpone([{ paymentId: "p", eventCount: 1, endedAt: at, entryIds: [] }], at),
    }),
    limits: callsOf(makeLimitStore(connection, transact), {
      init: "inserts",
      insertWithin: (insertWithin) => insertWithin([share], async () => "stored"),
      used: (used) => used([{ id: "l" } as never]),
    }),
    participantKeys: callsOf(participantKeys, {
      init: "inserts",
      make: (make) => make(person),
      find: (find) => find(person),
      use: (use) => use(person, tx),
      destroy: (destroy) => destroy(person, tx),
      renewal: (renewal) => renewBatch(driverDb(connection), renewal("R"), undefined, silent),
    }),
    cases: callsOf(makeCaseStore(connection, keys, transact, participantKeys), {
      init: "inserts",
      find: (find) => find("c"),
      findReported: (findReported) => findReported("p", "k"),
      list: async (list) => {
        for (const chosen of caseFilters)
          for (const after of [undefined, { at, id: "c" }]) await list({ ...noFilter, ...chosen }, after, 5);
      },
      open: (open) =>
        open("key", { tenant: "", provider: "pix", paymentIds: [], amounts: [], line, kind: "X" } as never),
      knownKeys: (knownKeys) => knownKeys(["k", "l"]),
      keepFact: (keepFact) => keepFact({ provider: "pix", reference: "r", kind: "PAID", evidence: "" } as never, at),
      step: "by _id",
      countOpen: (countOpen) => countOpen(),
    }),
    evidence: callsOf(makeEvidenceStore(connection), { expire: (expire) => expire(at, 5) }),
    "outbox of cases": callsOf(
      makePaymentOutbox({ connection, subject: "s", encode: () => Buffer.alloc(0), collection: "cases" }),
      {
        pending: async (pending) => [await pending(5), await pending(5, { waitingSince: at, paymentId: "p" } as never)],
        markPublished: (markPublished) => markPublished([{ paymentId: "p", from: 0, eventCount: 1 } as never]),
        since: (since) => since(at),
      },
    ),
    outbox: callsOf(
      makePaymentOutbox({ connection, subject: "s", encode: () => Buffer.alloc(0), collection: "payments" }),
      {
        pending: async (pending) => [await pending(5), await pending(5, { waitingSince: at, paymentId: "p" } as never)],
        markPublished: (markPublished) => markPublished([{ paymentId: "p", from: 0, eventCount: 1 } as never]),
        since: (since) => since(at),
      },
    ),
    places: callsOf({ closeBlock: makeCloseBlock(connection) }, { closeBlock: (closeBlock) => closeBlock("c") }),
    payments: callsOf(makePaymentStore(connection, keys, transact, participantKeys), {
      init: "inserts",
      findAnswer: (findAnswer) => Promise.all([findAnswer("t", "e"), findAnswer("t", "f"), findAnswer("u", "e")]),
      insert: "inserts",
      closeBlock: (closeBlock) => closeBlock("b"),
      find: (find) => find("p"),
      findByExternalId: (findByExternalId) => findByExternalId("t", "e"),
      findStory: (findStory) => findStory("t", "e"),
      findByRefundId: (findByRefundId) => findByRefundId("t", "r"),
      save: "by _id",
      keepAnswer: (keepAnswer) => keepAnswer("p", {} as never),
      keepAction: (keepAction) => keepAction("p", "capture", {} as never),
      findQuoteUse: (findQuoteUse) => findQuoteUse("t", "q"),
      due: (due) => due(at, 5),
      nextDue: (nextDue) => nextDue(),
      setAside: (setAside) => setAside(["p"], at),
      take: (take) => take({ id: "p", version: 1, execution: { dueAt: at } } as never, at),
      countOverdue: (countOverdue) => countOverdue(at),
      countUnresolved: (countUnresolved) => countUnresolved(3),
      countEscalated: (countEscalated) => countEscalated(),
      countOpen: (countOpen) => countOpen(),
    }),
    lists: callsOf(makePaymentListStore(connection, keys), {
      find: async (find) => [await find({ tenant: "t" }, "i"), await find("all tenants", "i")],
      list: async (list) => {
        for (const chosen of paymentFilters)
          for (const scope of [{ tenant: "t" }, "all tenants"] as const)
            for (const after of [undefined, place])
              await list(scope, { ...anyPayment, ...chosen }, { after, limit: 5, withPeople: true, now: at });
      },
    }),
    filtered: callsOf(makeFilteredPaymentStore(connection), { all: (all) => all(), find: (find) => find(["p"]) }),
    payoutAccounts: callsOf(makePayoutAccountStore(payouts), {
      init: "inserts",
      add: "inserts",
      list: (list) => list({ ...owner, ...person, purpose: "RECIPIENT" }),
      erase: async (erase) => {
        const record = { _id: "x" as never, ...person, accountTokenId: "a" };
        await connection.collection("payout_accounts").insertOne(record);
        return await erase(person, tx);
      },
    }),
    transactions: callsOf(makeTransactionStore(connection, keys), {
      init: "inserts",
      list: async (list) => [
        await list(owner, { after: undefined, status: undefined, limit: 5 }),
        await list(owner, { after: place, status: "Completed", limit: 5 }),
      ],
      find: (find) => find(owner, "p"),
      setMetadata: (setMetadata) => setMetadata(owner, "p", {}),
    }),
  };
});
