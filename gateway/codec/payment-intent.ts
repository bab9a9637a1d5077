import { alpha2ToAlpha3 } from "i18n-iso-countries";
import type { Money, Decimal as WireDecimal } from "../../proto/gen/corridor/common/v1/money";
import type { IdentityDocument, PartyDetails, PostalAddress } from "../../proto/gen/corridor/common/v1/party";
import {
  type AdditionalData,
  type Collection,
  DetailsProfile,
  type PaymentIntent,
  type PayoutIntent,
  PixKeyType,
  Pricing,
} from "../../proto/gen/corridor/payment/v1/payment_intent";
import type { FieldViolation } from "../../services/shared/kernel/errors";
import { currencyDigits, type Decimal, exactMinor, roundedMinor } from "../../services/shared/kernel/money";
import type { Draft } from "../contract/draft";
import type { Infer } from "../contract/infer";
import type { paymentRequest, transactionRequest } from "../contract/payments";
import type { Plain } from "../contract/plain";

/** A body of any variant, or the valid remainder of a refused one. An absent text and an empty one mean the same. */
export type PaymentBody = Plain<Draft<Infer<typeof paymentRequest> | Infer<typeof transactionRequest>>>;

type Sender = NonNullable<PaymentBody["sender"]>;
type Recipient = NonNullable<PaymentBody["recipient"]>;
type Customer = NonNullable<Sender["customer"]>;
type Source = NonNullable<Sender["source"]>;
type PullMethod = NonNullable<Sender["paymentMethod"]>;
type Method = NonNullable<Recipient["paymentMethod"]>;
type Destination = NonNullable<Recipient["destination"]>;

/** Returns the message of a checked body. For a draft it carries the members that remain. */
export function toIntent(body: PaymentBody): PaymentIntent {
  const { paymentType, sender, recipient } = body;
  const collects = paymentType === "PULL" || paymentType === "PULLPUSH";
  const paysOut = paymentType === undefined ? recipient !== undefined : paymentType !== "PULL";
  return {
    externalPaymentId: body.externalPaymentId ?? "",
    ipAddress: body.ipAddress ?? "",
    amount: toMoney(body.amount, exactMinor),
    sender: sender && toSender(sender),
    collection: collects ? toCollection(body) : undefined,
    payout: paysOut ? toPayout(body) : undefined,
    statementDescriptor: body.dynamicDescriptor ?? "",
    additionalData: body.additionalData && toAdditionalData(body.additionalData),
    externalTransactionId: body.externalId ?? "",
  };
}

/** True for a body that describes its recipient as a customer. */
export const isOfCustomer = ({ recipient }: PaymentBody): boolean =>
  recipient?.destination !== undefined || recipient?.customer !== undefined;

type ToMinor = (decimal: Decimal, digits: number) => bigint | undefined;

function toMoney(amount: PaymentBody["amount"] | PaymentBody["recipientAmount"], toMinor: ToMinor): Money | undefined {
  const { total, currency = "" } = amount ?? {};
  const digits = currencyDigits(currency);
  const minor = total === undefined || digits === undefined ? undefined : toMinor(total, digits);
  return minor === undefined ? undefined : { amountMinor: minor, currency };
}

const maxInt64 = 2n ** 63n - 1n;
/** Most decimals of a rate on the wire. */
const maxScale = 18;

const fitsRate = ({ digits, scale }: Decimal): boolean => digits <= maxInt64 && scale <= maxScale;

const toRate = (rate: Decimal | undefined): WireDecimal | undefined =>
  rate !== undefined && fitsRate(rate) ? { unscaled: rate.digits, scale: rate.scale } : undefined;

export function toAdditionalData(data: NonNullable<PaymentBody["additionalData"]>): AdditionalData {
  const { paymentPurpose = "", statementNarrative = "", ...others } = data;
  return { paymentPurpose, statementNarrative, extras: others };
}

// ---- parties ----

/** A party without any facts. */
export const noParty: PartyDetails = {
  firstName: "",
  lastName: "",
  address: undefined,
  documents: [],
  email: "",
  phoneNumber: "",
  birthDate: "",
  birthCountryCode: "",
  countryCode: "",
};

function toSender(sender: Sender): PartyDetails {
  const { customer, customerAddress } = sender;
  if (customer === undefined && customerAddress === undefined) return toPerson(sender);
  return { ...toCustomer(customer, customerAddress), countryCode: customer?.countryCodeAlpha3 ?? "" };
}

