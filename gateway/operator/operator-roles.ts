import { DomainError } from "../../services/shared/kernel/errors";
import type { OperatorRole } from "../../services/shared/kernel/roles";
import { type OperatorPermission, operatorRolesWith } from "../permissions";

interface Rule {
  permission: OperatorPermission;
  /** True: the route changes something, and waits for a second person when four eyes are on. */
  isCommand: boolean;
  /** True: a logged-in operator must have a recent proof of identity. */
  isFresh?: true;
}

const read = (permission: OperatorPermission): Rule => ({ permission, isCommand: false });
const command = (permission: OperatorPermission): Rule => ({ permission, isCommand: true });
/** A call that approves, erases, or makes a credential requires a fresh second factor. */
const fresh = (rule: Rule): Rule => ({ ...rule, isFresh: true });

/** Permissions that operators need for each route of the operator API. A route without a row is closed. */
export const operatorRules: Readonly<Record<string, Rule>> = {
  "GET /tenants": read("tenants:read"),
  "POST /tenants": command("tenants:manage"),
  "PATCH /tenants/{tenant}": command("tenants:manage"),
  "GET /tenants/{tenant}/clients": read("clients:read"),
  "POST /tenants/{tenant}/clients": command("clients:manage"),
  "PATCH /tenants/{tenant}/clients/{clientId}": command("clients:manage"),
  "GET /tenants/{tenant}/credentials": read("credentials:read"),
  "POST /tenants/{tenant}/credentials": fresh(command("credentials:create")),
  "DELETE /tenants/{tenant}/credentials/{credentialId}": command("credentials:manage"),
  "PUT /tenants/{tenant}/credentials/{credentialId}/bounds": command("credentials:manage"),
  "GET /tenants/{tenant}/agents": read("agents:read"),
  "PUT /tenants/{tenant}/agents/{agentId}/status": command("agents:decide"),
  "GET /signing-keys": read("signing-keys:read"),
  "POST /signing-keys": fresh(command("signing-keys:manage")),
  "DELETE /signing-keys/{kid}": command("signing-keys:manage"),
  "PUT /tenants/{tenant}/wallets/{walletId}/status": command("wallets:freeze"),
  "POST /tenants/{tenant}/payments/{paymentId}/reversal": command("payments:reverse"),
  "GET /payments": read("payments:read"),
  "GET /tenants/{tenant}/payments/{paymentId}": read("payments:read"),
  "GET /tenants/{tenant}/payments/{paymentId}/timeline": read("payments:read"),
  "GET /tenants/{tenant}/events": read("events:read"),
  "GET /search": read("search:use"),
  "GET /holds": read("holds:read"),
  "POST /tenants/{tenant}/payments/{paymentId}/hold/rejection": command("holds:reject"),
  "GET /cases": read("cases:read"),
  "GET /cases/{caseId}": read("cases:read"),
  "POST /cases/{caseId}/commands": command("cases:command"),
  "GET /reviews": read("reviews:read"),
  "GET /reviews/{reviewId}": read("reviews:detail"),
  "POST /tenants/{tenant}/reviews/{reviewId}": command("reviews:decide"),
  "POST /tenants/{tenant}/reviews/{reviewId}/release": command("reviews:release"),
  "POST /tenants/{tenant}/reviews/{reviewId}/report": command("reviews:report"),
  "GET /sanction-reports": read("reviews:detail"),
  "GET /exceptions": read("exceptions:read"),
  "DELETE /tenants/{tenant}/exceptions/{exceptionId}": command("exceptions:revoke"),
  "POST /tenants/{tenant}/participants/search": read("participants:find"),
  "DELETE /tenants/{tenant}/participants/{participantId}": fresh(command("participants:erase")),
  "GET /rates": read("rates:read"),
  "POST /rates/{currency}/release": command("rates:release"),
  "GET /fx/exposure": read("exposure:read"),
  "GET /fx/hedges": read("exposure:read"),
  "GET /fx/margin": read("exposure:read"),
  "GET /fx/margin/conversions": read("exposure:read"),
  "PUT /fx/exposure/{currency}/limit": command("exposure:limit"),
  "POST /ledger/reconciliations": command("reconciliation:run"),
  "GET /ledger/breaks": read("breaks:read"),
  "POST /ledger/break-resolutions": command("breaks:resolve"),
  "POST /ledger/corrections": command("ledger:correct"),
  "GET /ledger/entries": read("ledger:read"),
  "GET /ledger/entries/{entryId}": read("ledger:read"),
  "PUT /ledger/floors": command("ledger:floors"),
  "GET /ledger/promises": read("ledger:read"),
  "GET /ledger/proofs/{day}": read("ledger:read"),
  "GET /ledger/trial-balance": read("ledger:read"),
  "POST /ledger/verifications": command("ledger:verify"),
  "GET /ledger/verifications/{verificationId}": read("ledger:read"),
  "GET /tenants/{tenant}/documents": read("documents:list"),
  "GET /tenants/{tenant}/documents/{documentId}": read("documents:read"),
  "GET /tenants/{tenant}/documents/{documentId}/content": read("documents:read"),
  "POST /tenants/{tenant}/documents/{documentId}/decision": command("documents:decide"),
  "GET /bus/{service}/gaps": read("bus:read"),
  "GET /bus/{service}/leases": read("bus:read"),
  "GET /erasures": read("erasures:read"),
  "GET /webhooks/backlog": read("webhooks:read"),
  "GET /bus/{service}/parked-messages": read("bus:read"),
  "POST /bus/{service}/parked-messages/{stream}/{sequence}/replay": command("bus:replay"),
  "POST /bus/{service}/replays": command("bus:replay"),
  "GET /key-rings/{service}": read("key-rings:read"),
  "POST /key-rings/{service}/renewals": command("key-rings:renew"),
  "GET /audit": read("audit:read"),
  "GET /audit/verify": read("audit:read"),
  "GET /openapi.json": read("session:own"),
  "GET /session": read("session:own"),
  "DELETE /session": read("session:own"),
  "GET /sessions": read("session:own"),
  "DELETE /sessions/{sessionId}": read("session:own"),
  "GET /users": read("users:read"),
  "POST /users": command("users:manage"),
  "PATCH /users/{userId}": command("users:manage"),
  // A call that only takes away access which a login restores needs no second operator.
  "DELETE /users/{userId}/sessions": read("users:end-sessions"),
  "GET /tenants/{tenant}/users": read("users:read"),
  "POST /tenants/{tenant}/users": command("users:manage"),
  "PATCH /tenants/{tenant}/users/{userId}": command("users:manage"),
  "DELETE /tenants/{tenant}/users/{userId}/sessions": read("users:end-sessions"),
  "GET /approvals": read("approvals:use"),
  // Only the roles of the command itself may see and decide its approval.
  "GET /approvals/{approvalId}": read("approvals:use"),
  "POST /approvals/{approvalId}": fresh(read("approvals:use")),
};

/** True for roles that may see personal data. */
export const maySeePeople = (roles: ReadonlySet<OperatorRole>): boolean =>
  operatorRolesWith("persons:see").some((role) => roles.has(role));

/** True for a route that waits for a second person when four eyes are on. */
export const isCommand = ({ method, path }: { method: string; path: string }): boolean =>
  operatorRules[`${method} ${path}`]?.isCommand !== false;

/** True for a call that needs a fresh second factor; a command that is sent with an approval may be one that approves. */
export const needsFreshProof = (name: string, hasApproval: boolean): boolean =>
  operatorRules[name]?.isFresh === true || (hasApproval && operatorRules[name]?.isCommand === true);

/** Returns why an operator with these roles may not call `METHOD path`; undefined when it may. */
export function roleRefusal(name: string, held: ReadonlySet<OperatorRole>): DomainError | undefined {
  const roles = operatorRolesWith(operatorRules[name]?.permission);
  if (roles.some((role) => held.has(role))) return undefined;
  const message = "the operator has no role that allows this call";
  return new DomainError("ROLE_MISSING", message, { details: { roles: [...roles] } });
}
