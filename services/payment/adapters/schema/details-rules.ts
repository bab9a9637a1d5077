import { alpha3ToAlpha2 } from "i18n-iso-countries";
import { readCallerText } from "../../../shared/kernel/caller-text";
import { type FieldViolation, hasReason } from "../../../shared/kernel/errors";
import type { JsonObject, JsonValue } from "../../../shared/kernel/json";
import { postalCodeForm } from "../../../shared/kernel/postal-code";
import type { Party } from "../../domain/party";
import type { PaymentIntent, PayoutIntent } from "../../domain/payment-intent";
import { methodInWords } from "../../domain/payment-methods";
import type { DetailsRules, Schemas } from "../../ports";
import { customerFieldInWords, customerView, intentView, recipientView } from "./intent-view";

const alpha3 = /^[A-Z]{3}$/;

/** Applies the published schemas to a JSON view of a payment. Violations use the field names of the country schemas. */
export const makeDetailsRules = (schemas: Schemas): DetailsRules => ({
  async check(intent) {
    const view = intentView(intent);
    return [
      ...textViolations(view, ""),
      ...(await checkKind(schemas, intent, view)),
      ...(await checkCountry(schemas, intent, view)),
    ];
  },
  async checkRecipient(destination) {
    const view = recipientView(destination);
    const violations = [...textViolations(view, ""), ...(await checkCountry(schemas, { payout: destination }, view))];
    return violations.filter(({ field }) => /^recipient(?:\.|$)/.test(field));
  },
  async advise({ sender, payout }) {
    const odd = [...oddPostalCode("sender", sender), ...oddPostalCode("recipient", payout?.recipient)];
    if (payout === undefined || !alpha3.test(payout.countryCode)) return odd;
    const { countryCode, method, recipient } = payout;
    const words = method === undefined ? {} : methodInWords(method);
    return [...(await schemas.advise(countryCode, words, recipient?.documents ?? [])), ...odd];
  },
});

/** Returns a violation for a postal code that does not match the format of the address's country. */
function oddPostalCode(role: "sender" | "recipient", party: Party | undefined): FieldViolation[] {
  const { countryCode = "", zipCode = "" } = party?.address ?? {};
  const form = zipCode === "" ? undefined : postalCodeForm(alpha3ToAlpha2(countryCode) ?? "", zipCode);
  return form === undefined ? [] : [{ field: `${role}.address.zipCode`, message: `does not look like ${form}` }];
}

async function checkKind(
  schemas: Schemas,
  intent: PaymentIntent,
  view: JsonObject,
): Promise<readonly FieldViolation[]> {
  if (intent.payout === undefined) return schemas.check("pull", view);
  if (intent.payout.profile !== "CUSTOMER") return schemas.check("push", view);
  const violations = await schemas.check("customer", customerView(intent));
  return violations.map(({ field, message }) => ({ field: customerFieldInWords(field), message }));
}

/** The fields that say how a recipient is paid: the country, the method and the details. */
type Paid = Pick<PayoutIntent, "countryCode"> & Partial<Pick<PayoutIntent, "profile">>;

async function checkCountry(
  schemas: Schemas,
  { payout }: { payout: Paid | undefined },
  view: JsonObject,
): Promise<readonly FieldViolation[]> {
  if (payout === undefined || !alpha3.test(payout.countryCode)) return [];
  try {
    const violations = await schemas.check(payout.countryCode, view);
    return payout.profile === "CUSTOMER" ? violations.filter(bindsCustomers) : violations;
  } catch (error) {
    if (!hasReason(error, "COUNTRY_UNSUPPORTED")) throw error;
    const message = "must be the alpha-3 code of a country that is served";
    return [{ field: "recipient.paymentMethod.countryCode", message }];
  }
}

/** The schema `customer` defines who is paid; of the country's schema, a customer has to meet only the currency, extras and method. */
const customerRules = [
  /^recipientAmount\b/,
  /^additionalData\b/,
  /^recipient\.paymentMethod\.(?:type|key|keyType|cardTokenId)$/,
];
const bindsCustomers = ({ field }: FieldViolation): boolean => customerRules.some((rule) => rule.test(field));

/** Finds text with hidden characters, or with a card number where none belongs. */
function textViolations(value: JsonValue, path: string): readonly FieldViolation[] {
  if (typeof value === "string") {
    const read = readCallerText(value, path);
    return "problem" in read ? [{ field: path, message: read.problem }] : [];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => textViolations(part, path === "" ? name : `${path}.${name}`));
}
