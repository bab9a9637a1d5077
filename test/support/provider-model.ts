import { applyFact } from "../../services/payment/domain/apply-fact";
import type { Fact, PayoutFactKind, PullFactKind } from "../../services/payment/domain/fact";
import { hasNews } from "../../services/payment/domain/news";
import { type Change, type Payment, unchanged } from "../../services/payment/domain/payment";
import { refusePayout } from "../../services/payment/domain/payout-facts";
import { withReleases } from "../../services/payment/domain/promises";
import { refusePull } from "../../services/payment/domain/pull-facts";
import { runningRefund } from "../../services/payment/domain/reversal";
import { applyScreening, type ScreeningReport } from "../../services/payment/domain/screening";
import { awaited, roleOf, type Step } from "../../services/payment/domain/steps";
import { type Money, money } from "../../services/shared/kernel/money";

/** An honest acquirer's or debit scheme's record of its actions. */
export interface CollectorBook {
  authorisation: "none" | "held" | "declined" | "voided";
  captured: bigint;
  captureId: string | undefined;
  settled: boolean;
  refunds: { key: string; minor: bigint }[];
  disputes: { id: string; minor: bigint }[];
  returnId: string | undefined;
}

/** An honest rail's record of its actions. */
export interface RailBook {
  status: "none" | "prepared" | "held" | "refused" | "rejected" | "cancelled" | "paid";
  paidId: string | undefined;
  returnId: string | undefined;
}

type Answer = readonly Fact[] | "refused";

/** Honest providers around one payment. They answer every step once and keep a book. */
export class ProviderModel {
  readonly collector: CollectorBook = {
    authorisation: "none",
    captured: 0n,
    captureId: undefined,
    settled: false,
    refunds: [],
    disputes: [],
    returnId: undefined,
  };
  readonly rail: RailBook = { status: "none", paidId: undefined, returnId: undefined };
  screening: ScreeningReport["status"] = "APPROVED";
  private ids = 0;

  constructor(
    public payment: Payment,
    /** True when providers give movements no ids of their own. */
    private readonly isAnonymous: boolean,
  ) {}

  id(): string {
    this.ids += 1;
    return `m${this.ids}`;
  }
  isDebit = (): boolean => this.payment.pull?.source.kind !== "card";

  /** The collected amount that the collector still holds. */
  left(): bigint {
    const { captured, refunds, disputes, returnId } = this.collector;
    const given = [...refunds, ...disputes].reduce((sum, { minor }) => sum + minor, 0n);
    return captured - given - (returnId === undefined ? 0n : captured);
  }

  save(change: Change): void {
    withReleases(this.payment, change.next, change.events);
    this.payment = { ...change.next, version: this.payment.version + 1 };
  }

  /** A callback or an answer, applied in its own write. */
  tell(facts: readonly Fact[]): void {
    for (const fact of facts) {
      const change = applyFact(unchanged(this.payment), fact, this.at);
      if (hasNews(this.payment, change) || change.next.state !== this.payment.state) this.save(change);
    }
  }

  readonly at = new Date("2026-03-01T10:00:00Z");

  private pull(kind: PullFactKind, facts: { movementId?: string; stepReference?: string; amount?: Money } = {}): Fact {
    const { pull, id } = this.payment;
    const { movementId, ...others } = facts;
    const named = this.isAnonymous || movementId === undefined ? {} : { movementId };
    const key = this.isAnonymous && movementId !== undefined ? { stepReference: movementId } : {};
    return { role: "pull", kind, provider: pull?.provider ?? "", reference: id, ...key, ...others, ...named };
  }

  private payout(kind: PayoutFactKind, movementId?: string): Fact {
    const { payout, id } = this.payment;
    const moved = movementId === undefined ? {} : { movementId, amount: payout?.amount };
    return { role: "payout", kind, provider: payout?.rail ?? "", reference: id, ...moved };
  }

  private usd = (minor: bigint): Money => money(minor, this.payment.amount.currency);

  authorised = (): Fact => this.pull("AUTHORIZED", { amount: this.usd(this.payment.amount.minor) });
  declined = (): Fact => this.pull("DECLINED");
  voided = (): Fact => this.pull("VOIDED");
  refunded = (key: string, minor: bigint): Fact =>
    this.pull("REFUNDED", { movementId: `R${key}`, stepReference: key, amount: this.usd(minor) });
  disputed = (id: string, minor: bigint): Fact =>
    this.pull("CHARGED_BACK", { movementId: id, amount: this.usd(minor) });

