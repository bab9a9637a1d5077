import { DomainError } from "../../services/shared/kernel/errors";
import { type OperatorRole, operatorRoles } from "../../services/shared/kernel/roles";

interface Rule {
  roles: readonly OperatorRole[];
  /** True: it changes something, and waits for a second person where four eyes are on. */
  isCommand: boolean;
  /** True: who is logged in must have proven himself of late. */
  isFresh?: true;
}

const read = (...roles: OperatorRole[]): Rule => ({ roles, isCommand: false });
const command = (...roles: OperatorRole[]): Rule => ({ roles, isCommand: true });
/** What approves, erases, or makes a credential asks for a fresh second factor. */
const fresh = (rule: Rule): Rule => ({ ...rule, isFresh: true });
const everybody = operatorRoles;

/** Who may call which route of the operator API. A route without a row is closed. */
export const operatorRules: Readonly<Record<string, Rule>> = {
  "GET /tenants": read(...everybody),
  "POST /tenants": command("platform"),
  "PATCH /tenants/{tenant}": command("platform"),
  "GET /tenants/{tenant}/clients": read("support", "platform"),
  "POST /tenants/{tenant}/clients": command("platform"),
  "PATCH /tenants/{tenant}/clients/{clientId}": command("platform"),
  "GET /tenants/{tenant}/credentials": read("support", "platform"),
  "POST /tenants/{tenant}/credentials": fresh(command("platform")),
  "DELETE /tenants/{tenant}/credentials/{credentialId}": command("platform"),
  "PUT /tenants/{tenant}/credentials/{credentialId}/bounds": command("platform"),
  "GET /tenants/{tenant}/agents": read("support", "compliance", "platform"),
  "PUT /tenants/{tenant}/agents/{agentId}/status": command("platform"),
  "GET /signing-keys": read("support", "platform"),
  "POST /signing-keys": fresh(command("platform")),
  "DELETE /signing-keys/{kid}": command("platform"),
  "PUT /tenants/{tenant}/wallets/{walletId}/status": command("treasury"),
  "POST /tenants/{tenant}/payments/{paymentId}/reversal": command("treasury"),
  "GET /payments": read("support", "compliance", "treasury"),
  "GET /tenants/{tenant}/payments/{paymentId}": read("support", "compliance", "treasury"),
  "GET /tenants/{tenant}/payments/{paymentId}/timeline": read("support", "compliance", "treasury"),
  "GET /tenants/{tenant}/events": read("support", "compliance", "platform"),
  "GET /search": read("support", "compliance", "treasury"),
  "GET /holds": read("support", "compliance", "treasury"),
  "POST /tenants/{tenant}/payments/{paymentId}/hold/rejection": command("treasury"),
  "GET /cases": read("support", "treasury"),
  "GET /cases/{caseId}": read("support", "treasury"),
  "POST /cases/{caseId}/commands": command("treasury"),
  "GET /reviews": read("support", "compliance"),
  "GET /reviews/{reviewId}": read("compliance"),
  "POST /tenants/{tenant}/reviews/{reviewId}": command("compliance"),
  "POST /tenants/{tenant}/reviews/{reviewId}/release": command("compliance"),
  "POST /tenants/{tenant}/reviews/{reviewId}/report": command("compliance"),
  "GET /sanction-reports": read("compliance"),
  "GET /exceptions": read("support", "compliance"),
  "DELETE /tenants/{tenant}/exceptions/{exceptionId}": command("compliance"),
  "POST /tenants/{tenant}/participants/search": read("compliance"),
  "DELETE /tenants/{tenant}/participants/{participantId}": fresh(command("compliance")),
  "GET /rates": read("support", "treasury"),
  "POST /rates/{currency}/release": command("treasury"),
  "POST /ledger/reconciliations": command("treasury"),
  "GET /ledger/breaks": read("support", "treasury"),
  "POST /ledger/break-resolutions": command("treasury"),
  "POST /ledger/corrections": command("treasury"),
  "GET /ledger/entries": read("support", "treasury"),
  "GET /ledger/entries/{entryId}": read("support", "treasury"),
  "PUT /ledger/floors": command("treasury"),
  "GET /ledger/promises": read("support", "treasury"),
  "GET /ledger/proofs/{day}": read("support", "treasury"),
  "GET /ledger/trial-balance": read("support", "treasury"),
  "POST /ledger/verifications": command("treasury"),
  "GET /ledger/verifications/{verificationId}": read("support", "treasury"),
  "GET /tenants/{tenant}/documents": read("support", "compliance"),
  "GET /tenants/{tenant}/documents/{documentId}": read("compliance"),
  "GET /tenants/{tenant}/documents/{documentId}/content": read("compliance"),
  "POST /tenants/{tenant}/documents/{documentId}/decision": command("compliance"),
  "GET /bus/{service}/gaps": read("support", "platform"),
  "GET /bus/{service}/leases": read("support", "platform"),
  "GET /erasures": read("support", "compliance"),
  "GET /webhooks/backlog": read("support", "platform"),
  "GET /bus/{service}/parked-messages": read("support", "platform"),
  "POST /bus/{service}/parked-messages/{stream}/{sequence}/replay": command("platform"),
  "POST /bus/{service}/replays": command("platform"),
  "GET /key-rings/{service}": read("support", "platform"),
  "POST /key-rings/{service}/renewals": command("platform"),
  "GET /audit": read("compliance", "platform"),
  "GET /audit/verify": read("compliance", "platform"),
  "GET /session": read(...everybody),
  "DELETE /session": read(...everybody),
  "GET /users": read("support", "platform"),
  "POST /users": command("platform"),
  "PATCH /users/{userId}": command("platform"),
  // What only takes access away, and can be had again by a login, needs no second operator.
  "DELETE /users/{userId}/sessions": read("platform"),
  "GET /tenants/{tenant}/users": read("support", "platform"),
  "POST /tenants/{tenant}/users": command("platform"),
  "PATCH /tenants/{tenant}/users/{userId}": command("platform"),
  "DELETE /tenants/{tenant}/users/{userId}/sessions": read("platform"),
  "GET /approvals": read(...everybody),
  // What the command says is shown, and decided, by the roles of the command alone.
  "GET /approvals/{approvalId}": read(...everybody),
  "POST /approvals/{approvalId}": fresh(read(...everybody)),
};

/** Who may see what is known of people. */
export const maySeePeople = (roles: ReadonlySet<OperatorRole>): boolean => roles.has("compliance");

/** True for a route that waits for a second person where four eyes are on. */
export const isCommand = ({ method, path }: { method: string; path: string }): boolean =>
  operatorRules[`${method} ${path}`]?.isCommand !== false;

/** True for a call that needs a fresh second factor; a command that is sent with an approval may be one that approves. */
export const needsFreshProof = (name: string, hasApproval: boolean): boolean =>
  operatorRules[name]?.isFresh === true || (hasApproval && operatorRules[name]?.isCommand === true);

/** Why an operator with these roles may not call `METHOD path`; undefined when it may. */
export function roleRefusal(name: string, held: ReadonlySet<OperatorRole>): DomainError | undefined {
  const roles = operatorRules[name]?.roles ?? [];
  if (roles.some((role) => held.has(role))) return undefined;
  const message = "the operator has no role that allows this call";
  return new DomainError("ROLE_MISSING", message, { details: { roles: [...roles] } });
}
