import type { Payment } from "./payment";

/** Name and address of the payer, as lookups show them and card networks compare them; absent texts are empty. */
export interface SenderDetails {
  firstName: string;
  lastName: string;
  phoneNumber: string;
  email: string;
  countryCode: string;
  stateCode: string;
  state: string;
  city: string;
  line1: string;
  line2: string;
  zipCode: string;
}

/** Returns the payer of a payment. Without an address there is no country either. */
export function senderDetailsOf({ sender }: Pick<Payment, "sender">): SenderDetails {
  const { firstName, lastName, phoneNumber, email, address, countryCode } = sender;
  return {
    firstName,
    lastName,
    phoneNumber,
    email,
    countryCode: address === undefined ? "" : address.countryCode || countryCode,
    stateCode: address?.stateCode ?? "",
    state: address?.state ?? "",
    city: address?.city ?? "",
    line1: address?.line1 ?? "",
    line2: address?.line2 ?? "",
    zipCode: address?.zipCode ?? "",
  };
}
