import type { JsonObject, JsonValue } from "../../shared/kernel/json";
import type { CorridorPack, FieldRule, FieldRules, PersonRules } from "./corridor-pack";

/** A well-formed number that has a checksum. */
export interface CheckableNumber {
  /** Dotted path. */
  field: string;
  /** Name of the checksum in the pack. */
  check: string;
  value: string;
  /** Code of the account's bank, empty when absent: some checksums include it. */
  bankCode: string;
}

/** The numbers with a checksum in a push to the pack's country, in the schema variant. */
export function numbersOfPayment({ methods, documents }: CorridorPack, payment: JsonObject): CheckableNumber[] {
  const recipient = objectAt(payment, "recipient");
  const method = objectAt(recipient, "paymentMethod");
  const place = "recipient.paymentMethod";
  const bankCode = textAt(method, "bankCode");
  const rules = own(methods, textAt(method, "type"));
  const alternative = rules?.alternative;
  const isAlternative =
    alternative !== undefined && textAt(method, "accountNumberType") === alternative.accountNumberType;
  const fields = isAlternative ? alternative.fields : (rules?.fields ?? {});
  const keyRule = own(rules?.keyTypes ?? {}, textAt(method, "keyType"));
  const given = recipient["documents"];
  return [
    ...Object.entries(fields).flatMap(([name, rule]) => checkable(`${place}.${name}`, rule, method[name], bankCode)),
    ...checkable(`${place}.key`, keyRule, method["key"]),
    ...(Array.isArray(given) ? given : []).flatMap((document, index) => {
      const facts = isObject(document) ? document : {};
      const rule = own(documents?.types ?? {}, textAt(facts, "type"));
      return checkable(`recipient.documents.${index}.document`, rule, facts["document"]);
    }),
  ];
}

/** The identification number of a person of the pack's country, if it has a checksum. */
export function numbersOfPerson({ person }: CorridorPack, facts: JsonObject): CheckableNumber[] {
  const rules: Record<string, PersonRules> = { ...person };
  const kinds: FieldRules = own(rules, textAt(facts, "type"))?.identification ?? {};
  return checkable("identification", own(kinds, textAt(facts, "identificationType")), facts["identification"]);
}

function checkable(
  field: string,
  rule: FieldRule | undefined,
  value: JsonValue | undefined,
  bankCode = "",
): CheckableNumber[] {
  if (rule?.check === undefined || typeof value !== "string") return [];
  const hasForm = rule.pattern === undefined || new RegExp(rule.pattern, "u").test(value);
  return hasForm ? [{ field, check: rule.check, value, bankCode }] : [];
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const own = <T>(record: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined;

const objectAt = (value: JsonObject, key: string): JsonObject => {
  const found = value[key];
  return isObject(found) ? found : {};
};

const textAt = (value: JsonObject, key: string): string => {
  const found = value[key];
  return typeof found === "string" ? found : "";
};
