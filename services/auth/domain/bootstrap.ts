import type { Profile } from "../../shared/kernel/profile";
import { type AgentStatus, agentStatuses } from "./directory";

/** A tenant of a new installation, with its credentials in clear text. */
export interface BootstrapTenant {
  tenant: string;
  apiKey: string;
  clientId: string;
  clientSecret: string;
  agents: readonly { agentId: string; apiKey: string; status: AgentStatus }[];
}

type Rules = Readonly<Record<string, RegExp>>;

/** Refuses credentials of another environment at import instead of at their first use. */
const tenantRules = (env: Profile): Rules => ({
  tenant: /^[a-z0-9][a-z0-9-]{0,62}$/,
  apiKey: new RegExp(`^key_${env}_`),
  clientId: /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,255}$/,
  clientSecret: new RegExp(`^secret_${env}_`),
});

const agentRules = (env: Profile): Rules => ({
  agentId: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  apiKey: new RegExp(`^agent_${env}_`),
  status: new RegExp(`^(${agentStatuses.join("|")})$`),
});

/**
 * Reads the bootstrap file: `tenants` of `.local/credentials.json`; other keys are ignored. Throws with every problem, naming
 * places and rules, never values.
 */
export function parseBootstrap(fileText: string, env: Profile): readonly BootstrapTenant[] {
  const problems: string[] = [];
  const tenants = listIn(JSON.parse(fileText), "tenants", "file", problems);
  for (const [index, tenant] of tenants.entries()) {
    const place = `file/tenants/${index}`;
    checkTexts(tenant, tenantRules(env), place, problems);
    for (const [number, agent] of listIn(tenant, "agents", place, problems).entries()) {
      checkTexts(agent, agentRules(env), `${place}/agents/${number}`, problems);
    }
  }
  if (problems.length > 0) throw new Error(`bootstrap file is not usable: ${problems.join(", ")}`);
  return tenants as BootstrapTenant[];
}

function listIn(value: unknown, field: string, place: string, problems: string[]): unknown[] {
  const list = fieldOf(value, field);
  if (Array.isArray(list)) return list as unknown[];
  problems.push(`${place}/${field} must be a list`);
  return [];
}

function checkTexts(value: unknown, rules: Rules, place: string, problems: string[]): void {
  for (const [field, rule] of Object.entries(rules)) {
    const text = fieldOf(value, field);
    if (typeof text !== "string" || !rule.test(text)) problems.push(`${place}/${field} must match ${rule.source}`);
  }
}

const fieldOf = (value: unknown, field: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, field)
    ? (value as Record<string, unknown>)[field]
    : undefined;
