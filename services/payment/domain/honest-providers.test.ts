import fc from "fast-check";
import { accountPull, cardPull, newPayment } from "../../../test/support/payment-builder";
import { ProviderModel } from "../../../test/support/provider-model";
import { DomainError } from "../../shared/kernel/errors";
import { isInBalance } from "./balance";
import { applyCommand, type Command } from "./commands";
import { holdOf } from "./hold";
import { isIdle } from "./payment";
import { stands } from "./promises";
import type { PaymentType } from "./typed-legs";

/** One event, chosen by a number among those that are possible at that moment. */
type Happening = { kind: "turn" } | { kind: "command"; choice: number } | { kind: "spontaneous"; choice: number };

const happening: fc.Arbitrary<Happening> = fc.oneof(
  { arbitrary: fc.constant({ kind: "turn" } as const), weight: 4 },
  fc.record({ kind: fc.constant("command" as const), choice: fc.nat(1_000) }),
  { arbitrary: fc.record({ kind: fc.constant("spontaneous" as const), choice: fc.nat(1_000) }), weight: 2 },
);

const start = fc.record({
  type: fc.constantFrom<PaymentType>("PUSH", "PULL", "PULLPUSH", "PULLPUSH"),
  isCard: fc.boolean(),
  captureAtOnce: fc.boolean(),
  limit: fc.constantFrom(undefined, 0n),
  isAnonymous: fc.boolean(),
});
type Start = typeof start extends fc.Arbitrary<infer T> ? T : never;

const free = { bps: 0, fixedMinor: 0n };
const promises = [
  { blockId: "b", place: 0, account: "provider/pix/clearing", currency: "BRL", minor: 54_321n },
  { blockId: "c", place: 0, account: "tenant/demo/funding", currency: "USD", minor: 10_000n },
];

function open({ type, isCard, captureAtOnce, limit, isAnonymous }: Start): ProviderModel {
  const pull = isCard ? cardPull({ captureAtOnce: type === "PULLPUSH" || captureAtOnce }) : accountPull();
  const terms = { fees: { PRE_AUTH: free, CAPTURE: free, REFUND: free }, reversalLimitMinor: limit };
  const promised = { PUSH: promises, PULL: [], PULLPUSH: promises.slice(0, 1) }[type];
  const facts = { terms, promises: promised, pull: type === "PUSH" ? undefined : pull };
  return new ProviderModel(newPayment(type, facts).next, isAnonymous);
}

function command(model: ProviderModel, choice: number): void {
  const externalId = `r${choice}-${model.payment.refunds.length}`;
  // Two refunds of the same amount are as likely as not.
  const amount = choice % 2 === 0 ? { digits: 1_000n, scale: 2 } : undefined;
  const all: readonly Command[] = [
    { kind: "capture", amount: undefined },
    { kind: "void" },
    { kind: "refund", externalId, amount, reason: undefined },
    { kind: "refund", externalId, amount, reason: undefined },
    { kind: "cancel" },
    { kind: "approveReversal" },
    { kind: "refuseReversal" },
    { kind: "rejectHold" },
  ];
  const one = all[choice % all.length];
  try {
    if (one !== undefined) model.save(applyCommand(model.payment, one, model.at));
  } catch (error) {
    if (!(error instanceof DomainError) || error.reason === "INTERNAL") throw error;
  }
}

