import { isOfCustomer, type PaymentBody } from "./payment-intent";

/** A service's name for a field, and the caller's name for it; both dotted. */
type Alias = readonly [theirs: string, own: string];

/**
 * Translates a field that a service has named in the words of the published schemas into the caller's name for it. A payment may be written
 * in several ways; the names are those of the way that the body uses.
 */
export function paymentWords(body: PaymentBody): (field: string) => string {
  const aliases = [...recipientAliases(body), ...senderAliases(body)];
  return (field) => {
    for (const [theirs, own] of aliases) {
      if (field === theirs) return own;
      if (field.startsWith(`${theirs}.`)) return own + field.slice(theirs.length);
    }
    return field;
  };
}

/** Longer names are tried first. */
function recipientAliases(body: PaymentBody): readonly Alias[] {
  const { recipient = {} } = body;
  if (isOfCustomer(body)) {
    return [
      ["recipient.paymentMethod.countryCode", "recipient.customer.countryCodeAlpha3"],
      ["recipient.paymentMethod.keyType", "recipient.destination.pix.keyType"],
      ["recipient.paymentMethod.key", "recipient.destination.pix.key"],
      ["recipient.paymentMethod.walletId", "recipient.destination.wallet.walletId"],
      ["recipient.paymentMethod", "recipient.destination"],
      ...customerAliases("recipient", recipient.customerAddress?.countryCode),
    ];
  }
  const { paymentMethod, address } = recipient;
  const isOfAddress = !paymentMethod?.countryCode && address?.countryCode !== undefined;
  return [
    ...alias(isOfAddress, "recipient.paymentMethod.countryCode", "recipient.address.countryCode"),
    ...alias(recipient.dateOfBirth !== undefined, "recipient.birthDate", "recipient.dateOfBirth"),
    ...alias(recipient.contactNumber !== undefined, "recipient.phoneNumber", "recipient.contactNumber"),
  ];
}

function senderAliases({ paymentType, sender = {} }: PaymentBody): readonly Alias[] {
  const { customer, customerAddress, source } = sender;
  const isCustomer = customer !== undefined || customerAddress !== undefined;
  const isPullSource = paymentType === "PULL" && source !== undefined;
  return [
    ...alias(isPullSource && source.card !== undefined, "sender.paymentMethod.cardTokenId", "sender.source.card.token"),
    ...alias(isPullSource, "sender.paymentMethod", "sender.source"),
    ...(isCustomer ? customerAliases("sender", customerAddress?.countryCode) : []),
    ...alias(isCustomer, "sender.countryCode", "sender.customer.countryCodeAlpha3"),
  ];
}

const alias = (isUsed: boolean, theirs: string, own: string): readonly Alias[] => (isUsed ? [[theirs, own]] : []);

/** An address without a country is in the customer's country. */
const customerAliases = (place: "sender" | "recipient", addressCountry: string | undefined): readonly Alias[] => [
  ...alias(addressCountry === undefined, `${place}.address.countryCode`, `${place}.customer.countryCodeAlpha3`),
  [`${place}.address`, `${place}.customerAddress`],
  [`${place}.documents.0.type`, `${place}.customer.documentType`],
  [`${place}.documents.0.document`, `${place}.customer.documentNumber`],
  [`${place}.firstName`, `${place}.customer.firstName`],
  [`${place}.lastName`, `${place}.customer.lastName`],
  [`${place}.email`, `${place}.customer.email`],
  [`${place}.phoneNumber`, `${place}.customer.phoneNumber`],
  [`${place}.documents`, `${place}.customer.documentNumber`],
];
