import type { Clock } from "../../shared/kernel/clock";
import { DomainError } from "../../shared/kernel/errors";
import { conflict, retryOnConflict } from "../../shared/process/retry-on-conflict";
import { applyCommand, askedMinor, type Command, notAllowed } from "../domain/commands";
import type { Payment, PaymentOf, Refund } from "../domain/payment";
import {
  type ActionFacts,
  actionOf,
  captureFacts,
  type PaymentAction,
  refundFacts,
  voidFacts,
} from "../domain/payment-action";
import type { PaymentStore, PaymentView } from "../store/payment-store";

export interface CommandPaymentDeps {
  payments: Pick<PaymentStore, "findByExternalId" | "findByRefundId" | "keepAction" | "save">;
  clock: Clock;
  /** Advances the payment; resolves when it waits, is idle, or belongs to another process. */
  proceed(payment: Payment, approach: "send" | "ask"): Promise<void>;
  pause(ms: number): Promise<void>;
}

/** Callers' commands whose first answer is kept. */
export type AnsweredCommand = Extract<Command, { kind: "capture" | "void" | "refund" }>;

/** A command on a payment, and the form in which its caller will show the answer. */
export interface CommandRequest {
  tenant: string;
  externalId: string;
  command: AnsweredCommand;
  form: number;
}

export type CommandPayment = (request: CommandRequest) => Promise<{ action: PaymentAction; replayed: boolean }>;

/**
 * Captures, voids or refunds, once. The command is claimed by compare-and-set before its provider is called, so that one of several
 * concurrent commands wins and the others get STATE_CONFLICT. A repeat of a command that is still running waits up to five seconds for
 * its answer, and then gets REQUEST_RUNNING. While the outcome is unknown the caller gets UNAVAILABLE, and repeating the call continues
 * the claimed command. A repeat of a command that took effect gets the first answer again.
 */
export const makeCommandPayment =
  (deps: CommandPaymentDeps): CommandPayment =>
  async (request) => {
    const { command } = request;
    await requireOwnRefundId(deps, request);
    return retryOnConflict("payment", async () => {
      const view = await find(deps, request);
      const { payment } = view;
      const known = await firstAnswer(deps, view, request);
      if (known !== undefined) return { action: known, replayed: true };
      if (isClaimed(payment, command)) {
        if (isOpen(payment)) await deps.proceed(payment, "ask");
        return { action: await outcomeOf(deps, request), replayed: !isOpen(payment) };
      }
      const change = applyCommand(payment, command, deps.clock.now());
      const result = await deps.payments.save(payment, change);
      if (result.kind === "taken") throw conflictingRefund(["externalPaymentId"]);
      if (result.kind === "stale") return conflict;
      await deps.proceed(result.payment, "send");
      return { action: await outcomeOf(deps, request), replayed: false };
    });
  };

async function find(deps: CommandPaymentDeps, { tenant, externalId }: CommandRequest): Promise<PaymentView> {
  const found = await deps.payments.findByExternalId(tenant, externalId);
  if (found === undefined) throw new DomainError("PAYMENT_NOT_FOUND", "there is no such payment");
  const { payment } = found;
  // A leg or a refund is found by its own id, and accepts no commands.
  if (payment.externalId !== externalId) {
    throw new DomainError("STATE_CONFLICT", "a leg of a payment takes no commands", {
      details: { status: payment.status, allowed: [] },
    });
  }
  return found;
}

/** Throws when the refund id is used by another payment: a refund id belongs to one payment permanently. */
async function requireOwnRefundId(
  deps: CommandPaymentDeps,
  { tenant, externalId, command }: CommandRequest,
): Promise<void> {
  if (command.kind !== "refund") return;
  const owner = await deps.payments.findByRefundId(tenant, command.externalId);
  if (owner !== undefined && owner.externalId !== externalId) throw conflictingRefund(["externalPaymentId"]);
}

const conflictingRefund = (fields: string[]): DomainError =>
  new DomainError("IDEMPOTENCY_CONFLICT", `externalRefundId was used with different content: ${fields.join(", ")}`, {
    details: { fields },
  });

