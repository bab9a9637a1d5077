import { factId } from "../../../services/payment/domain/fact";
import type { Payment } from "../../../services/payment/domain/payment";
import { isUndone, type Step } from "../../../services/payment/domain/steps";
import type { Outcome, Provider } from "../../../services/payment/ports";
import { hasReason } from "../../../services/shared/kernel/errors";

/** How a provider's test environment misbehaves for the next call of a step. */
export type Fault = "executed-unanswered" | "refused-with-503";

/** A provider under test, connected to an environment that can misbehave and that counts effects. */
export interface ConformanceSubject {
  provider: Provider;
  /** The same adapter without a provider at the other end. */
  unreachable: Provider;
  /** Steps in the order in which a payment takes them, each with what an accepted call reports. */
  steps: readonly (readonly [Step, string])[];
  /** A payment that no provider knows. */
  newPayment(): Payment;
  fault(step: Step, fault: Fault): void;
  /** How often the step took effect on the other side. */
  effects(payment: Payment, step: Step): number | Promise<number>;
}

const wordOf = (outcome: Outcome): string =>
  outcome.kind === "facts" ? (outcome.facts.at(-1)?.kind ?? "none") : outcome.kind;

/** What every adapter promises (`services/payment/adapters/README.md`), as tests. */
export function describeConformance(
  name: string,
  steps: ConformanceSubject["steps"],
  subject: () => ConformanceSubject,
): void {
  /** A payment that has taken all steps before the named one. */
  const paymentBefore = async (step: Step): Promise<Payment> => {
    const { provider, newPayment } = subject();
    const payment = newPayment();
    for (const [earlier] of steps) {
      if (earlier === step) break;
      await provider.perform(payment, earlier);
    }
    return payment;
  };

  describe(`the adapter ${name}`, () => {
    it.each(steps)(
      "does %s, reports %s under our reference, and does it once however often it is told",
      async (step, status) => {
        const { provider, effects } = subject();
        const payment = await paymentBefore(step);

        const outcomes = [];
        for (let call = 0; call < 3; call += 1) outcomes.push(await provider.perform(payment, step));

        expect(wordOf(outcomes[0] ?? { kind: "unknown" })).toBe(status);
        expect(outcomes.every((outcome) => outcome.kind === "facts")).toBe(true);
        const ids = outcomes.map((outcome) => (outcome.kind === "facts" ? outcome.facts.map(factId) : []));
        expect(ids).toEqual(ids.map(() => ids[0]));
        for (const outcome of outcomes) {
          const references = outcome.kind === "facts" ? outcome.facts.map(({ reference }) => reference) : [];
          expect(new Set(references)).toEqual(new Set([payment.id]));
        }
        expect(await effects(payment, step)).toBe(1);
      },
    );

    it.each(steps)("says of %s before it was told that it is undone, and does nothing by being asked", async (step) => {
      const { provider, effects } = subject();
      const payment = await paymentBefore(step);

      const word = wordOf(await provider.ask(payment, step));

      expect(isUndone(step, word) || (step === "release" && word === "absent")).toBe(true);
      expect(await effects(payment, step)).toBe(0);
    });

    it.each(steps)(
      "answers unknown when the answer to %s is lost, and finds the effect when it is asked",
      async (step) => {
        const { provider, fault, effects } = subject();
        const payment = await paymentBefore(step);
        fault(step, "executed-unanswered");

        const lost = await provider.perform(payment, step);
        const found = await provider.ask(payment, step);

        expect(lost).toEqual({ kind: "unknown" });
        expect(found.kind).toBe("facts");
        expect(isUndone(step, wordOf(found))).toBe(false);
        expect(await effects(payment, step)).toBe(1);
      },
    );

    it.each(steps)("answers unknown when %s fails with 503, and is then asked in vain", async (step) => {
      const { provider, fault, effects } = subject();
      const payment = await paymentBefore(step);
      fault(step, "refused-with-503");

      const failed = await provider.perform(payment, step);
      const word = wordOf(await provider.ask(payment, step));

      expect(failed).toEqual({ kind: "unknown" });
      expect(isUndone(step, word) || (step === "release" && word === "absent")).toBe(true);
      expect(await effects(payment, step)).toBe(0);
    });

    if (steps.some(([step]) => step === "release")) {
      it("does nothing for other content under a reference that the provider knows, and says so", async () => {
        const { provider, newPayment, effects } = subject();
        const step = provider.manifest.hasPrepare ? "prepare" : "release";
        const payment = newPayment();
        const other = { ...payment, sender: { ...payment.sender, lastName: "Byron" } };
        await provider.perform(payment, step);

        expect(wordOf(await provider.perform(other, step))).toBe("REFERENCE_TAKEN");
        expect(await effects(payment, step)).toBe(1);
      });
    }

    it("answers unknown, and never throws, when nobody is there", async () => {
      const { unreachable, newPayment } = subject();

      for (const [step] of steps) {
        expect(await unreachable.perform(newPayment(), step)).toEqual({ kind: "unknown" });
        expect(await unreachable.ask(newPayment(), step)).toEqual({ kind: "unknown" });
      }
    });

    it.each(["", "t=1,v1=00", `t=${Math.floor(Date.now() / 1_000)},v1=${"0".repeat(64)}`])(
      "refuses a callback whose signature is %j",
      (signature) => {
        const refusal = (() => {
          try {
            subject().provider.readCallback(signature, Buffer.from('{"reference":"r","status":"PAID"}'));
            return undefined;
          } catch (error) {
            return error;
          }
        })();

        expect(hasReason(refusal, "UNAUTHENTICATED")).toBe(true);
      },
    );
  });
}
