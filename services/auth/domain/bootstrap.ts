import { Ajv } from "ajv";
import type { Profile } from "../../shared/config";
import { type AgentStatus, agentStatuses } from "./directory";

/** A tenant that a new installation starts with, its credentials in clear text. */
export interface BootstrapTenant {
  tenant: string;
  apiKey: string;
  clientId: string;
  clientSecret: string;
  agents: readonly { agentId: string; apiKey: string; status: AgentStatus }[];
}

interface Bootstrap {
  tenants: BootstrapTenant[];
}

const text = (pattern: string) => ({ type: "string", pattern });

/** Credentials of another environment are refused here, and not only when somebody uses them. */
const schemaFor = (env: Profile) => ({
  type: "object",
  required: ["tenants"],
  properties: {
    tenants: {
      type: "array",
      items: {
        type: "object",
        required: ["tenant", "apiKey", "clientId", "clientSecret", "agents"],
        properties: {
          tenant: text("^[a-z0-9][a-z0-9-]{0,62}$"),
          apiKey: text(`^key_${env}_`),
          clientId: text("^[A-Za-z0-9._-]{1,255}$"),
          clientSecret: text(`^secret_${env}_`),
          agents: {
            type: "array",
            items: {
              type: "object",
              required: ["agentId", "apiKey", "status"],
              properties: {
                agentId: text("^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"),
                apiKey: text(`^agent_${env}_`),
                status: { type: "string", enum: agentStatuses },
              },
            },
          },
        },
      },
    },
  },
});

/**
 * Reads the bootstrap file: `tenants` of `.local/credentials.json`; its other keys are left alone. Throws with every
 * problem, naming places and rules, never values.
 */
export function parseBootstrap(fileText: string, env: Profile): readonly BootstrapTenant[] {
  const ajv = new Ajv({ allErrors: true, validateSchema: false });
  const isBootstrap = ajv.compile<Bootstrap>(schemaFor(env));
  const file: unknown = JSON.parse(fileText);
  if (isBootstrap(file)) return file.tenants;
  throw new Error(`bootstrap file is not usable: ${ajv.errorsText(isBootstrap.errors, { dataVar: "file" })}`);
}