/** Returns the refund that the command asks for, if it was asked for before. Throws IDEMPOTENCY_CONFLICT for other content. */
function refundOf(payment: Payment, command: Extract<Command, { kind: "refund" }>): Refund | undefined {
  const found = payment.refunds.find(({ externalId }) => externalId === command.externalId);
  if (found === undefined) return undefined;
  const fields = [
    ...(askedMinor(payment, command.amount) !== found.askedMinor ? ["amount"] : []),
    ...(command.reason !== found.reason ? ["reason"] : []),
  ];
  if (fields.length > 0) throw conflictingRefund(fields);
  return found;
}

/**
 * Returns the first answer, once the command has taken effect. Its facts are written once, by the request itself or by a repeat that
 * outlives it, and every request answers with what is written.
 */
async function firstAnswer(
  { payments }: Pick<CommandPaymentDeps, "payments">,
  { payment, actions }: PaymentView,
  { command, form }: CommandRequest,
): Promise<PaymentAction | undefined> {
  if (payment.type !== "PULL") return undefined;
  const refund = command.kind === "refund" ? refundOf(payment, command) : undefined;
  const key = refund?.id ?? command.kind;
  const kept = actions[key];
  if (kept !== undefined) {
    const isSame = command.kind !== "capture" || isAsked(payment, command, kept.minor);
    return isSame ? actionOf(payment, refund, kept) : undefined;
  }
  const facts = factsNow(payment, refund, command, form);
  return facts && actionOf(payment, refund, await payments.keepAction(payment.id, key, facts));
}

/** Returns what the first answer would say now; undefined while the command has not taken effect. */
function factsNow(
  payment: PaymentOf<"PULL">,
  refund: Refund | undefined,
  command: AnsweredCommand,
  form: number,
): ActionFacts | undefined {
  const { pull, state } = payment;
  switch (command.kind) {
    case "void":
      return state === "Voided" ? voidFacts(payment, pull, form) : undefined;
    case "capture": {
      const wasAsked = pull.capturedAt !== undefined && !pull.captureAtOnce;
      return wasAsked && isAsked(payment, command, pull.capturedMinor) ? captureFacts(payment, pull, form) : undefined;
    }
    case "refund":
      return refund === undefined || refund.status === "PENDING" ? undefined : refundFacts(refund, form);
  }
}

/** True when the command asks for exactly this amount. */
const isAsked = (payment: Payment, { amount }: Extract<Command, { kind: "capture" }>, minor: bigint): boolean =>
  (askedMinor(payment, amount) ?? payment.amount.minor) === minor;

/** True when this very command was claimed and its outcome is not known yet. */
function isClaimed(payment: Payment, command: AnsweredCommand): boolean {
  if (payment.type !== "PULL" || payment.execution.step !== command.kind) return false;
  const { pull, state } = payment;
  switch (command.kind) {
    case "void":
      return state === "PaymentAuthorized";
    case "capture":
      return !pull.captureAtOnce && isAsked(payment, command, pull.captureMinor);
    case "refund":
      return refundOf(payment, command)?.status === "PENDING";
  }
}

/** True when the provider has been asked without result: sending the same command again advances it. */
const isOpen = ({ execution: { attempts } }: Payment): boolean => attempts > 0;

const patienceMs = 5_000;
const pollMs = 50;

/** Returns what came of a claimed command. While its call is still under way, here or at another replica, the request waits. */
async function outcomeOf(deps: CommandPaymentDeps, request: CommandRequest): Promise<PaymentAction> {
  const { command } = request;
  for (let waitedMs = 0; waitedMs <= patienceMs; waitedMs += pollMs) {
    const view = await find(deps, request);
    const answer = await firstAnswer(deps, view, request);
    if (answer !== undefined) return answer;
    if (!isClaimed(view.payment, command)) throw notAllowed(view.payment, command.kind);
    if (isOpen(view.payment)) throw new DomainError("UNAVAILABLE", "the provider has not answered yet");
    await deps.pause(pollMs);
  }
  throw new DomainError("REQUEST_RUNNING", "the same request is still running");
}
