/** An object that the search has found, for a tenant or for operators. */
export interface Anything {
  readonly kind: string;
  readonly id: string;
  readonly externalId: string | null;
  readonly parentId: string | null;
  readonly tenant?: string;
}

const ofPayment = new Set(["payment", "leg", "refund", "provider reference", "receipt", "trace"]);
const pathOf = (...parts: readonly string[]): string => `/${parts.map(encodeURIComponent).join("/")}`;

/** Returns the page of a found object; undefined if it has none. */
export function pageOf(found: Anything, isOperator: boolean): string | undefined {
  const { kind, id, externalId, parentId, tenant = "" } = found;
  if (isOperator) {
    if (ofPayment.has(kind)) return pathOf("desk", "payments", tenant, id);
    if (kind === "case") return pathOf("desk", "cases", id);
    return kind === "review" ? pathOf("desk", "reviews", id) : undefined;
  }
  if (ofPayment.has(kind)) return externalId === null ? undefined : pathOf("payments", externalId);
  if (kind === "quote") return pathOf("quotes", id);
  if (kind === "wallet") return pathOf("wallets", id);
  if (kind === "person") return pathOf("people", id);
  if (kind === "company") return pathOf("companies", id);
  if (kind === "webhook") return pathOf("webhooks", id);
  if (kind === "delivery") return parentId === null ? undefined : pathOf("webhooks", parentId, id);
  return undefined;
}
