import type { Answer, Gateway } from "./gateway";

export interface PayOnceOptions {
  clientId: string;
  clientSecret: string;
  /** The caller's id of the payment; repeating it pays nothing more. */
  externalPaymentId: string;
  /** Time limit of the payout. */
  patienceMs: number;
}

const pauseMs = 500;
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Pays 100 USD to a PIX key in the sandbox, through the gateway as a caller would, and returns the payment once it is paid.
 * Throws with the failed step. Retries a gateway that is still starting within the time limit.
 */
export async function payOnce(gateway: Gateway, options: PayOnceOptions): Promise<Answer["json"]> {
  const { clientId, clientSecret, externalPaymentId, patienceMs } = options;
  const giveUpAtMs = performance.now() + patienceMs;
  const step = async (name: string, ask: () => Promise<Answer>, isDone: (answer: Answer) => boolean = isGood) => {
    for (;;) {
      const answer = await ask().catch(asAnswer);
      if (isDone(answer)) return answer.json;
      const isFinal = answer.status !== 503 && !isGood(answer);
      if (isFinal || performance.now() > giveUpAtMs) {
        throw new Error(`${name} ended with ${answer.status}: ${JSON.stringify(answer.json)}`);
      }
      await wait(pauseMs);
    }
  };
  const form = new URLSearchParams({
    grant_type: "client_credentials",
    client_id: clientId,
    client_secret: clientSecret,
  });
  const token = await step("asking for a token", () => gateway.post("/oauth/token", form));
  const bearer = String(token["access_token"]);
  const quote = await step("asking for a rate", () => gateway.post("/v2/foreign-exchange", quoteBody, bearer));
  const body = paymentBody(
    externalPaymentId,
    String(quote["fxId"]),
    Number.parseFloat(String(quote["conversionRate"])),
  );
  await step("paying", () => gateway.post("/v2/payment", body, bearer));
  const path = `/v2/payment/${externalPaymentId}`;
  return await step("waiting for the payout", () => gateway.get(path, bearer), isPaid);
}

/** Turns a failed call into an answer that is retried. */
const asAnswer = (error: unknown): Answer => ({ status: 503, json: { message: String(error) } });
const isGood = ({ status }: Answer): boolean => status >= 200 && status < 300;
const isPaid = (answer: Answer): boolean => isGood(answer) && answer.json["status"] === "CAPTURED";

const quoteBody = {
  sourceCurrencyCode: "USD",
  destinationCurrencyCode: "BRL",
  paymentMethod: "BANK_ACCOUNT",
  sourceCurrencyAmount: 100,
  destinationCountryCode: "BRA",
};

/** Follows the schema of GET /schema/BRA. */
const paymentBody = (externalPaymentId: string, fxId: string, rate: number): object => ({
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
  additionalData: { statementNarrative: "test of a release" },
});
