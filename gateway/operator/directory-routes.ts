import type { Agent, Client, Credential, SigningKey, Tenant } from "../../proto/gen/corridor/auth/v1/directory_service";
import type { Upstreams } from "../clients";
import { readFields } from "../field-reader";
import { jsonAnswer, noContent, type OperatorCall, type Route, readJson, requireParam } from "../route";
import {
  arrayOf,
  booleanSchema,
  enumSchema,
  instantSchema,
  nullable,
  objectSchema,
  textSchema,
} from "../schemas/document-schema";
import { boundsFields, boundsRequestFields, readBounds, renderBounds } from "./credential-bounds";

type Auth = Pick<Upstreams, "auth">;

const common = { scheme: "operator", refusals: ["RECORD_NOT_FOUND", "RECORD_CONFLICT"] } as const;
const tenantPath = "/tenants/{tenant}";
const tenantParam = { tenant: "Slug of the tenant." };

const tenantSchema = objectSchema({
  tenant: textSchema("Slug of the tenant."),
  isDisabled: booleanSchema("True: none of its credentials works."),
  allowlist: arrayOf(textSchema("A network in CIDR form.")),
  certificates: arrayOf(textSchema("SHA-256 fingerprint of a client certificate, hex.")),
  createdAt: nullable(instantSchema("When it was added.")),
});

const clientSchema = objectSchema({
  clientId: textSchema("Public identifier."),
  tenant: textSchema("Slug of its tenant."),
  scopes: arrayOf(textSchema("What its tokens can allow.")),
  disabledAt: nullable(instantSchema("Null while it works.")),
});

export const credentialSchema = objectSchema({
  id: textSchema("Public part of the credential."),
  kind: enumSchema("What it is for.", ["key", "agent", "secret"]),
  owner: textSchema("Slug of the tenant, id of the agent or id of the client."),
  prefix: textSchema("Begin of the credential, by which its holder finds it."),
  createdAt: nullable(instantSchema("When it was made.")),
  lastUsedAt: nullable(instantSchema("When it was last seen; null while it never was.")),
  ...boundsFields,
});

const agentSchema = objectSchema({
  id: textSchema("UUID."),
  tenant: textSchema("Slug of its tenant."),
  email: textSchema("How to reach it."),
  businessName: textSchema("Its name."),
  externalId: nullable(textSchema("The tenant's own name for it.")),
  status: textSchema("Its state."),
  createdAt: nullable(instantSchema("When it was added.")),
});

const keySchema = objectSchema({
  kid: textSchema("RFC 7638 thumbprint."),
  signsFrom: nullable(instantSchema("When it begins to sign.")),
  isSigning: booleanSchema("True for the one that signs now."),
});

const instant = (at: Date | undefined): string | null => at?.toISOString() ?? null;

const renderTenant = ({ slug, createdAt, ...tenant }: Tenant): object => ({
  tenant: slug,
  ...tenant,
  createdAt: instant(createdAt),
});
const renderClient = (client: Client): object => ({ ...client, disabledAt: instant(client.disabledAt) });
export const renderCredential = ({ bounds, ...credential }: Credential): object => ({
  ...credential,
  ...renderBounds(bounds),
  createdAt: instant(credential.createdAt),
  lastUsedAt: instant(credential.lastUsedAt),
});
const renderAgent = (agent: Agent): object => ({
  ...agent,
  externalId: agent.externalId ?? null,
  createdAt: instant(agent.createdAt),
});
const renderKey = (key: SigningKey): object => ({ ...key, signsFrom: instant(key.signsFrom) });

/** An answer of the auth service that names what was changed. */
function rendered<T>(record: T | undefined, render: (record: T) => object, status = 200) {
  if (record === undefined) throw new Error("the auth service sent no record");
  return jsonAnswer(render(record), status);
}

/** Tenants, clients, credentials, agents and signing keys, for operators. */
export const directoryRoutes = (upstreams: Auth): readonly Route[] => [
  ...tenantRoutes(upstreams),
  ...clientRoutes(upstreams),
  ...credentialRoutes(upstreams),
  ...agentRoutes(upstreams),
  ...keyRoutes(upstreams),
];