  /** All movements of the capture or the debit. */
  collected(): Fact[] {
    const { captured, captureId = "", settled, returnId } = this.collector;
    const amount = this.usd(captured);
    return [
      this.pull("CAPTURED", { movementId: captureId, amount }),
      ...(settled ? [this.pull("SETTLED", { movementId: captureId, amount })] : []),
      ...(returnId === undefined ? [] : [this.pull("RETURNED", { movementId: returnId, amount })]),
    ];
  }

  /** All facts of the rail about its instruction. */
  instruction(): Answer {
    const { status, paidId, returnId } = this.rail;
    if (status === "refused") return "refused";
    const moved = [
      ...(paidId === undefined ? [] : [this.payout("PAID", paidId)]),
      ...(returnId === undefined ? [] : [this.payout("RETURNED", returnId)]),
    ];
    if (status === "paid" || status === "none") return moved;
    const words = { prepared: "PREPARED", held: "HELD", rejected: "REJECTED", cancelled: "CANCELLED" } as const;
    return [...moved, this.payout(words[status])];
  }

  collect(minor: bigint): void {
    this.collector.captured = minor;
    this.collector.captureId = this.id();
  }

  /** Performs a requested step; a repeated request gets the same answer. */
  private perform(step: Step): Answer {
    const { collector, rail, payment } = this;
    switch (step) {
      case "authorize":
      case "capture":
        return this.isDebit() ? this.debit() : this.card(step);
      case "void":
        if (collector.captured > 0n) return this.collected();
        if (collector.authorisation !== "declined") collector.authorisation = "voided";
        return [this.voided()];
      case "refund": {
        const running = runningRefund(payment.refunds);
        if (running === undefined || running.minor <= 0n) throw new Error(`a refund of ${running?.minor} is sent`);
        const isNew = !collector.refunds.some(({ key }) => key === running.id);
        if (isNew && running.minor > this.left()) return "refused";
        if (isNew) collector.refunds.push({ key: running.id, minor: running.minor });
        return [this.refunded(running.id, running.minor)];
      }
      case "prepare":
        if (rail.status === "none") rail.status = "prepared";
        return this.instruction();
      case "release":
        if (rail.status === "prepared") Object.assign(rail, { status: "paid", paidId: this.id() });
        return this.instruction();
      default:
        if (["none", "prepared", "held"].includes(rail.status)) rail.status = "cancelled";
        return this.instruction();
    }
  }

  private debit(): Answer {
    if (this.collector.authorisation === "declined") return [this.declined()];
    if (this.collector.captured === 0n) this.collect(this.payment.amount.minor);
    return this.collected();
  }

  private card(step: "authorize" | "capture"): Answer {
    const { collector, payment } = this;
    if (step === "authorize") {
      if (collector.authorisation === "none") collector.authorisation = "held";
      const words = { held: this.authorised(), declined: this.declined(), voided: this.voided() };
      return [words[collector.authorisation]];
    }
    if (collector.captured === 0n && collector.authorisation !== "held") return "refused";
    if (collector.captured === 0n) this.collect(payment.pull?.captureMinor ?? 0n);
    return this.collected();
  }

  /** One turn of the engine: performs the step and applies its answer. False when nothing changed. */
  turn(): boolean {
    const { payment } = this;
    const step = payment.execution.step ?? awaited[payment.state];
    if (step === undefined) return false;
    const change = roleOf[step] === "screening" ? this.screen() : this.take(step);
    if (
      !hasNews(payment, change) &&
      change.next.state === payment.state &&
      change.next.execution.step === payment.execution.step
    )
      return false;
    this.save(change);
    return true;
  }

  private screen = (): Change =>
    applyScreening(unchanged(this.payment), { status: this.screening, reason: undefined }, this.at);

  private take(step: Step): Change {
    // A step that only waits for an answer is queried, and not sent again.
    const isSent = this.payment.execution.step !== undefined;
    const isPull = roleOf[step] === "pull";
    const answer = isSent ? this.perform(step) : isPull ? this.collected() : this.instruction();
    const start = unchanged(this.payment);
    if (answer !== "refused") return answer.reduce((change, fact) => applyFact(change, fact, this.at), start);
    const refusal = { code: "no", reason: { code: "MS03", text: undefined }, evidence: undefined };
    return (isPull ? refusePull(start, refusal, this.at) : refusePayout(start, refusal, this.at)) ?? start;
  }
}
