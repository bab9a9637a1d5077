import { randomUUID } from "node:crypto";
import { DomainError } from "../../services/shared/errors";
import { parseJsonObject } from "../../services/shared/json";
import { money } from "../../services/shared/money";
import { parseTransaction, parseTransfer } from "../../services/wallet/domain/wallet-request";
import { makeChangeWalletStatus } from "../../services/wallet/operations/change-wallet-status";
import { type CreateWalletDeps, makeCreateWallet } from "../../services/wallet/operations/create-wallet";
import { makeCreditPayout } from "../../services/wallet/operations/credit-payout";
import { makeEndHold } from "../../services/wallet/operations/end-hold";
import { type ExpireHoldsDeps, makeExpireHolds } from "../../services/wallet/operations/expire-holds";
import { makePostMoney } from "../../services/wallet/operations/post-money";
import { makeSubmitRequest, type SubmitRequestDeps } from "../../services/wallet/operations/submit-request";
import { makeVoidTransfer } from "../../services/wallet/operations/void-transfer";
import type { Call, Verdict } from "./wallet-model";

export type RunnerDeps = SubmitRequestDeps & ExpireHoldsDeps & Pick<CreateWalletDeps, "accounts">;

/** The product's operations, called as the model is. */
export interface Runner {
  /** The verdict, the id of a new wallet, and the answer where there is one. */
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
        openedId = (await createWallet(one.tenant, parseJsonObject(JSON.stringify(body)))).id;
        return undefined;
      }
      case "transaction": {
        const done = await submit(parseTransaction(one.tenant, parseJsonObject(one.body)));
        if (!done.replayed) transactionIds.push(transactionIdOf(done.answer));
        return done;
      }
      case "transfer":
        return await submit(parseTransfer(one.tenant, parseJsonObject(one.body)));
      case "confirm":
      case "release": {
        const transactionId = transactionIds[one.transaction] ?? "";
        return await endHold({ tenant: one.tenant, transactionId }, one.op === "confirm" ? "COMPLETED" : "VOIDED");
      }
      case "void":
        return await voidTransfer(one.tenant, one.externalId);
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

function transactionIdOf(answer: string): string {
  const id = parseJsonObject(answer).value["transactionId"];
  if (typeof id !== "string") throw new Error("the answer names no transaction");
  return id;
}
