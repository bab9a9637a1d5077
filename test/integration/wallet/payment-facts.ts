import { randomUUID } from "node:crypto";
import {
  type MoneyMoved,
  PaymentEvents,
  type Posting,
  type PromiseRelease,
} from "../../../proto/gen/corridor/payment/v1/payment_events";
import { type Bus, openBus, streamOf } from "../../../services/shared/bus/jetstream";
import { silent } from "../bus/bus-testbed";
import { tenant, type WalletWorld } from "./wallet-world";

export type Told = Partial<MoneyMoved> & { eventId?: string; releases?: PromiseRelease[] };

/** Payments as the ledger receives them. */
export interface PaymentFacts {
  /** Publishes one message with one event for each fact; returns the payment's id. */
  tell(...facts: readonly Told[]): Promise<string>;
  stop(): Promise<void>;
}

/** Two postings that move an amount from a tenant's funding to an account. */
export const funded = (minor: bigint, account = "provider/pix/clearing", currency = "USD"): Posting[] => [
  { account: `tenant/${tenant}/funding`, currency, minor: -minor },
  { account, currency, minor },
];

export async function openPaymentFacts(world: WalletWorld): Promise<PaymentFacts> {
  const bus: Bus = await openBus({ url: world.testbed.natsUrl, name: "test", logger: silent });
  await bus.ensureStream(streamOf("payment", 1));
  return {
    async tell(...facts) {
      const paymentId = randomUUID();
      const events = facts.map(({ eventId, releases = [], ...fact }, index) => ({
        eventId: eventId ?? `${paymentId}-${index}`,
        sequence: index + 1,
        occurredAt: world.now,
        traceparent: "",
        messages: [],
        releases,
        change: {
          $case: "money" as const,
          value: { kind: "payout", postings: [], entryId: "", ...fact },
        },
      }));
      const payload = PaymentEvents.encode({ tenant, paymentId, externalPaymentId: undefined, events }).finish();
      const place = { subject: "corridor.payment.events", traceparent: undefined, committedAt: world.now };
      await bus.publish({ id: randomUUID(), payload, ...place });
      return paymentId;
    },
    stop: () => bus.stop(),
  };
}
