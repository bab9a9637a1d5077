import type { TenantCredentials } from "../bootstrap";
import { type Caller, expect, json, text } from "./transcript";

/** The states of a push by PIX: the ten specified steps without the three of a pull. */
export const pushStates = [
  "Created",
  "ProcessingPayout",
  "PayoutAccepted",
  "ReviewApproved",
  "WaitingPayout",
  "Paid",
  "Completed",
];

/** Called with the subscription before the payment. */
export type Meddle = (subscriptionPath: string, call: Caller, agentHeaders: Record<string, string>) => Promise<void>;

/** A bearer header of the tenant. */
export async function authorise(
  call: Caller,
  { clientId, clientSecret }: TenantCredentials,
): Promise<Record<string, string>> {
  const form = new URLSearchParams({
    grant_type: "client_credentials",
    client_id: clientId,
    client_secret: clientSecret,
  });
  const token = await call({
    method: "POST",
    path: "/oauth/token",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: form.toString(),
    status: 200,
    say: (answer) => `${text(answer, "token_type")} token for ${text(answer, "expires_in")} s`,
  });
  return { authorization: `Bearer ${text(token, "access_token")}` };
}

/** Registers an endpoint for payment events; returns its signing secret. */
export async function subscribe(
  credentials: TenantCredentials,
  call: Caller,
  url: string,
  meddle: Meddle = () => Promise.resolve(),
): Promise<string> {
  const { tenant, apiKey, agents } = credentials;
  const agent = agents.find(({ status }) => status === "ACTIVE");
  expect(agent !== undefined, "an approved agent");
  const headers = { "x-api-key": apiKey, ...json };
  const agentHeaders = { ...headers, "x-agent-id": agent.agentId, "x-agent-api-key": agent.apiKey };
  const webhooks = `/organizations/${tenant}/webhooks`;
  const subscription = await call({
    method: "POST",
    path: webhooks,
    headers,
    body: JSON.stringify({ url, events: ["TransactionStatusChanged"] }),
    status: 200,
    say: () => `deliveries go to ${url}`,
  });
  const path = `${webhooks}/${text(subscription, "id")}`;
  const secret = await call({
    method: "POST",
    path: `${path}/secret`,
    headers: agentHeaders,
    status: 200,
    say: (answer) => `signing secret with fingerprint ${text(answer, "secretFingerprint")}`,
  });
  await meddle(path, call, agentHeaders);
  return text(secret, "signingSecret");
}

/** Requests the rate of 100 USD in BRL; returns the body of a payment with it. */
export async function quote(call: Caller, bearer: Record<string, string>, id: string): Promise<string> {
  const quoted = await call({
    method: "POST",
    path: "/v2/foreign-exchange",
    headers: { ...bearer, ...json },
    body: JSON.stringify({
      sourceCurrencyCode: "USD",
      destinationCurrencyCode: "BRL",
      paymentMethod: "BANK_ACCOUNT",
      sourceCurrencyAmount: 100,
      destinationCountryCode: "BRA",
    }),
    status: 200,
    say: (answer) => `1 USD = ${text(answer, "conversionRate")} BRL until ${text(answer, "quoteIdExpiryDateTime")}`,
  });
  return JSON.stringify(paymentBody(id, text(quoted, "fxId"), Number.parseFloat(text(quoted, "conversionRate"))));
}

/** Sends the payment; returns the answer's body. */
export async function pay(call: Caller, bearer: Record<string, string>, body: string): Promise<string> {
  const accepted = await call({
    method: "POST",
    path: "/v2/payment",
    headers: { ...bearer, ...json },
    body,
    status: 200,
    say: (answer) => `${text(answer, "status")}, paymentId ${text(answer, "paymentId")}`,
  });
  expect(accepted.json["status"] === "PENDING", "status PENDING");
  return accepted.text;
}

/** 100 USD to a PIX key in Brazil, as GET /schema/BRA requires. */
function paymentBody(externalPaymentId: string, fxId: string, rate: number): object {
  return {
    externalPaymentId,
    ipAddress: "203.0.113.7",
    paymentType: "PUSH",
    amount: { total: 100, currency: "USD" },
    recipientAmount: { total: 100 * rate, currency: "BRL" },
    exchangeRate: rate,
    fxId,
    sender: {
      firstName: "Ada",
      lastName: "Lovelace",
      address: { countryCode: "GBR", city: "London", line1: "12 Hill Road" },
    },
    recipient: {
      firstName: "Maria",
      lastName: "Souza",
      documents: [{ document: "390.533.447-05", type: "CPF", countryCode: "BRA" }],
      paymentMethod: { type: "PIX", countryCode: "BRA", key: "maria.souza@example.com", keyType: "EMAIL" },
    },
    additionalData: { statementNarrative: "rent for March" },
  };
}
