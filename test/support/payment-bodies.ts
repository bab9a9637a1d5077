import { freshId } from "./platform-client";

/** A test card of the sandbox: its tokens repeat one digit. */
export function cardToken(digit: string): string {
  const some = (count: number): string => digit.repeat(count);
  return `${some(8)}-${some(4)}-4${some(3)}-8${some(3)}-${some(12)}`;
}

const customer = {
  firstName: "Ada",
  lastName: "Lovelace",
  phoneNumber: "13055550123",
  documentNumber: "123456789",
  documentType: "NATIONAL_ID",
  email: "ada.lovelace@example.com",
};
const customerAddress = { stateCode: "FL", city: "Miami", line1: "Brickell Avenue 801", zipCode: "33131" };

/** A pull of 100 USD by card. */
export const cardPullBody = (digit: string, changes: object = {}): Record<string, unknown> => ({
  externalPaymentId: freshId(),
  ipAddress: "203.0.113.7",
  paymentType: "PULL",
  amount: { total: 100, currency: "USD" },
  sender: {
    firstName: "Ada",
    lastName: "Lovelace",
    address: { countryCode: "USA", stateCode: "FL", city: "Miami", line1: "Brickell Avenue 801", zipCode: "33131" },
    paymentMethod: { type: "CARD", cardTokenId: cardToken(digit) },
  },
  ...changes,
});

/** The source of a PULLPUSH's money. */
export const cardSource = (digit: string): object => ({ type: "CARD", card: { token: cardToken(digit) } });

export const bankSource = (accountNumber = "000123456789"): object => ({
  type: "BANK_ACCOUNT",
  accountType: "checking",
  accountNumber,
  routingNumber: "021000021",
  accountHolder: { type: "INDIVIDUAL", firstName: "Ada", lastName: "Lovelace" },
});

/** A PULLPUSH of 100 USD to a PIX key in the customer variant, priced by the platform. */
export const pullPushBody = (source: object, changes: object = {}): Record<string, unknown> => ({
  externalPaymentId: freshId(),
  ipAddress: "203.0.113.7",
  paymentType: "PULLPUSH",
  amount: { total: 100, currency: "USD" },
  recipientAmount: { total: 500, currency: "BRL" },
  exchangeRate: 5,
  sender: { customer: { ...customer, countryCodeAlpha3: "USA" }, customerAddress, source },
  recipient: {
    customer: { ...customer, firstName: "Maria", lastName: "Souza", countryCodeAlpha3: "BRA" },
    customerAddress,
    destination: { type: "PIX", pix: { keyType: "EMAIL", key: "maria.souza@example.com" } },
  },
  additionalData: {},
  ...changes,
});
