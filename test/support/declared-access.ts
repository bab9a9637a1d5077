import { makeOperatorTable } from "../../gateway/operator/operator-table";
import type { Route } from "../../gateway/route";
import { makeRouteTable } from "../../gateway/route-table";
import { systemClock } from "../../services/shared/clock";

/** The tables themselves call nobody, so that their rows can be read without any service. */
const uncalled: unknown = new Proxy({}, { get: () => uncalled, apply: () => uncalled });
const deps = {
  upstreams: uncalled,
  keySet: uncalled,
  limiter: uncalled,
  limits: uncalled,
  readiness: uncalled,
  clock: systemClock,
  linkerSegment: "linker",
  isDraining: () => false,
} as never;
export const uncalledTable: readonly Route[] = makeRouteTable(deps);
export const uncalledOperatorTable: readonly Route[] = makeOperatorTable(deps);

/**
 * Written by hand from the contract: what each route asks for. `none`, `bearer <scope>`, `tenant` (x-api-key) or `agent`
 * (x-api-key with x-agent-id and x-agent-api-key). A new route is a new row here; the matrix tries every kind of credential
 * on it, and the OpenAPI document is compared with it.
 */
export const declaredAccess: Record<string, string> = {
  "POST /oauth/token": "none",
  "GET /.well-known/jwks.json": "none",
  "GET /.well-known/oauth-authorization-server": "none",
  "GET /.well-known/transaction-states.json": "none",
  "GET /schema/{countryCode}": "bearer schemas",
  "GET /reference/schemas": "agent",
  "GET /bank": "bearer banks",
  "GET /bank/list": "bearer banks",
  "GET /reference/banks": "agent",
  "GET /reference/destinations": "agent",
  "GET /schema/person": "bearer schemas",
  "POST /v2/foreign-exchange": "bearer fx",
  "POST /foreign-exchange": "bearer fx",
  "GET /v2/foreign-exchange/{fxId}": "bearer fx",
  "POST /v2/payment": "bearer payments",
  "POST /v2/payment/validate": "bearer payments",
  "POST /providers/linker": "bearer checks",
  "POST /check-account": "bearer checks",
  "DELETE /account-tokens/{accountTokenId}": "bearer checks",
  "POST /v2/check-card-account": "bearer checks",
  "GET /payer/balance": "bearer balance",
  "GET /v2/payment/{externalId}": "bearer payments",
  "GET /payments/{externalPaymentId}": "bearer payments",
  "POST /payments/{externalPaymentId}/void": "bearer payments",
  "POST /payments/{externalPaymentId}/capture": "bearer payments",
  "POST /payments/{externalPaymentId}/refund": "bearer payments",
  "POST /provider-callbacks/{rail}": "none",
  "POST /wallets": "bearer wallets",
  "GET /wallets/{walletId}": "bearer wallets",
  "GET /wallets/{walletId}/balance": "bearer wallets",
  "GET /wallets/{walletId}/statement": "bearer wallets",
  "POST /wallets/transaction": "bearer wallets",
  "POST /wallets/transaction/{transactionId}/confirm": "bearer wallets",
  "POST /wallets/transaction/{transactionId}/void": "bearer wallets",
  "POST /wallets/transfer": "bearer wallets",
  "POST /wallets/transfer/{externalTransferId}/void": "bearer wallets",
  "POST /organizations/{tenant}/agents": "tenant",
  "POST /organizations/{tenant}/webhooks": "tenant",
  "GET /organizations/{tenant}/webhooks": "tenant",
  "DELETE /organizations/{tenant}/webhooks/{webhookId}": "tenant",
  "POST /organizations/{tenant}/webhooks/{webhookId}/secret": "agent",
  "DELETE /organizations/{tenant}/webhooks/{webhookId}/secret": "agent",
  "GET /openapi.json": "none",
  "GET /docs": "none",
  "GET /docs/{asset}": "none",
  "GET /healthz": "none",
  "GET /readyz": "none",
  "POST /fx/transactions/{id}/cancel": "agent",
  "GET /organizations/{tenant}/webhooks/{webhookId}/deliveries": "tenant",
  "GET /organizations/{tenant}/webhooks/{webhookId}/deliveries/{deliveryId}": "tenant",
  "POST /organizations/{tenant}/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver": "tenant",
  "POST /organizations/{tenant}/webhooks/{webhookId}/recover": "tenant",
  "POST /organizations/{tenant}/webhooks/{webhookId}/test": "tenant",
  "GET /organizations/{tenant}/events": "tenant",
  "GET /v2/payment/{externalId}/timeline": "bearer payments",
  "POST /person": "bearer persons",
  "POST /person/validate": "bearer persons",
  "POST /people": "tenant",
  "PATCH /people/{id}": "tenant",
  "GET /organizations/{tenant}/people/{personId}": "tenant",
  "POST /companies": "tenant",
  "PATCH /companies/{id}": "tenant",
  "GET /organizations/{tenant}/companies/{companyId}": "tenant",
};

/** The same for the operator API, on its own port. */
export const declaredOperatorAccess: Record<string, string> = {
  "GET /tenants": "operator",
  "POST /tenants": "operator",
  "PATCH /tenants/{tenant}": "operator",
  "GET /tenants/{tenant}/clients": "operator",
  "POST /tenants/{tenant}/clients": "operator",
  "PATCH /tenants/{tenant}/clients/{clientId}": "operator",
  "GET /tenants/{tenant}/credentials": "operator",
  "POST /tenants/{tenant}/credentials": "operator",
  "DELETE /tenants/{tenant}/credentials/{credentialId}": "operator",
  "GET /tenants/{tenant}/agents": "operator",
  "PUT /tenants/{tenant}/agents/{agentId}/status": "operator",
  "GET /signing-keys": "operator",
  "POST /signing-keys": "operator",
  "DELETE /signing-keys/{kid}": "operator",
  "PUT /tenants/{tenant}/wallets/{walletId}/status": "operator",
  "GET /ledger/trial-balance": "operator",
  "POST /ledger/verifications": "operator",
  "GET /ledger/verifications/{verificationId}": "operator",
  "GET /audit": "operator",
  "GET /audit/verify": "operator",
  "GET /openapi.json": "none",
  "GET /docs": "none",
  "GET /docs/{asset}": "none",
  "GET /healthz": "none",
  "GET /readyz": "none",
};
