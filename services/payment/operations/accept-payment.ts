import type { Clock } from "../../shared/clock";
import { DomainError, invalid } from "../../shared/errors";
import { derivedUuid } from "../../shared/ids";
import { payoutAmount } from "../domain/conversion";
import { firstAnswer } from "../domain/first-answer";
import { type Change, createPush, type Payment } from "../domain/payment";
import {
  type Body,
  identify,
  type PaymentIdentity,
  type PushCommand,
  requireSameContent,
  requireSchemaShapePush,
  toPushCommand,
} from "../domain/payment-request";
import { railFor } from "../domain/routing";
import { checkPayload } from "../payload-checker";
import type { Quotes, Schemas } from "../ports";
import type { PaymentStore, StoredAnswer } from "../store/payment-store";

export interface AcceptPaymentDeps {
  payments: Pick<PaymentStore, "findAnswer" | "insert">;
  schemas: Schemas;
  quotes: Quotes;
  clock: Clock;
  /** Carries the stored payment on in the background. */
  proceed(payment: Payment): void;
  traceparent(): string;
  pause(ms: number): Promise<void>;
}

export interface Acceptance {
  answer: Buffer;
  replayed: boolean;
}

export type AcceptPayment = (tenant: string, body: Body) => Promise<Acceptance>;

/**
 * Accepts a push, or refuses it and stores nothing. The payment's id follows from tenant, externalPaymentId and content, so
 * that a repeat claims the same quote again, while a rival with the same externalPaymentId and other content cannot touch
 * it. Two repeats at once meet at the unique key: one stores, the other answers from it.
 */
export const makeAcceptPayment =
  (deps: AcceptPaymentDeps): AcceptPayment =>
  async (tenant, body) => {
    const identity = identify(tenant, body);
    const earlier = await deps.payments.findAnswer(tenant, identity.externalId);
    if (earlier !== undefined) return await replay(deps, earlier, identity, body);
    requireSchemaShapePush(body.value);
    const { violations } = await checkPayload(deps.schemas, body.value);
    if (violations.length > 0) throw invalid(violations);
    const command = toPushCommand(identity, body);
    const change = await price(deps, command);
    const answer = firstAnswer(change.next);
    const isFirst = await deps.payments.insert(change, identity.hashes, answer);
    if (!isFirst) return await replay(deps, await winnerOf(deps, identity), identity, body);
    deps.proceed(change.next);
    return { answer: Buffer.from(answer), replayed: false };
  };

/**
 * Answers from the stored payment. With other content it refuses; a quote that this content may have claimed goes back,
 * since no payment with it can be stored any more.
 */
async function replay(
  { quotes }: AcceptPaymentDeps,
  earlier: StoredAnswer,
  identity: PaymentIdentity,
  body: Body,
): Promise<Acceptance> {
  try {
    requireSameContent(earlier.hashes, identity.hashes);
  } catch (error) {
    const quoteId = body.value["fxId"];
    if (typeof quoteId === "string" && quoteId !== "")
      await quotes.release(identity.tenant, quoteId, paymentIdOf(identity));
    throw error;
  }
  return { answer: earlier.answer, replayed: true };
}

/** How long a duplicate waits for the answer of the request that was first. */
const winnerPatienceMs = 5_000;
const winnerPollMs = 50;

/** A rival took the id between our look and our insert. Its answer is there as soon as a majority of the store has it. */
async function winnerOf({ payments, pause }: AcceptPaymentDeps, identity: PaymentIdentity): Promise<StoredAnswer> {
  for (let waitedMs = 0; waitedMs < winnerPatienceMs; waitedMs += winnerPollMs) {
    const winner = await payments.findAnswer(identity.tenant, identity.externalId);
    if (winner !== undefined) return winner;
    await pause(winnerPollMs);
  }
  throw new DomainError("REQUEST_RUNNING", "the same request is still running");
}

/** The same request has the same id on every attempt; another content under the same externalPaymentId has another one. */
const paymentIdOf = ({ tenant, externalId, hashes }: PaymentIdentity): string =>
  derivedUuid("payment", tenant, externalId, JSON.stringify(hashes));

/** Binds the quote and builds the payment. A quote that does not fit is given back. */
async function price(deps: AcceptPaymentDeps, command: PushCommand): Promise<Change> {
  const { tenant, externalId, quoteId } = command;
  const id = paymentIdOf(command);
  const rail = railFor(command);
  const quote = quoteId === undefined ? undefined : await deps.quotes.claim(tenant, quoteId, id);
  try {
    const { method, recipientName, recipientDocument, narrative, amount, ipAddress, payer } = command;
    return createPush({
      id,
      tenant,
      externalId,
      amount,
      quoteId,
      ipAddress,
      payer,
      createdAt: deps.clock.now(),
      traceparent: deps.traceparent(),
      instruction: {
        rail,
        reference: id,
        amount: payoutAmount(command, quote),
        key: method.key,
        keyType: method.keyType,
        recipientName,
        recipientDocument,
        narrative,
      },
    });
  } catch (error) {
    if (quoteId !== undefined) await deps.quotes.release(tenant, quoteId, id);
    throw error;
  }
}
