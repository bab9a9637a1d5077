import { alpha2ToAlpha3 } from "i18n-iso-countries";
import type { FieldViolation } from "../../shared/kernel/errors";
import type { JsonObject, JsonValue } from "../../shared/kernel/json";

/**
 * How a caller wrote a payment: in the schema-driven shape (of which the card-push variant is an alias), in the customer and
 * destination shape, or as a pull, which pays nobody out.
 */
export type PayloadShape = "schema" | "customer" | "pull";

/** A payment body as its shape names things. */
export interface Payload {
  shape: PayloadShape;
  /** The same payment in the schema-driven shape. Parts that the caller wrote in no other words are the caller's own objects. */
  body: JsonObject;
  /** The destination country as the caller wrote it, and where; the value is undefined where it is missing. */
  destination: { field: string; country: string | undefined } | undefined;
  /** Names in `body` that the caller wrote differently, and the caller's own, both dotted. Longer names come first. */
  aliases: readonly (readonly [string, string])[];
}

/** The value at a dotted path, or undefined. Only own properties count. */
export function at(value: JsonValue | undefined, path: string): JsonValue | undefined {
  return path.split(".").reduce<JsonValue | undefined>((node, segment) => {
    if (node === null || typeof node !== "object") return undefined;
    if (Array.isArray(node)) return node[Number.parseInt(segment, 10)];
    return Object.hasOwn(node, segment) ? node[segment] : undefined;
  }, value);
}

/** Recognises the shape of a body that may still be wrong in every other way, and rewrites it into the schema shape. */
export function readPayload(body: JsonObject): Payload {
  if (body["paymentType"] === "PULL") return readPull(body);
  const isCustomer = ["destination", "customer"].some((name) => at(body, `recipient.${name}`) !== undefined);
  return isCustomer ? readCustomerPush(body) : readSchemaPush(body);
}

/** What no schema can say: both shapes at once. */
export function shapeViolations({ shape, destination }: Payload, body: JsonObject): readonly FieldViolation[] {
  if (shape !== "customer" || destination === undefined || at(body, "recipient.paymentMethod") === undefined) return [];
  const message = "must not be given together with recipient.destination or recipient.customer";
  return [{ field: "recipient.paymentMethod", message }];
}

/** The caller's own name of a field of the rewritten body. */
export function ownField({ aliases }: Payload, field: string): string {
  for (const [ours, theirs] of aliases) {
    if (field === ours) return theirs;
    if (field.startsWith(`${ours}.`)) return theirs + field.slice(ours.length);
  }
  return field;
}

const alpha3 = /^[A-Z]{3}$/;

/**
 * The destination country, if it has the form of one. What is wrong with it otherwise the schema of the shape says; here it
 * keeps a caller from naming a schema that is no country's.
 */
export function destinationCountry({ destination }: Payload): string | undefined {
  const country = destination?.country ?? "";
  return alpha3.test(country) ? country : undefined;
}

function readSchemaPush(body: JsonObject): Payload {
  const sender = senderOf(body);
  const recipient = renamed(body["recipient"], "recipient", [
    ["dateOfBirth", "birthDate"],
    ["contactNumber", "phoneNumber"],
  ]);
  return {
    shape: "schema",
    body: { ...body, ...sender.part, ...recipient.part },
    destination: schemaDestination(body),
    aliases: [...sender.aliases, ...recipient.aliases],
  };
}

function schemaDestination(body: JsonObject): Payload["destination"] {
  const places = ["recipient.paymentMethod.countryCode", "recipient.address.countryCode"];
  for (const field of places) {
    const country = at(body, field);
    if (typeof country === "string" && country !== "") return { field, country };
  }
  return { field: "recipient.paymentMethod.countryCode", country: undefined };
}

/** Rewritten parts of a body, with the names that they had. */
interface Rewritten {
  part: JsonObject;
  aliases: (readonly [string, string])[];
}

/** An object of the root whose keys get other names where those are free. */
function renamed(
  value: JsonValue | undefined,
  place: string,
  names: readonly (readonly [string, string])[],
): Rewritten {
  if (!isObject(value)) return { part: {}, aliases: [] };
  const used = names.filter(([theirs, ours]) => Object.hasOwn(value, theirs) && !Object.hasOwn(value, ours));
  if (used.length === 0) return { part: {}, aliases: [] };
  const ourNames = new Map(used);
  const entries = Object.entries(value).map(([key, field]) => [ourNames.get(key) ?? key, field] as const);
  return {
    part: { [place]: Object.fromEntries(entries) },
    aliases: used.map(([theirs, ours]) => [`${place}.${ours}`, `${place}.${theirs}`] as const),
  };
}

