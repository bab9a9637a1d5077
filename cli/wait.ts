import type { Payment } from "../sdk/src/main.ts";
import { type Given, textOf } from "./command.ts";
import type { Context } from "./context.ts";
import { Declined, Usage } from "./failures.ts";

/** States in which a payment is decided, but more is about to follow. */
const underWay: ReadonlySet<string> = new Set(["Paid", "PaymentProcessing"]);

/**
 * Waits for the outcome of a payment, as long as --timeout says; `isTold` prints each step on the way. A payment that ends unpaid is shown,
 * and has an exit code of its own.
 */
export async function waitForPayment(given: Given, id: string, isTold = false): Promise<Payment> {
  const { context } = given;
  const seconds = Number(textOf(given, "timeout") ?? "60");
  if (!(seconds > 0)) throw new Usage("--timeout takes seconds");
  const tell = makeTeller(context);
  let told = Promise.resolve();
  const payment = await context.corridor().payments.wait(id, {
    timeoutMs: seconds * 1_000,
    signal: context.signal,
    until({ status, state }: Payment & { state?: string }) {
      if (isTold) told = told.then(() => tell(id));
      return status !== "PENDING" && !underWay.has(state ?? "");
    },
  });
  await told;
  if (payment.status === "PENDING") context.out.say("it is not decided yet, and nothing is lost: watch it again");
  if (["DECLINED", "ERROR", "VOIDED"].includes(payment.status)) {
    context.out.show(payment);
    const { reasonMessage = "", reasonCode } = payment as Payment & { reasonMessage?: string; reasonCode?: string };
    const guide = reasonCode === undefined ? "" : `\nwhat to do: docs/guides/reason-codes.md, ${reasonCode}`;
    throw new Declined(`${id} is ${payment.status}. ${reasonMessage}`.trim() + guide);
  }
  return payment;
}

/** Prints each state of a payment once. */
function makeTeller({ corridor, out }: Context): (id: string) => Promise<void> {
  let seen = 0;
  return async (id) => {
    const { states } = await corridor().payments.timeline(id);
    for (const { at, to } of states.slice(seen)) out.say(`${at}  ${to}`);
    seen = Math.max(seen, states.length);
  };
}
