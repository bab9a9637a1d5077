import type { Platform } from "../../local/platform";
import { Corridor, type CorridorOptions, type Decimal, payouts, type Quote } from "../../sdk/src/main.ts";
import { freshId } from "./platform-client";

/** Makes the client like an integrator of tenant `demo`. */
export function connectSdk(
  { credentials }: Pick<Platform, "credentials">,
  changes: Partial<CorridorOptions> = {},
): Corridor {
  const demo = credentials.tenants.find(({ tenant }) => tenant === "demo");
  const agent = demo?.agents.find(({ status }) => status === "ACTIVE");
  if (demo === undefined || agent === undefined) throw new Error("there is no tenant demo with an approved agent");
  return new Corridor({
    baseUrl: credentials.baseUrl,
    clientId: demo.clientId,
    clientSecret: demo.clientSecret,
    tenant: demo.tenant,
    apiKey: demo.apiKey,
    agent: { id: agent.agentId, apiKey: agent.apiKey },
    ...changes,
  });
}

const ada = { firstName: "Ada", lastName: "Lovelace", address: { countryCode: "GBR", city: "London" } };

/** A payout to a PIX key at a quote. */
export const pixPayout = (quote: Quote, externalPaymentId = freshId(), more: { dynamicDescriptor?: string } = {}) =>
  payouts.BRA.pix({
    externalPaymentId,
    ipAddress: "203.0.113.7",
    amount: { total: "100.00", currency: "USD" },
    quote,
    sender: ada,
    recipient: {
      firstName: "Maria",
      lastName: "Souza",
      documents: [{ type: "CPF", document: "390.533.447-05" }],
      paymentMethod: { key: "maria.souza@example.com", keyType: "EMAIL" },
    },
    ...more,
  });

/** A payout within one currency, which needs no quote. */
export const dollarPayout = (externalPaymentId = freshId(), total: Decimal = "10.00") =>
  payouts.ECU.bankDeposit({
    externalPaymentId,
    ipAddress: "203.0.113.7",
    amount: { total, currency: "USD" },
    recipientAmount: { total, currency: "USD" },
    sender: ada,
    recipient: {
      firstName: "Andrea",
      lastName: "Mora",
      paymentMethod: { accountNumber: "2200123456", bankCode: "010", accountType: "CHECKING" },
    },
  });