/** The country of an address that names none is the customer's. */
const customerAliases = (place: string, person: JsonObject): (readonly [string, string])[] => [
  ...(at(person, "customerAddress.countryCode") === undefined
    ? ([[`${place}.address.countryCode`, `${place}.customer.countryCodeAlpha3`]] as const)
    : []),
  [`${place}.address`, `${place}.customerAddress`],
  [`${place}.firstName`, `${place}.customer.firstName`],
  [`${place}.lastName`, `${place}.customer.lastName`],
  [`${place}.email`, `${place}.customer.email`],
  [`${place}.phoneNumber`, `${place}.customer.phoneNumber`],
];

/** A sender of a push may be written as a customer whatever the recipient is. */
function senderOf(body: JsonObject): Rewritten {
  const { sender } = body;
  if (!isObject(sender) || sender["customer"] === undefined) return { part: {}, aliases: [] };
  return { part: { sender: personOf(sender) }, aliases: customerAliases("sender", sender) };
}

/** A customer with an address, in the words of the schema shape; the customer's own country stays beside the address's. */
function personOf({ customer, customerAddress, ...others }: JsonObject): JsonObject {
  const known = isObject(customer) ? customer : {};
  const { documentNumber, documentType, ...names } = known;
  const address = isObject(customerAddress) ? { address: addressOf(customerAddress, known["countryCodeAlpha3"]) } : {};
  const document = documentNumber === undefined ? {} : { document: documentNumber };
  const type = documentType === undefined ? {} : { type: documentType };
  const hasDocument = documentNumber !== undefined || documentType !== undefined;
  return { ...others, ...names, ...address, ...(hasDocument && { documents: [{ ...document, ...type }] }) };
}

/** An address in the words of the schema shape, whose countries are alpha-3; where it names none it is in the customer's. */
function addressOf({ countryCode, ...address }: JsonObject, ofCustomer: JsonValue | undefined): JsonObject {
  const country = countryCode === undefined ? ofCustomer : alpha3Of(countryCode);
  return { ...address, ...(country !== undefined && { countryCode: country }) };
}

/** Kosovo has no code in ISO 3166-1; both that are in use are user-assigned. */
const alpha3Of = (country: JsonValue): JsonValue => {
  if (country === "XK") return "XKX";
  return typeof country === "string" && /^[A-Z]{2}$/.test(country) ? (alpha2ToAlpha3(country) ?? country) : country;
};

function readCustomerPush(body: JsonObject): Payload {
  const country = at(body, "recipient.customer.countryCodeAlpha3");
  const recipient = isObject(body["recipient"]) ? body["recipient"] : {};
  const { destination, ...person } = recipient;
  const paymentMethod = isObject(destination) ? { paymentMethod: methodOf(destination, country) } : {};
  return {
    shape: "customer",
    body: { ...body, ...senderOf(body).part, recipient: { ...personOf(person), ...paymentMethod } },
    destination: {
      field: "recipient.customer.countryCodeAlpha3",
      country: typeof country === "string" && country !== "" ? country : undefined,
    },
    aliases: [
      ["recipient.paymentMethod.keyType", "recipient.destination.pix.keyType"],
      ["recipient.paymentMethod.key", "recipient.destination.pix.key"],
      ["recipient.paymentMethod.walletId", "recipient.destination.wallet.walletId"],
      ["recipient.paymentMethod", "recipient.destination"],
      ...customerAliases("recipient", recipient),
      ...senderOf(body).aliases,
    ],
  };
}

function methodOf({ type, cardTokenId, pix, wallet }: JsonObject, country: JsonValue | undefined): JsonObject {
  return {
    ...(type !== undefined && { type }),
    ...(country !== undefined && { countryCode: country }),
    ...(cardTokenId !== undefined && { cardTokenId }),
    ...(isObject(pix) && pix),
    ...(isObject(wallet) && wallet),
  };
}

function readPull(body: JsonObject): Payload {
  const { sender } = body;
  const source = at(sender, "source");
  const isSource = isObject(sender) && isObject(source) && sender["paymentMethod"] === undefined;
  if (!isSource) return { shape: "pull", body, destination: undefined, aliases: [] };
  const { source: _source, ...others } = sender;
  const { card, ...method } = source;
  const token = at(card, "token");
  const paymentMethod = { ...method, ...(token !== undefined && { cardTokenId: token }) };
  return {
    shape: "pull",
    body: { ...body, sender: { ...others, paymentMethod } },
    destination: undefined,
    aliases: [
      ...(token === undefined ? [] : ([["sender.paymentMethod.cardTokenId", "sender.source.card.token"]] as const)),
      ["sender.paymentMethod", "sender.source"],
    ],
  };
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  value !== null && typeof value === "object" && !Array.isArray(value);