function tenantRoutes({ auth }: Auth): readonly Route[] {
  const tag = "Tenants";
  return [
    {
      ...common,
      tag,
      method: "GET",
      path: "/tenants",
      summary: "List all tenants.",
      body: "none",
      success: { status: 200, description: "By slug.", schema: objectSchema({ tenants: arrayOf(tenantSchema) }) },
      handle: async () => jsonAnswer({ tenants: (await auth.listTenants({})).tenants.map(renderTenant) }),
    },
    {
      ...common,
      tag,
      method: "POST",
      path: "/tenants",
      summary: "Add a tenant.",
      body: "json",
      requestSchema: objectSchema({ tenant: textSchema("Its slug.") }),
      success: { status: 201, description: "The new tenant, without credentials.", schema: tenantSchema },
      async handle(call: OperatorCall) {
        const fields = readFields(readJson(call).value);
        const slug = fields.text("tenant");
        fields.finish();
        return rendered((await auth.createTenant({ slug })).tenant, renderTenant, 201);
      },
    },
    {
      ...common,
      tag,
      method: "PATCH",
      path: tenantPath,
      summary: "Disable or enable a tenant, set its allowlist or its client certificates.",
      body: "json",
      params: tenantParam,
      requestSchema: objectSchema(
        {
          isDisabled: booleanSchema("True stops all of its credentials within 60 seconds."),
          allowlist: arrayOf(textSchema("A network in CIDR form.")),
          certificates: arrayOf(textSchema("SHA-256 fingerprint, hex.")),
        },
        ["isDisabled", "allowlist", "certificates"],
      ),
      success: { status: 200, description: "The tenant.", schema: tenantSchema },
      async handle(call: OperatorCall) {
        const fields = readFields(readJson(call).value);
        const change = {
          isDisabled: fields.optionalFlag("isDisabled"),
          allowlist: listOf(fields.optionalTexts("allowlist")),
          certificates: listOf(fields.optionalTexts("certificates")),
        };
        fields.finish();
        const { tenant } = await auth.changeTenant({ tenant: requireParam(call, "tenant"), ...change });
        return rendered(tenant, renderTenant);
      },
    },
  ];
}

const listOf = (values: string[] | undefined): { values: string[] } | undefined =>
  values === undefined ? undefined : { values };

function clientRoutes({ auth }: Auth): readonly Route[] {
  const tag = "OAuth clients";
  const path = `${tenantPath}/clients`;
  return [
    {
      ...common,
      tag,
      method: "GET",
      path,
      summary: "List the OAuth clients of a tenant.",
      body: "none",
      params: tenantParam,
      success: { status: 200, description: "By id.", schema: objectSchema({ clients: arrayOf(clientSchema) }) },
      async handle(call: OperatorCall) {
        const { clients } = await auth.listClients({ tenant: requireParam(call, "tenant") });
        return jsonAnswer({ clients: clients.map(renderClient) });
      },
    },
    {
      ...common,
      tag,
      method: "POST",
      path,
      summary: "Add an OAuth client; its secret is made as a credential.",
      body: "json",
      params: tenantParam,
      requestSchema: objectSchema({
        clientId: textSchema("Public identifier."),
        scopes: arrayOf(textSchema("A scope."), { minItems: 1 }),
      }),
      success: { status: 201, description: "The new client.", schema: clientSchema },
      async handle(call: OperatorCall) {
        const fields = readFields(readJson(call).value);
        const clientId = fields.text("clientId");
        const scopes = fields.optionalTexts("scopes") ?? [];
        fields.finish();
        const { client } = await auth.createClient({ tenant: requireParam(call, "tenant"), clientId, scopes });
        return rendered(client, renderClient, 201);
      },
    },
    {
      ...common,
      tag,
      method: "PATCH",
      path: `${path}/{clientId}`,
      summary: "Disable or enable an OAuth client, or set its scopes.",
      body: "json",
      params: { ...tenantParam, clientId: "Public identifier." },
      requestSchema: objectSchema(
        {
          isDisabled: booleanSchema("True stops its tokens within 60 seconds."),
          scopes: arrayOf(textSchema("A scope.")),
        },
        ["isDisabled", "scopes"],
      ),
      success: { status: 200, description: "The client.", schema: clientSchema },
      async handle(call: OperatorCall) {
        const fields = readFields(readJson(call).value);
        const isDisabled = fields.optionalFlag("isDisabled");
        const scopes = listOf(fields.optionalTexts("scopes"));
        fields.finish();
        const which = { tenant: requireParam(call, "tenant"), clientId: requireParam(call, "clientId") };
        return rendered((await auth.changeClient({ ...which, isDisabled, scopes })).client, renderClient);
      },
    },
  ];
}

