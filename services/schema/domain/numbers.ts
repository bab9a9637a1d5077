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

/** The payment method and documents of a push's recipient. */
export interface PaymentNumbers {
  /** Fields of the payment method by the names of the country's schema, `type` among them. */
  paymentMethod: Readonly<Record<string, string>>;
  documents: readonly { type: string; number: string }[];
}

/** The identification of a person. */
export interface PersonNumbers {
  type: string;
  identificationType: string;
  identification: string;
}

/** The numbers of a push to the pack's country that have a checksum. */
export function numbersOfPayment(
  { methods, documents: ruled }: CorridorPack,
  { paymentMethod, documents }: PaymentNumbers,
): CheckableNumber[] {
  const textOf = (field: string): string => own(paymentMethod, field) ?? "";
  const rules = own(methods, textOf("type"));
  const alternative = rules?.alternative;
  const isAlternative = alternative !== undefined && textOf("accountNumberType") === alternative.accountNumberType;
  const fields = isAlternative ? alternative.fields : (rules?.fields ?? {});
  const keyRule = own(rules?.keyTypes ?? {}, textOf("keyType"));
  const place = "recipient.paymentMethod";
  return [
    ...Object.entries(fields).flatMap(([name, rule]) =>
      checkable(`${place}.${name}`, rule, textOf(name), textOf("bankCode")),
    ),
    ...checkable(`${place}.key`, keyRule, textOf("key")),
    ...documents.flatMap(({ type, number }, index) =>
      checkable(`recipient.documents.${index}.document`, own(ruled?.types ?? {}, type), number),
    ),
  ];
}

/** The identification of a person of the pack's country, if it has a checksum. */
export function numbersOfPerson(
  { person }: CorridorPack,
  { type, identificationType, identification }: PersonNumbers,
): CheckableNumber[] {
  const rules: Record<string, PersonRules> = { ...person };
  const kinds: FieldRules = own(rules, type)?.identification ?? {};
  return checkable("identification", own(kinds, identificationType), identification);
}

function checkable(field: string, rule: FieldRule | undefined, value: string, bankCode = ""): CheckableNumber[] {
  if (rule?.check === undefined || value === "") return [];
  const hasForm = rule.pattern === undefined || new RegExp(rule.pattern, "u").test(value);
  return hasForm ? [{ field, check: rule.check, value, bankCode }] : [];
}

const own = <T>(record: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined;
