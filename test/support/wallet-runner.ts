import { randomUUID } from "node:crypto";
import { DomainError } from "../../services/shared/kernel/errors";
import { money } from "../../services/shared/kernel/money";
import type { Outcome } from "../../services/wallet/domain/decide";
import {
  encodeHoldEnd,
  encodeTransaction,
  encodeTransfer,
  encodeTransferVoid,
} from "../../services/wallet/handlers/receipt-codec";
import { decodeTransaction, decodeTransfer } from "../../services/wallet/handlers/request-codec";
import { decodeOpenIntent } from "../../services/wallet/handlers/wallet-codec";
import { makeChangeWalletStatus } from "../../services/wallet/operations/change-wallet-status";
import { type CreateWalletDeps, makeCreateWallet } from "../../services/wallet/operations/create-wallet";
import { makeCreditPayout } from "../../services/wallet/operations/credit-payout";
import { makeEndHold } from "../../services/wallet/operations/end-hold";
import { type ExpireHoldsDeps, makeExpireHolds } from "../../services/wallet/operations/expire-holds";
import { makePostMoney } from "../../services/wallet/operations/post-money";
import { makeSubmitRequest, type SubmitRequestDeps } from "../../services/wallet/operations/submit-request";
import { makeVoidTransfer } from "../../services/wallet/operations/void-transfer";
import { openIntentOf, textOf, transactionIntentOf, transferIntentOf } from "./wallet-intents";
import type { Call, Verdict } from "./wallet-model";

export type RunnerDeps = SubmitRequestDeps & ExpireHoldsDeps & Pick<CreateWalletDeps, "accounts" | "sealed">;

/** The product's operations, called as the model is. */
export interface Runner {
  /** The verdict, the id of a new wallet, and the answer if there is one. */
  run(call: Call): Promise<{ verdict: Verdict; openedId: string; answer: string }>;
}

interface Done {
  answer: string;
  replayed: boolean;
}

/** Runs calls on a ledger, in memory or on a store. */
export function makeRunner(deps: RunnerDeps): Runner {
  const { ledger } = deps;
  const createWallet = makeCreateWallet({ ...deps, ids: { uuid: randomUUID } });
  const submit = makeSubmitRequest(deps);
  const endHold = makeEndHold({ ledger });
  const voidTransfer = makeVoidTransfer({ ledger });
  const creditPayout = makeCreditPayout(deps);
  const postMoney = makePostMoney({ ledger });
  const changeStatus = makeChangeWalletStatus({ ...deps, ids: { uuid: randomUUID } });
  const expireHolds = makeExpireHolds(deps);
  const transactionIds: string[] = [];
  const seenEvents = new Set<string>();
  let openedId = "";

  const call = async (one: Call): Promise<Done | undefined> => {
    switch (one.op) {
      case "open": {
        const body = { accountAsset: one.asset, ownerId: "o", beneficiaryId: "b", type: "PERSONAL" };
        openedId = (await createWallet(one.tenant, decodeOpenIntent(openIntentOf(body)))).id;
        return undefined;
      }
      case "transaction": {
        const request = { tenant: one.tenant, intent: transactionIntentOf(one.body), answerForm: 1 };
        const done = await submit(decodeTransaction(request));
        if (!done.replayed) transactionIds.push(done.entry.id);
        return told(done, () => encodeTransaction(done));
      }
      case "transfer":
        return told(
          await submit(decodeTransfer({ tenant: one.tenant, intent: transferIntentOf(one.body), answerForm: 1 })),
          encodeTransfer,
        );
      case "confirm":
      case "release": {
        const transactionId = transactionIds[one.transaction] ?? "";
        const hold = { tenant: one.tenant, transactionId, answerForm: 1 };
        return told(await endHold(hold, one.op === "confirm" ? "COMPLETED" : "VOIDED"), encodeHoldEnd);
      }
      case "void":
        return told(await voidTransfer({ ...one, answerForm: 1 }), encodeTransferVoid);
      case "status":
        await changeStatus(one);
        return undefined;
      case "payout": {
        const { tenant, walletId, paymentId, minor, asset } = one;
        const credit = { tenant, walletId, paymentId, amount: money(minor, asset), description: undefined };
        const { entry, replayed } = await creditPayout(credit);
        return { answer: entry.id, replayed };
      }
      case "post": {
        const { eventId, minor, asset } = one;
        const postings = [
          { path: "tenant/demo/funding", asset, minor: -minor },
          { path: "platform/fees", asset, minor },
        ];
        const facts = { eventId, entryId: "", tenant: "demo", paymentId: "p", kind: "fee" };
        await postMoney([{ ...facts, postings, releases: [] }]);
        const replayed = seenEvents.has(eventId);
        seenEvents.add(eventId);
        return { answer: eventId, replayed };
      }
      case "expire":
        await expireHolds();
        return undefined;
    }
  };

  return {
    async run(one) {
      try {
        const done = await call(one);
        return { verdict: done?.replayed === true ? "again" : "done", openedId, answer: done?.answer ?? "" };
      } catch (error) {
        if (error instanceof DomainError) return { verdict: error.reason, openedId, answer: "" };
        throw error;
      }
    },
  };
}

/** An outcome as callers of the REST API see it. */
const told = (outcome: Outcome, encode: (outcome: Outcome) => Parameters<typeof textOf>[0]): Done => ({
  answer: textOf(encode(outcome)),
  replayed: outcome.replayed,
});
