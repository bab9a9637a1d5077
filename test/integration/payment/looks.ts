import { CaseKind, CaseState } from "../../../proto/gen/corridor/payment/v1/case_service";
import { hasReason } from "../../../services/shared/kernel/errors";
import { until } from "../../support/platform-client";
import { demo, type PaymentWorld } from "./payment-world";

type Told = { reason: string; message: string; fields: string[]; details: Readonly<Record<string, unknown>> };

/** Why a call was refused; undefined when it was answered. Anything but a refusal is thrown. */
export async function refusalOf(call: Promise<unknown>): Promise<Told | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const { reason, message, violations, details } = error;
    return { reason, message, fields: violations.map(({ field }) => field), details };
  }
}

type Refusal = Told & { violations: readonly { field: string }[] };
const isRefusal = (error: unknown): error is Refusal =>
  error instanceof Error && "reason" in error && "violations" in error;

/** Asks again while a service is away: on a busy machine one may be for a moment. */
export async function insistent<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!hasReason(error, "UNAVAILABLE") || tries >= 20) throw error;
    }
  }
}

/** A payment as it is now. */
export const recordOf = async ({ replicas }: PaymentWorld, externalPaymentId: string) =>
  (await insistent(() => replicas[1].getPayment({ tenant: demo, externalPaymentId }))).payment;

/** States that nothing leaves. */
const last = ["Cancelled", "Voided", "Refunded", "PaymentDeclined"];

/** Waits until a payment is in a state, or can never come there, and returns where it is then. */
export const reaches = async (world: PaymentWorld, id: string, ...states: string[]): Promise<string | undefined> =>
  (
    await until(
      () => recordOf(world, id),
      (found) => [...states, ...last].includes(found?.transactionState ?? ""),
    )
  )?.transactionState;

/** Everything that happened to a payment. */
const storyOf = ({ replicas }: PaymentWorld, externalPaymentId: string) =>
  insistent(() => replicas[1].getTimeline({ tenant: demo, externalPaymentId, withEvidence: false }));

/** The money that a payment has posted, as `kind minor` of what moved at the provider, in order. */
export async function postedOf(world: PaymentWorld, id: string): Promise<string[]> {
  const { events } = await storyOf(world, id);
  return events.flatMap(({ change }) => {
    if (change?.$case !== "money" || change.value.kind === "fee") return [];
    const { kind, postings } = change.value;
    const clearing = postings.filter(({ account }) => account.endsWith("/clearing"));
    const minor = clearing.reduce((sum, posting) => sum + posting.minor, 0n);
    return [`${kind} ${minor < 0n ? -minor : minor}`];
  });
}

/** The calls to providers, as `approach step: outcome`. */
export const callsOf = async (world: PaymentWorld, id: string): Promise<string[]> =>
  (await storyOf(world, id)).attempts.map(({ approach, step, outcome }) => `${approach} ${step}: ${outcome}`);

const anyCase = { state: CaseState.UNSPECIFIED, kind: CaseKind.UNSPECIFIED, tenant: "", provider: "" };

/** The cases about a payment, the newest first. */
export const casesOf = async ({ replicas }: PaymentWorld, paymentId: string) =>
  (await insistent(() => replicas[0].listCases({ ...anyCase, paymentId, after: undefined, limit: 50 }))).cases;