/** Returns what providers may do on their own in their present state. */
function choices(model: ProviderModel): (() => void)[] {
  const { payment, rail, collector } = model;
  const tell = (did: () => void, told: () => Parameters<ProviderModel["tell"]>[0] | "refused") => () => {
    did();
    const facts = told();
    if (facts !== "refused") model.tell(facts);
  };
  const acts: (() => void)[] = [];
  if (payment.pull !== undefined && !model.isDebit()) {
    const { authorisation, captured } = collector;
    const isOpen = authorisation === "held" && captured === 0n;
    const isOver = (authorisation === "declined" || authorisation === "voided") && captured === 0n;
    const isAsked = authorisation === "none" && payment.execution.step === "authorize";
    const full = payment.pull.captureMinor;
    if (isAsked)
      acts.push(
        tell(
          () => (collector.authorisation = "declined"),
          () => [model.declined()],
        ),
      );
    if (isOver)
      acts.push(
        tell(
          () => (collector.authorisation = "held"),
          () => [model.authorised()],
        ),
      );
    if (isOpen)
      acts.push(
        tell(
          () => model.collect(full),
          () => model.collected(),
        ),
      );
    if (isOpen)
      acts.push(
        tell(
          () => (collector.authorisation = "voided"),
          () => [model.voided()],
        ),
      );
    const left = model.left();
    for (const minor of [1_000n, left].filter((one) => one > 0n && one <= left)) {
      const id = model.id();
      acts.push(
        tell(
          () => collector.disputes.push({ id, minor }),
          () => [model.disputed(id, minor)],
        ),
      );
      acts.push(
        tell(
          () => collector.refunds.push({ key: id, minor }),
          () => [model.refunded(id, minor)],
        ),
      );
    }
  }
  if (payment.pull !== undefined && model.isDebit() && collector.captured > 0n && collector.returnId === undefined) {
    if (!collector.settled)
      acts.push(
        tell(
          () => (collector.settled = true),
          () => model.collected(),
        ),
      );
    if (collector.refunds.length === 0) {
      acts.push(
        tell(
          () => (collector.returnId = model.id()),
          () => model.collected(),
        ),
      );
    }
  }
  if (payment.payout !== undefined) {
    const to = (status: (typeof rail)["status"]) =>
      tell(
        () => (rail.status = status),
        () => model.instruction(),
      );
    const paid = { status: "paid", paidId: model.id() } as const;
    if (rail.status === "none" && payment.execution.step === "prepare") acts.push(to("held"));
    if (rail.status === "held") acts.push(to("prepared"), to("refused"));
    if (rail.status === "prepared") {
      acts.push(
        to("rejected"),
        to("cancelled"),
        tell(
          () => Object.assign(rail, paid),
          () => model.instruction(),
        ),
      );
    }
    if (rail.status === "paid" && rail.returnId === undefined) {
      acts.push(
        tell(
          () => (rail.returnId = model.id()),
          () => model.instruction(),
        ),
      );
    }
    acts.push(() => (model.screening = "REJECTED"));
  }
  return acts;
}

function happen(model: ProviderModel, one: Happening): void {
  if (one.kind === "turn") model.turn();
  else if (one.kind === "command") command(model, one.choice);
  else {
    const acts = choices(model);
    acts[one.choice % Math.max(acts.length, 1)]?.();
  }
}

/** Lets everything that is under way finish. */
function settleDown(model: ProviderModel): void {
  for (let turns = 0; turns < 60 && !isIdle(model.payment); turns += 1) {
    const { collector, payment } = model;
    if (payment.state === "WaitingSettlement" && collector.returnId === undefined) collector.settled = true;
    if (!model.turn()) return;
  }
}

/** Returns what is wrong with a finished payment, compared with its providers' books. */
function faultsOf(model: ProviderModel): string[] {
  const { payment, collector, rail } = model;
  const { pull, payout, openCase, state } = payment;
  const { step } = payment.execution;
  const faults: string[] = [];
  const differs = (what: string, ours: unknown, theirs: unknown): void => {
    if (ours !== theirs) faults.push(`${what}: ${ours} here, ${theirs} there`);
  };
  if (pull !== undefined) {
    differs("captured", pull.capturedMinor, collector.captured);
    differs("left", pull.capturedMinor - pull.refundedMinor, model.left());
  }
  if (payout !== undefined) {
    const paid = rail.paidId === undefined ? 0n : payout.amount.minor;
    differs("paid", payout.paidMinor, paid);
    differs("paid back", payout.returnedMinor, rail.returnId === undefined ? 0n : payout.amount.minor);
  }
  if (isIdle(payment)) {
    if (!isInBalance(payment) && openCase === undefined) faults.push("rests out of balance without a case");
    if (rail.status === "prepared" || rail.status === "held") faults.push(`rests with an instruction ${rail.status}`);
    if (payment.promises.some((promise) => stands(promise, payment))) faults.push("rests with a promise");
  } else if (step !== undefined) faults.push(`the step ${step} never ends in ${state}`);
  else if (payment.execution.dueAt === undefined && openCase === undefined && holdOf(payment) === undefined)
    faults.push(`nobody looks at ${state}`);
  return faults;
}

describe("a payment among honest providers, whatever they do by themselves and whoever asks for what", () => {
  it("ends with the books of its providers, with nothing under way and nothing promised, or with one case", () => {
    const runs = 4_000 * Number(process.env["RANDOM_FACTOR"] ?? "1");
    fc.assert(
      fc.property(start, fc.array(happening, { maxLength: 16 }), (facts, happenings) => {
        const model = open(facts);
        for (const one of happenings) happen(model, one);
        settleDown(model);
        const faults = faultsOf(model);
        if (faults.length > 0) throw new Error(`${model.payment.type} in ${model.payment.state}: ${faults.join("; ")}`);
      }),
      { numRuns: runs, seed: 20_261_124 },
    );
  });
});
