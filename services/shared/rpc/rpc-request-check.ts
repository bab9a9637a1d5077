import { type FieldViolation, invalid } from "../kernel/errors";
import { currencyDigits } from "../kernel/money";

/** What google.protobuf.Timestamp may hold: years 1 to 9999. */
const [firstInstant, lastInstant] = ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z"].map(Date.parse) as [
  number,
  number,
];
const maxInt64 = 2n ** 63n - 1n;

/** Methods whose requests may concern no tenant, as their proto says: the field is then empty. */
export const tenantIsOptional: ReadonlySet<string> = new Set([
  "/corridor.payment.v1.CaseService/OpenCase",
  "/corridor.payment.v1.CaseService/ListCases",
]);

/**
 * Refuses values that are invalid in every method: an empty tenant where a request has one, an amount in an unknown
 * currency, and times and numbers outside the stored ranges. Throws INVALID_ARGUMENT with every such field. Handlers check
 * the meaning of single fields.
 */
export function checkRequest(path: string, request: unknown): void {
  const violations: FieldViolation[] = [];
  const isNamed = !isRecord(request) || request["tenant"] !== "" || tenantIsOptional.has(path);
  if (!isNamed) violations.push({ field: "tenant", message: "is required" });
  walk(request, "", violations);
  if (violations.length > 0) throw invalid(violations);
}

function walk(value: unknown, path: string, violations: FieldViolation[]): void {
  const rule = ruleBrokenBy(value);
  if (rule !== undefined) violations.push({ field: path, message: rule });
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) walk(item, `${path}.${index}`, violations);
  } else if (isRecord(value)) {
    if (isUnknownMoney(value))
      violations.push({ field: child(path, "currency"), message: "must be an ISO 4217 currency" });
    for (const [name, field] of Object.entries(value)) walk(field, child(path, name), violations);
  }
}

function ruleBrokenBy(value: unknown): string | undefined {
  if (value instanceof Date) {
    const isTime = value.getTime() >= firstInstant && value.getTime() <= lastInstant;
    return isTime ? undefined : "must be a time of the years 1 to 9999";
  }
  if (typeof value === "bigint") return value <= maxInt64 && value >= -maxInt64 ? undefined : "must fit into 64 bits";
  return typeof value === "number" && !Number.isFinite(value) ? "must be a finite number" : undefined;
}

const isUnknownMoney = ({ amountMinor, currency }: Readonly<Record<string, unknown>>): boolean =>
  typeof amountMinor === "bigint" && typeof currency === "string" && currencyDigits(currency) === undefined;

const child = (path: string, name: string): string => (path === "" ? name : `${path}.${name}`);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !ArrayBuffer.isView(value) && !(value instanceof Date);
