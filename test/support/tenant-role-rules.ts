import type { TenantRole } from "../../services/shared/kernel/roles";

const isPersonal = (path: string): boolean =>
  /^\/(people|companies|person|v1\/(sessions|verifications)|search|addresses)\b/.test(path) ||
  /\{tenant\}\/(people|companies)|Accounts/.test(path);
/** Single payments and transactions, with the names and addresses of payers and payees. */
const isWholeRecord = (path: string): boolean =>
  /\{(externalId|externalPaymentId|id)\}$/.test(path) && !isPersonal(path);
const isTechnical = (path: string): boolean => path.includes("/webhooks");
const isTeam = (path: string): boolean => path.endsWith("/users") || path.includes("/users/");
/** Keys, secrets and clients of programs: a person who makes one decides what it may do. */
const isAccess = (path: string): boolean => /\{tenant\}\/(clients|credentials)\b/.test(path);
/** The purpose of each role, written independently of the code. */
export function mayCall(role: TenantRole, { method, path }: { method: string; path: string }): boolean {
  if (path.startsWith("/session") || role === "admin") return true;
  if (isTeam(path)) return false;
  if (path.endsWith("/agents") || isAccess(path)) return role === "developer" && method === "GET";
  if (isPersonal(path)) return role === "finance";
  if (method === "GET") return !isWholeRecord(path) || role === "finance";
  return isTechnical(path) ? role === "developer" : role === "finance";
}
