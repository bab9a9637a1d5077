import type { CorridorPack, FieldRule, FieldRules, PersonRules } from "./corridor-pack";

/** A number of the right form whose checksum is worth a look. */
export interface CheckableNumber {
  /** Dotted path. */
  field: string;
  /** Name of the checksum, as the pack says it. */
  check: string;
  value: string;
  /** Code of the bank that an account belongs to, where one is given: some checksums include it. */
  bankCode: string;
}

/** How the recipient of a push is paid, and its documents. */
export interface PaymentNumbers {
  /** Fields of the payment method by the names of the country's schema, `type` among them. */
  paymentMethod: Readonly<Record<string, string>>;
  documents: readonly { type: string; number: string }[];
}

/** By which number a person is known. */
export interface PersonNumbers {
  type: string;
  identificationType: string;
  identification: string;
}

/** The numbers of a push to the pack's country that have a checksum. Nothing else is looked at. */
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
