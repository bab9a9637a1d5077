import type { Server } from "node:http";
import type { Express } from "express";
import { PaymentReceipt, PaymentStatus } from "../../proto/gen/corridor/payment/v1/payment_receipt";

/** The settings that the bench gave to one of its own programs. */
export const floorSettings = (): Record<string, string> =>
  JSON.parse(process.argv[2] ?? "{}") as Record<string, string>;

/** Says that this program serves; SIGTERM then ends it. */
export function announce(port: number): void {
  process.once("SIGTERM", () => process.exit(0));
  process.stdout.write(`ready ${port}\n`);
}

/** Serves an Express application on a free port of loopback. */
export function serve(app: Express): void {
  const server: Server = app.listen(0, "127.0.0.1", () => {
    const address = server.address();
    announce(typeof address === "object" && address !== null ? address.port : 0);
  });
}

/** Express without what a request does not need, as the gateway has it. */
export function makeLean(app: Express): Express {
  app.disable("etag");
  app.disable("x-powered-by");
  app.set("query parser", "simple");
  return app;
}

/** What every floor answers to a payment: as long as the real answer. */
export const floorAnswer = {
  amount: 100,
  paymentId: "00000000-0000-8000-8000-000000000000",
  parentPaymentId: "00000000-0000-8000-8000-000000000000",
  externalPaymentId: "00000000-0000-4000-8000-000000000000",
  created: "2026-01-01 00:00:00",
  status: "PENDING",
  approved: false,
  captured: false,
  voided: false,
  responseCode: "09",
  automaticReversed: false,
};

/** The same as a message. */
export const floorReceipt: PaymentReceipt = {
  ...PaymentReceipt.decode(new Uint8Array()),
  answerForm: 1,
  paymentId: floorAnswer.paymentId,
  parentPaymentId: floorAnswer.parentPaymentId,
  externalPaymentId: floorAnswer.externalPaymentId,
  amount: { amountMinor: 10_000n, currency: "USD" },
  createdAt: new Date("2026-01-01T00:00:00Z"),
  status: PaymentStatus.PENDING,
  responseCode: floorAnswer.responseCode,
};
