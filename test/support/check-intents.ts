import { renderAccountCheck, renderCardCheck } from "../../gateway/codec/check-codec";
import { noParty } from "../../gateway/codec/payment-intent";
import type {
  AccountCheck,
  AccountCheckReceipt,
  CheckCardRequest,
  CheckCardResponse,
} from "../../proto/gen/corridor/payment/v1/check_service";

/** The sandbox account that most tests check. */
export const accountCheckOf = (externalPaymentId: string, changes: Partial<AccountCheck> = {}): AccountCheck => ({
  externalPaymentId,
  countryCode: "US",
  publicToken: "public-sandbox-ok",
  accountId: "acc-checking",
  ...changes,
});

/** The body of a card check as its message; fields that are not text are left out. */
export function cardCheckOf(body: object): Omit<CheckCardRequest, "tenant"> {
  const sender = Object(Object(body).sender) as object;
  return {
    externalPaymentId: textAt(body, "externalPaymentId"),
    ipAddress: textAt(body, "ipAddress"),
    cardToken: textAt(sender, "paymentMethod", "cardTokenId"),
    cardholder: {
      ...noParty,
      firstName: textAt(sender, "firstName"),
      lastName: textAt(sender, "lastName"),
      email: textAt(sender, "email"),
      phoneNumber: textAt(sender, "phoneNumber"),
      address: {
        countryCode: textAt(sender, "address", "countryCode"),
        stateCode: textAt(sender, "address", "stateCode"),
        state: textAt(sender, "address", "state"),
        city: textAt(sender, "address", "city"),
        line1: textAt(sender, "address", "line1"),
        line2: textAt(sender, "address", "line2"),
        zipCode: textAt(sender, "address", "zipCode"),
      },
    },
  };
}

function textAt(holder: object, ...path: string[]): string {
  const found = path.reduce<unknown>((place, name) => Object(place)[name], holder);
  return typeof found === "string" ? found : "";
}

/** The answer to a check as callers of the REST API read it. */
export const textOfAccountCheck = (receipt: AccountCheckReceipt | undefined): string =>
  JSON.stringify(renderAccountCheck(receipt));
export const textOfCardCheck = (response: CheckCardResponse): string => JSON.stringify(renderCardCheck(response));
