import { tell, tellAll } from "../../../../test/support/facts";
import { accountPull, builtAt as at, newPayment } from "../../../../test/support/payment-builder";
import type { JsonObject } from "../../../shared/kernel/json";
import { applyFact } from "../../domain/apply-fact";
import { type Change, type Payment, unchanged } from "../../domain/payment";
import { readAnswer } from "../answers";
import { debitTables } from "./collections";

const start = (): Payment =>
  tellAll(newPayment("PULL", { pull: accountPull() }).next, at, { role: "screening", status: "APPROVED" }).next;

const money = { amount: "100.00", currency: "USD" };
const brief = (status: string): JsonObject => ({ debitId: "D1", status, ...money });
const movement = (movementId: string, amount = "100.00"): JsonObject => ({
  reference: "x",
  movementId,
  amount,
  currency: "USD",
});

/** Applies the scheme's answers one after the other. */
function hear(payment: Payment, ...bodies: readonly JsonObject[]): Change {
  return bodies.reduce<Change>((change, body) => {
    const whole = { reference: payment.id, ...body };
    const answer = { status: 200, raw: JSON.stringify(whole), body: whole };
    const outcome = readAnswer(answer, debitTables.debit(change.next));
    if (outcome.kind !== "facts") throw new Error(outcome.kind);
    return outcome.facts.reduce((so, fact) => applyFact(so, fact, at), change);
  }, unchanged(payment));
}

const moved = ({ next: { pull } }: Change) => [pull?.capturedMinor, pull?.refundedMinor];

describe("a debit that is told briefly and in full", () => {
  const listed = { ...brief("ACCEPTED"), captures: [movement("c1")], returns: [], refunds: [] };
  const settled = { ...listed, status: "SETTLED" };
  const parts = { ...listed, captures: [movement("c1", "60.00"), movement("c2", "40.00")] };

  it.each<[string, readonly JsonObject[]]>([
    ["briefly first", [brief("ACCEPTED"), listed, listed]],
    ["in full first", [listed, brief("ACCEPTED")]],
    ["as settled in full", [brief("ACCEPTED"), settled]],
    ["as settled briefly", [brief("ACCEPTED"), brief("SETTLED"), settled, brief("SETTLED")]],
    ["in parts", [brief("ACCEPTED"), parts, brief("SETTLED")]],
  ])("was collected once: %s", (_name, bodies) => {
    const done = hear(start(), ...bodies);

    expect(moved(done)).toEqual([10_000n, 0n]);
    expect(done.next.openCase).toBeUndefined();
  });

  const back = { ...listed, status: "RETURNED", returns: [movement("r1")] };
  it.each<[string, readonly JsonObject[]]>([
    ["briefly first", [listed, brief("RETURNED"), back, back]],
    ["beside what was collected", [listed, { ...listed, status: "RETURNED" }, back]],
    ["in full first", [listed, back, brief("RETURNED")]],
    ["before its collection was heard of", [brief("RETURNED"), back]],
  ])("came back once: %s", (_name, bodies) => {
    const done = hear(start(), ...bodies);

    expect(moved(done)).toEqual([10_000n, 10_000n]);
    expect(done.next.openCase).toBeUndefined();
  });

  it("has two refunds of one key in its list without ids: both are posted, and a person finds out", () => {
    const settledDebit = tell(hear(start(), settled), { role: "screening", status: "APPROVED" }, at);
    const { movementId: _none, ...bare } = movement("none", "10.00");
    const twice = { ...settled, refunds: [bare, bare] };

    expect(moved(hear(settledDebit.next, twice, twice))).toEqual([10_000n, 2_000n]);
    expect(hear(settledDebit.next, twice).next.openCase?.kinds).toEqual(["UNEXPECTED_FACT"]);
  });
});
