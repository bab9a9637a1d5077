import { request } from "undici";
import { type Answer, type Caller, expect, json, text } from "./transcript";

/** Checks a card, links, checks and debits a bank account, and reads the providers' balances. */
export async function checkEachKind(
  call: Caller,
  { bearer, run, sandboxUrl }: { bearer: Record<string, string>; run: string; sandboxUrl: string },
): Promise<void> {
  const post = (path: string, body: object, say: (answer: Answer) => string): Promise<Answer> =>
    call({ method: "POST", path, headers: { ...bearer, ...json }, body: JSON.stringify(body), status: 200, say });

  await post("/v2/check-card-account", cardCheck(run), ({ json: body }) => JSON.stringify(body["verificationResults"]));
  const link = await post("/providers/plaid", { phoneNumber: "+14155550123" }, () => "a link flow is open");
  const picked = await pickAccount(sandboxUrl, text(link, "token"));
  const method = { type: "BANK_DEPOSIT", countryCode: "US", ...picked };
  const account = { externalPaymentId: `demo-${run}-account`, sender: { paymentMethod: method } };
  const checked = await post("/check-account", account, (answer) => text(answer, "status"));
  expect(checked.json["approved"] === true, "a verified account");
  const pull = {
    externalPaymentId: `demo-${run}-account-pull`,
    ipAddress: "203.0.113.7",
    paymentType: "PULL",
    capture: true,
    amount: { total: 25, currency: "USD" },
    sender: {
      firstName: "Ada",
      lastName: "Lovelace",
      paymentMethod: { type: "BANK_DEPOSIT", accountTokenId: text(checked, "accountTokenId") },
    },
  };
  const pulled = await post("/v2/payment", pull, (answer) => `PULL by account token: ${text(answer, "status")}`);
  expect(pulled.json["status"] === "CAPTURED", "a captured pull");
  const balance = { method: "GET", path: "/payer/balance", headers: bearer, status: 200 } as const;
  await call({
    ...balance,
    say: (answer) => `${(answer.text.match(/providerId/g) ?? []).length} providers hold funds`,
  });
}

const cardCheck = (run: string): object => ({
  externalPaymentId: `demo-${run}-card`,
  ipAddress: "203.0.113.7",
  sender: {
    firstName: "Ada",
    lastName: "Lovelace",
    address: { countryCode: "USA", stateCode: "FL", city: "Miami", line1: "Brickell Avenue 801", zipCode: "33131" },
    paymentMethod: { type: "CARD", cardTokenId: "11111111-1111-4111-8111-111111111111" },
  },
});

/** Acts as the customer on the link page: picks an account and returns what the page shows. */
async function pickAccount(sandboxUrl: string, token: string): Promise<object> {
  const { statusCode, body } = await request(`${sandboxUrl}/link`, {
    method: "POST",
    headers: { accept: "application/json", "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ token, account: "acc-checking" }).toString(),
  });
  const picked = Object(await body.json()) as Record<string, unknown>;
  expect(statusCode === 200, "a link page that makes a public token");
  return { accountCheckToken: picked["publicToken"], accountCheckId: picked["accountId"] };
}