export const toRecipient = (recipient: Recipient): PartyDetails =>
  recipient.customer === undefined && recipient.customerAddress === undefined
    ? toPerson({
        ...recipient,
        birthDate: recipient.birthDate ?? recipient.dateOfBirth,
        phoneNumber: recipient.phoneNumber ?? recipient.contactNumber,
      })
    : toCustomer(recipient.customer, recipient.customerAddress);

type Person = Pick<
  Recipient,
  "firstName" | "lastName" | "email" | "phoneNumber" | "birthDate" | "birthCountryCode" | "address" | "documents"
>;

const toPerson = (person: Person): PartyDetails => ({
  ...noParty,
  firstName: person.firstName ?? "",
  lastName: person.lastName ?? "",
  address: person.address && toAddress(person.address),
  documents: (person.documents ?? []).map(toDocument),
  email: person.email ?? "",
  phoneNumber: person.phoneNumber ?? "",
  birthDate: person.birthDate ?? "",
  birthCountryCode: person.birthCountryCode ?? "",
});

type Address = NonNullable<Sender["address"]>;

const toAddress = (address: Address): PostalAddress => ({
  countryCode: address.countryCode ?? "",
  stateCode: address.stateCode ?? "",
  state: address.state ?? "",
  city: address.city ?? "",
  line1: address.line1 ?? "",
  line2: address.line2 ?? "",
  zipCode: address.zipCode ?? "",
});

type Document = NonNullable<Recipient["documents"]>[number];

/** A refused element keeps its place in the list. */
const toDocument = (document: Document): IdentityDocument => ({
  number: document?.document ?? "",
  type: document?.type ?? "",
  countryCode: document?.countryCode ?? "",
});

function toCustomer(customer: Customer = {}, address?: Sender["customerAddress"]): PartyDetails {
  const { documentNumber: number = "", documentType: type = "" } = customer;
  const country = address?.countryCode === undefined ? customer.countryCodeAlpha3 : alpha3Of(address.countryCode);
  return {
    ...noParty,
    firstName: customer.firstName ?? "",
    lastName: customer.lastName ?? "",
    address: address && toAddress({ ...address, countryCode: country }),
    documents: number === "" && type === "" ? [] : [{ number, type, countryCode: "" }],
    email: customer.email ?? "",
    phoneNumber: customer.phoneNumber ?? "",
  };
}

/** Kosovo has no code in ISO 3166-1; both that are in use are user-assigned. An unknown code stays as it is. */
const alpha3Of = (country: string): string => (country === "XK" ? "XKX" : (alpha2ToAlpha3(country) ?? country));

// ---- sources of collections ----

const toCollection = ({ paymentType, sender = {}, capture }: PaymentBody): Collection => ({
  source: toSource(sender.source) ?? toTokenSource(sender.paymentMethod),
  authorizeOnly: paymentType === "PULL" && capture === false,
});

function toSource(source: Source | undefined): Collection["source"] {
  switch (source?.type) {
    case "CARD":
      return { $case: "cardToken", value: source.card?.token ?? source.cardTokenId ?? "" };
    case "BANK_DEPOSIT":
      return { $case: "accountToken", value: source.accountTokenId ?? "" };
    case "BANK_ACCOUNT": {
      const { accountNumber = "", routingNumber = "", accountType = "", accountHolder = {} } = source;
      const { type: holderType = "", firstName: holderFirstName = "", lastName: holderLastName = "" } = accountHolder;
      const holder = { holderType, holderFirstName, holderLastName };
      return { $case: "bankAccount", value: { accountNumber, routingNumber, accountType, ...holder } };
    }
    default:
      return undefined;
  }
}

function toTokenSource(method: PullMethod | undefined): Collection["source"] {
  switch (method?.type) {
    case "CARD":
      return { $case: "cardToken", value: method.cardTokenId ?? "" };
    case "BANK_DEPOSIT":
      return { $case: "accountToken", value: method.accountTokenId ?? "" };
    default:
      return undefined;
  }
}

// ---- recipients of payouts ----

