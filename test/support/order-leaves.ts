import { alpha2ToAlpha3 } from "i18n-iso-countries";
import type { Json } from "./corridor-payloads";

/** The places of a payment's fields in an order, one rule per pattern of paths: written by hand. */
const places: readonly (readonly [RegExp, string])[] = [
  [/^externalPaymentId$/, "ultimateDebtorReference"],
  [/^ipAddress$/, "debtor.ipAddress"],
  [/^dynamicDescriptor$/, "descriptor"],
  [/^additionalData\.paymentPurpose$/, "purpose"],
  [/^additionalData\.statementNarrative$/, "remittance"],
  [/^additionalData\./, "extras."],
  [/^recipient\.customer\.countryCodeAlpha3$/, "countryCode"],
  [/^recipient\.destination\.type$/, "method"],
  [/^recipient\.destination\.(?:pix\.|wallet\.)?/, "account."],
  [/^recipient\.paymentMethod\.type$/, "method"],
  [/^recipient\.paymentMethod\./, "account."],
  [/^sender\./, "debtor."],
  [/^recipient\./, "creditor."],
];

/** Fields of parties that have another name in an order. */
const partyWords: readonly (readonly [RegExp, string])[] = [
  [/\.customer\.documentNumber$/, ".documents.0.number"],
  [/\.customer\.documentType$/, ".documents.0.type"],
  [/\.customer\.countryCodeAlpha3$/, ".countryCode"],
  [/\.customer\./, "."],
  [/\.customerAddress\./, ".address."],
  [/\.document$/, ".number"],
  [/\.contactNumber$/, ".phoneNumber"],
  [/\.dateOfBirth$/, ".birthDate"],
];

/** Returns the place in an order of the text at a path of a payment. */
export function placeOf(path: string): string {
  const [from, to] = places.find(([rule]) => rule.test(path)) ?? [/$/, ""];
  return partyWords.reduce((place, [word, own]) => place.replace(word, own), path.replace(from, to));
}

/** Prices and kinds of a payment stay between the caller and the platform: no part concerns the payout. */
const untold: ReadonlySet<string> = new Set(["paymentType", "amount", "recipientAmount", "exchangeRate", "fxId"]);

/** The texts of a value, at any depth. */
export function leavesOf(value: unknown, path = ""): [path: string, text: string][] {
  if (typeof value === "string") return value === "" ? [] : [[path, value]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => leavesOf(part, path === "" ? name : `${path}.${name}`));
}

/** Countries of customers have three letters, like all others; tokens of cards have small letters. */
function textIn(path: string, text: string): string {
  if (path.endsWith("customerAddress.countryCode")) return alpha2ToAlpha3(text) ?? text;
  return path.endsWith("cardTokenId") ? text.toLowerCase() : text;
}

/** Every text of a payment, with its place in the order. */
export const expectedLeaves = (body: Json): [place: string, text: string][] =>
  leavesOf(Object.fromEntries(Object.entries(body).filter(([name]) => !untold.has(name)))).map(([path, text]) => [
    placeOf(path),
    textIn(path, text),
  ]);
