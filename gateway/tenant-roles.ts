import { DomainError } from "../services/shared/kernel/errors";
import { type TenantRole, tenantRoles } from "../services/shared/kernel/roles";

const everybody = tenantRoles;
/** Names, addresses and documents of persons are seen by those who pay them. */
const personal: readonly TenantRole[] = ["finance", "admin"];
const money: readonly TenantRole[] = ["finance", "admin"];
const technical: readonly TenantRole[] = ["developer", "admin"];
const admins: readonly TenantRole[] = ["admin"];

/** Which people of a tenant may call which route. A route without a row is closed; programs go by scopes. */
export const tenantRules: Readonly<Record<string, readonly TenantRole[]>> = {
  "GET /session": everybody,
  "DELETE /session": everybody,
  "GET /organizations/{tenant}/users": admins,
  "POST /organizations/{tenant}/users": admins,
  "PATCH /organizations/{tenant}/users/{userId}": admins,
  "DELETE /organizations/{tenant}/users/{userId}/sessions": admins,
  "GET /schema/{countryCode}": everybody,
  "GET /reference/schemas": everybody,
  "GET /bank": everybody,
  "GET /bank/list": everybody,
  "GET /reference/banks": everybody,
  "GET /reference/destinations": everybody,
  "GET /schema/person": everybody,
  "POST /v2/foreign-exchange": money,
  "POST /foreign-exchange": money,
  "POST /payout/quotes": money,
  "GET /v2/foreign-exchange": everybody,
  "GET /v2/foreign-exchange/{fxId}": everybody,
  "POST /v2/payment": money,
  "POST /v2/payment/validate": money,
  "GET /v2/payments": everybody,
  "GET /search": personal,
  "POST /providers/linker": money,
  "POST /check-account": money,
  "DELETE /account-tokens/{accountTokenId}": money,
  "POST /v2/check-card-account": money,
  "GET /payer/balance": everybody,
  "GET /v2/payment/{externalId}": personal,
  "GET /v2/payment/{externalId}/timeline": everybody,
  "GET /payments/{externalPaymentId}": personal,
  "POST /payments/{externalPaymentId}/void": money,
  "POST /payments/{externalPaymentId}/capture": money,
  "POST /payments/{externalPaymentId}/refund": money,
  "POST /fx/transactions": money,
  "POST /fx/transactions/{id}/cancel": money,
  "PUT /fx/transactions/{id}/metadata": money,
  "GET /fx/transactions": everybody,
  "GET /fx/transactions/limits": everybody,
  "GET /fx/transactions/{id}": personal,
  "GET /fx/transactions/{id}/history": everybody,
  "POST /payout/participants/{id}/fundingAccounts": money,
  "GET /payout/participants/{id}/fundingAccounts": personal,
  "POST /payout/participants/{id}/recipientAccounts/gateway": money,
  "GET /payout/participants/{id}/recipientAccounts/gateway": personal,
  "POST /wallets": money,
  "GET /wallets": everybody,
  "GET /wallets/{walletId}": everybody,
  "GET /wallets/{walletId}/balance": everybody,
  "GET /wallets/{walletId}/statement": everybody,
  "GET /wallets/transactions": everybody,
  "GET /wallets/transaction/{transactionId}": everybody,
  "GET /wallets/transfer/{externalTransferId}": everybody,
  "POST /wallets/transaction": money,
  "POST /wallets/transaction/{transactionId}/confirm": money,
  "POST /wallets/transaction/{transactionId}/void": money,
  "POST /wallets/transfer": money,
  "POST /wallets/transfer/{externalTransferId}/void": money,
  "POST /organizations/{tenant}/agents": admins,
  "GET /organizations/{tenant}/agents": technical,
  "POST /organizations/{tenant}/webhooks": technical,
  "GET /organizations/{tenant}/webhooks": everybody,
  "DELETE /organizations/{tenant}/webhooks/{webhookId}": technical,
  "POST /organizations/{tenant}/webhooks/{webhookId}/secret": technical,
  "DELETE /organizations/{tenant}/webhooks/{webhookId}/secret": technical,
  "GET /organizations/{tenant}/deliveries": everybody,
  "GET /organizations/{tenant}/webhooks/{webhookId}/deliveries": everybody,
  "GET /organizations/{tenant}/webhooks/{webhookId}/deliveries/{deliveryId}": everybody,
  "POST /organizations/{tenant}/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver": technical,
  "POST /organizations/{tenant}/webhooks/{webhookId}/recover": technical,
  "POST /organizations/{tenant}/webhooks/{webhookId}/test": technical,
  "GET /organizations/{tenant}/events": everybody,
  "POST /person": personal,
  "POST /person/validate": personal,
  "POST /v1/sessions": personal,
  "GET /v1/sessions/{sessionId}": personal,
  "POST /v1/verifications": personal,
  "GET /v1/verifications/{verificationId}": personal,
  "POST /people": personal,
  "PATCH /people/{id}": personal,
  "GET /organizations/{tenant}/people": personal,
  "GET /organizations/{tenant}/people/{personId}": personal,
  "POST /people/{id}/documents/{document}": personal,
  "GET /people/{id}/documents": personal,
  "GET /people/{id}/documents/{document}": personal,
  "GET /people/{id}/documents/{document}/content": personal,
  "POST /companies": personal,
  "PATCH /companies/{id}": personal,
  "GET /organizations/{tenant}/companies": personal,
  "GET /organizations/{tenant}/companies/{companyId}": personal,
  "POST /companies/{id}/documents/{document}": personal,
  "GET /companies/{id}/documents": personal,
  "GET /companies/{id}/documents/{document}": personal,
  "GET /companies/{id}/documents/{document}/content": personal,
  "GET /participants/{id}/complianceLevels": everybody,
  "GET /addresses/check": personal,
};

/** What makes or shows a credential asks for a fresh second factor. */
export const tenantFreshCalls: ReadonlySet<string> = new Set([
  "POST /organizations/{tenant}/agents",
  "POST /organizations/{tenant}/webhooks/{webhookId}/secret",
]);

/** Returns why a person with these roles may not call `METHOD path`; undefined when they may. */
export function tenantRoleRefusal(name: string, held: readonly string[]): DomainError | undefined {
  // The linking provider gives a path of the table its own name.
  const roles = tenantRules[name.replace(/^POST \/providers\/.*$/, "POST /providers/linker")] ?? [];
  if (roles.some((role) => held.includes(role))) return undefined;
  const message = "the user has no role that allows this call";
  return new DomainError("ROLE_MISSING", message, { details: { roles: [...roles] } });
}