function toPayout(body: PaymentBody): PayoutIntent {
  const { recipient = {}, fxId = "" } = body;
  const isCustomer = isOfCustomer(body);
  return {
    amount: toMoney(body.recipientAmount, roundedMinor),
    recipient: body.recipient && toRecipient(body.recipient),
    countryCode: countryOf(recipient, isCustomer),
    method: isCustomer ? toCustomerMethod(recipient.destination) : toMethod(recipient.paymentMethod),
    quoteId: fxId,
    exchangeRate: toRate(body.exchangeRate),
    pricing: isCustomer && fxId === "" ? Pricing.AT_ACCEPTANCE : Pricing.QUOTED,
    detailsProfile: isCustomer ? DetailsProfile.CUSTOMER : DetailsProfile.COUNTRY,
  };
}

export const countryOf = ({ customer, paymentMethod, address }: Recipient, isCustomer: boolean): string =>
  (isCustomer ? customer?.countryCodeAlpha3 : paymentMethod?.countryCode || address?.countryCode) ?? "";

const keyTypes = {
  EMAIL: PixKeyType.EMAIL,
  PHONE: PixKeyType.PHONE,
  DOCUMENT: PixKeyType.DOCUMENT,
  EVP: PixKeyType.EVP,
} as const;

const toPix = ({ key = "", keyType }: Pick<Method, "key" | "keyType">): PayoutIntent["method"] => ({
  $case: "pix",
  value: { key, keyType: keyType === undefined ? PixKeyType.UNSPECIFIED : keyTypes[keyType] },
});

export function toMethod(method: Method | undefined): PayoutIntent["method"] {
  switch (method?.type) {
    case "BANK_DEPOSIT":
      return toDeposit(method);
    case "WALLET": {
      const { walletId = "", walletType = "", walletOperator = "" } = method;
      return { $case: "wallet", value: { walletId, walletType, walletOperator } };
    }
    case "PIX":
      return toPix(method);
    case "CARD":
      return { $case: "cardToken", value: method.cardTokenId ?? "" };
    default:
      return undefined;
  }
}

function toDeposit(method: Method): PayoutIntent["method"] {
  const { accountNumber = "", accountType = "", bankCode = "", routingNumber = "" } = method;
  switch (method.accountNumberType) {
    case "UPI":
      return { $case: "upiAddress", value: accountNumber };
    case "DIMO":
      return { $case: "dimo", value: { phoneNumber: accountNumber, bankCode } };
    case undefined:
      return { $case: "bankAccount", value: { accountNumber, accountType, bankCode, routingNumber } };
  }
}

function toCustomerMethod(destination: Destination | undefined): PayoutIntent["method"] {
  switch (destination?.type) {
    case "CARD":
      return { $case: "cardToken", value: destination.cardTokenId ?? "" };
    case "PIX":
      return toPix(destination.pix ?? {});
    case "WALLET":
      return {
        $case: "wallet",
        value: { walletId: destination.wallet?.walletId ?? "", walletType: "", walletOperator: "" },
      };
    default:
      return undefined;
  }
}

// ---- rules beyond the schema ----

/** Members that are meaningless beside an alias of an account. */
const besideAlias = {
  UPI: ["accountType", "bankCode", "routingNumber"],
  DIMO: ["accountType", "routingNumber"],
} as const;

/** Refuses what a message could not carry: two names for one thing, members that are meaningless where they are, rates out of range. */
export function unfitMembers({ recipient = {}, sender = {}, exchangeRate }: PaymentBody): readonly FieldViolation[] {
  const violations: FieldViolation[] = [];
  const refuse = (field: string, message: string) => violations.push({ field, message });
  const { paymentMethod } = recipient;
  const alias = paymentMethod?.accountNumberType;
  for (const name of alias === undefined ? [] : besideAlias[alias]) {
    if (paymentMethod?.[name] !== undefined) refuse(`recipient.paymentMethod.${name}`, `is not known beside ${alias}`);
  }
  if (recipient.birthDate !== undefined && recipient.dateOfBirth !== undefined) {
    refuse("recipient.dateOfBirth", "must not be given together with recipient.birthDate");
  }
  if (recipient.phoneNumber !== undefined && recipient.contactNumber !== undefined) {
    refuse("recipient.contactNumber", "must not be given together with recipient.phoneNumber");
  }
  if (sender.source?.card !== undefined && sender.source.cardTokenId !== undefined) {
    refuse("sender.source.cardTokenId", "must not be given together with sender.source.card");
  }
  if (exchangeRate !== undefined && !fitsRate(exchangeRate)) {
    refuse("exchangeRate", `must have at most ${maxScale} decimals`);
  }
  return violations;
}