function credentialRoutes({ auth }: Auth): readonly Route[] {
  const tag = "Credentials";
  const path = `${tenantPath}/credentials`;
  return [
    {
      ...common,
      tag,
      method: "GET",
      path,
      summary: "List the live API keys and client secrets of a tenant, without what is secret.",
      body: "none",
      params: tenantParam,
      success: {
        status: 200,
        description: "Oldest first.",
        schema: objectSchema({ credentials: arrayOf(credentialSchema) }),
      },
      async handle(call: OperatorCall) {
        const { credentials } = await auth.listCredentials({ tenant: requireParam(call, "tenant") });
        return jsonAnswer({ credentials: credentials.map(renderCredential) });
      },
    },
    {
      ...common,
      tag,
      method: "POST",
      path,
      summary: "Make a key or secret beside the present one: an owner may have two.",
      body: "json",
      params: tenantParam,
      requestSchema: objectSchema(
        {
          kind: enumSchema("What it is for.", ["key", "agent", "secret"]),
          owner: textSchema("Slug of the tenant, id of the agent or id of the client."),
          ...boundsRequestFields,
        },
        Object.keys(boundsRequestFields),
      ),
      success: {
        status: 201,
        description: "The credential, shown only here.",
        schema: objectSchema({ credential: textSchema("The credential itself."), facts: credentialSchema }),
      },
      async handle(call: OperatorCall) {
        const fields = readFields(readJson(call).value);
        const request = { kind: fields.text("kind"), owner: fields.text("owner"), bounds: readBounds(fields) };
        fields.finish();
        const made = await auth.createCredential({ tenant: requireParam(call, "tenant"), ...request });
        return rendered(made.credential, (facts) => ({ credential: made.text, facts: renderCredential(facts) }), 201);
      },
    },
    {
      ...common,
      tag,
      method: "DELETE",
      path: `${path}/{credentialId}`,
      summary: "End a key or secret, and the tokens that a secret was given.",
      body: "none",
      params: { ...tenantParam, credentialId: "Public part of the credential." },
      success: {
        status: 204,
        description: "It no longer works; a gateway that the bus does not reach takes 60 seconds.",
      },
      async handle(call: OperatorCall) {
        const credentialId = requireParam(call, "credentialId");
        await auth.revokeCredential({ tenant: requireParam(call, "tenant"), credentialId });
        return noContent;
      },
    },
  ];
}

function agentRoutes({ auth }: Auth): readonly Route[] {
  const tag = "Agents";
  const path = `${tenantPath}/agents`;
  return [
    {
      ...common,
      tag,
      method: "GET",
      path,
      summary: "List the agents of a tenant.",
      body: "none",
      params: tenantParam,
      success: { status: 200, description: "Oldest first.", schema: objectSchema({ agents: arrayOf(agentSchema) }) },
      async handle(call: OperatorCall) {
        const { agents } = await auth.listAgents({ tenant: requireParam(call, "tenant") });
        return jsonAnswer({ agents: agents.map(renderAgent) });
      },
    },
    {
      ...common,
      tag,
      method: "PUT",
      path: `${path}/{agentId}/status`,
      summary: "Approve, reject, suspend or close an agent.",
      body: "json",
      params: { ...tenantParam, agentId: "UUID of the agent." },
      requestSchema: objectSchema({
        status: enumSchema("Where it goes.", ["ACTIVE", "REJECTED", "SUSPENDED", "CLOSED"]),
      }),
      success: { status: 200, description: "The agent.", schema: agentSchema },
      async handle(call: OperatorCall) {
        const fields = readFields(readJson(call).value);
        const status = fields.text("status");
        fields.finish();
        const which = { tenant: requireParam(call, "tenant"), agentId: requireParam(call, "agentId") };
        return rendered((await auth.changeAgentStatus({ ...which, status })).agent, renderAgent);
      },
    },
  ];
}

function keyRoutes({ auth }: Auth): readonly Route[] {
  const tag = "Signing keys";
  const path = "/signing-keys";
  return [
    {
      ...common,
      tag,
      method: "GET",
      path,
      summary: "List the published keys.",
      body: "none",
      success: { status: 200, description: "Newest first.", schema: objectSchema({ keys: arrayOf(keySchema) }) },
      handle: async () => jsonAnswer({ keys: (await auth.listSigningKeys({})).keys.map(renderKey) }),
    },
    {
      ...common,
      tag,
      method: "POST",
      path,
      summary: "Publish the next key, which signs after the overlap.",
      body: "none",
      success: { status: 201, description: "The next key.", schema: keySchema },
      handle: async () => rendered((await auth.rotateSigningKey({})).key, renderKey, 201),
    },
    {
      ...common,
      tag,
      method: "DELETE",
      path: `${path}/{kid}`,
      summary: "Take a key out of the set, and its tokens with it.",
      body: "none",
      params: { kid: "RFC 7638 thumbprint." },
      success: { status: 204, description: "It is gone." },
      async handle(call: OperatorCall) {
        await auth.revokeSigningKey({ kid: requireParam(call, "kid") });
        return noContent;
      },
    },
  ];
}
