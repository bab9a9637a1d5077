import type { Agent, SigningKey, Tenant } from "../../proto/gen/corridor/auth/v1/directory_service";
import type { Upstreams } from "../clients";
import * as contracts from "../contract/credentials";
import { defineRoute } from "../contract/define-route";
import type { Answered } from "../contract/infer";
import {
  answer,
  closedQuery,
  flag,
  instant,
  listOf,
  oneOf,
  orNull,
  request,
  requestWith,
  text,
  uuid,
  words,
} from "../contract/parts";
import { renderClient, renderCredential, toBounds } from "../render-credential";
import type { Route } from "../route";
import { agentStatuses } from "../routes/agents";
import { pageMembers } from "./page";

type Auth = Pick<Upstreams, "auth">;

const common = { scheme: "operator", refusals: ["RECORD_NOT_FOUND", "RECORD_CONFLICT"] } as const;
const tenantPath = "/tenants/{tenant}";
const tenantParam = { tenant: "Slug of the tenant." };

const network = text("A network in CIDR form.");

const tenantShape = answer("Tenant", "A customer of the platform.", {
  tenant: text("Slug of the tenant."),
  isDisabled: flag("True: none of its credentials works."),
  allowlist: listOf("Where its calls may come from; empty: from everywhere.", network),
  certificates: listOf("Its client certificates.", text("SHA-256 fingerprint of a client certificate, hex.")),
  createdAt: orNull(instant("When it was added.")),
});

const agentShape = answer("Agent", "A partner of a tenant.", {
  id: uuid("Id."),
  tenant: text("Slug of its tenant."),
  email: text("How to reach it."),
  businessName: text("Its name."),
  externalId: orNull(text("The tenant's own name for it.")),
  status: text("Its state."),
  createdAt: orNull(instant("When it was added.")),
});

const keyShape = answer("SigningKey", "A key that signs access tokens.", {
  kid: text("RFC 7638 thumbprint."),
  signsFrom: orNull(instant("When it begins to sign.")),
  isSigning: flag("True for the one that signs now."),
});

const renderTenant = (tenant: Tenant | undefined): Answered<typeof tenantShape> => {
  const { slug, isDisabled, allowlist, certificates, createdAt = null } = given(tenant);
  return { tenant: slug, isDisabled, allowlist, certificates, createdAt };
};
const renderAgent = (agent: Agent | undefined): Answered<typeof agentShape> => {
  const { id, tenant, email, businessName, externalId = null, status, createdAt = null } = given(agent);
  return { id, tenant, email, businessName, externalId, status, createdAt };
};
const renderKey = (key: SigningKey | undefined): Answered<typeof keyShape> => {
  const { kid, signsFrom = null, isSigning } = given(key);
  return { kid, signsFrom, isSigning };
};

/** The record that an answer of the auth service must have. */
function given<T>(record: T | undefined): T {
  if (record === undefined) throw new Error("the auth service sent no record");
  return record;
}

/** Tenants, clients, credentials, agents and signing keys, for operators. */
export const directoryRoutes = (upstreams: Auth): readonly Route[] => [
  ...tenantRoutes(upstreams),
  ...clientRoutes(upstreams),
  ...credentialRoutes(upstreams),
  ...agentRoutes(upstreams),
  ...keyRoutes(upstreams),
];

const tenantList = answer("Tenants", "All tenants.", { tenants: listOf("The tenants, by slug.", tenantShape) });
const tenantRequest = request("TenantRequest", "A tenant that is added.", { tenant: words("Its slug.") });
const tenantChange = requestWith(
  "TenantChange",
  "What changes of a tenant.",
  {},
  {
    isDisabled: flag("True stops all of its credentials within 60 seconds."),
    allowlist: listOf("Where its calls may come from; empty: from everywhere.", network),
    certificates: listOf("Its client certificates.", text("SHA-256 fingerprint, hex.")),
  },
);

const tenantRoutes = ({ auth }: Auth): readonly Route[] => [
  defineRoute({
    ...common,
    tag: "Tenants",
    method: "GET",
    path: "/tenants",
    summary: "List all tenants.",
    response: { status: 200, description: "By slug.", schema: tenantList },
    handle: async () => ({ tenants: (await auth.listTenants({})).tenants.map(renderTenant) }),
  }),
  defineRoute({
    ...common,
    tag: "Tenants",
    method: "POST",
    path: "/tenants",
    summary: "Add a tenant.",
    request: tenantRequest,
    response: { status: 201, description: "The new tenant, without credentials.", schema: tenantShape },
    handle: async ({ body }) => renderTenant((await auth.createTenant({ slug: body.tenant })).tenant),
  }),
  defineRoute({
    ...common,
    tag: "Tenants",
    method: "PATCH",
    path: tenantPath,
    summary: "Disable or enable a tenant, set its allowlist or its client certificates.",
    params: tenantParam,
    request: tenantChange,
    response: { status: 200, description: "The tenant.", schema: tenantShape },
    async handle({ params, body: { isDisabled, allowlist, certificates } }) {
      const change = { isDisabled, allowlist: valuesOf(allowlist), certificates: valuesOf(certificates) };
      return renderTenant((await auth.changeTenant({ ...params, ...change })).tenant);
    },
  }),
];

const valuesOf = (values: readonly string[] | undefined): { values: string[] } | undefined =>
  values === undefined ? undefined : { values: [...values] };

const clientsPath = `${tenantPath}/clients` as const;
const clientRequest = request("OauthClientRequest", "A client that is added.", {
  clientId: words("Public identifier."),
  scopes: contracts.scopesAsked,
});

const clientRoutes = ({ auth }: Auth): readonly Route[] => [
  defineRoute({
    ...common,
    tag: "OAuth clients",
    method: "GET",
    path: clientsPath,
    summary: "List the OAuth clients of a tenant.",
    params: tenantParam,
    response: { status: 200, description: "By id.", schema: contracts.clientList },
    async handle({ params }) {
      const { clients } = await auth.listClients(params);
      return { clients: clients.map(renderClient) };
    },
  }),
  defineRoute({
    ...common,
    tag: "OAuth clients",
    method: "POST",
    path: clientsPath,
    summary: "Add an OAuth client; its secret is made as a credential.",
    params: tenantParam,
    request: clientRequest,
    response: { status: 201, description: "The new client.", schema: contracts.client },
    async handle({ params, body: { clientId, scopes } }) {
      return renderClient((await auth.createClient({ ...params, clientId, scopes: [...scopes] })).client);
    },
  }),
  defineRoute({
    ...common,
    tag: "OAuth clients",
    method: "PATCH",
    path: `${clientsPath}/{clientId}`,
    summary: "Disable or enable an OAuth client, or set its scopes.",
    params: { ...tenantParam, clientId: "Public identifier." },
    request: contracts.clientChange,
    response: { status: 200, description: "The client.", schema: contracts.client },
    async handle({ params, body: { isDisabled, scopes } }) {
      return renderClient((await auth.changeClient({ ...params, isDisabled, scopes: valuesOf(scopes) })).client);
    },
  }),
];

const credentialsPath = `${tenantPath}/credentials` as const;

const credentialRoutes = ({ auth }: Auth): readonly Route[] => [
  defineRoute({
    ...common,
    tag: "Credentials",
    method: "GET",
    path: credentialsPath,
    summary: "List the live API keys and client secrets of a tenant, without what is secret.",
    params: tenantParam,
    response: { status: 200, description: "Oldest first.", schema: contracts.credentialList },
    async handle({ params }) {
      const { credentials } = await auth.listCredentials(params);
      return { credentials: credentials.map(renderCredential) };
    },
  }),
  defineRoute({
    ...common,
    tag: "Credentials",
    method: "POST",
    path: credentialsPath,
    summary: "Make a key or secret beside the present one: an owner may have two.",
    params: tenantParam,
    request: contracts.credentialRequest,
    response: { status: 201, description: "The credential, shown only here.", schema: contracts.newCredential },
    async handle({ params, body: { kind: purpose, owner, ...bounds } }) {
      const made = await auth.createCredential({ ...params, kind: purpose, owner, bounds: toBounds(bounds) });
      return { credential: made.text, facts: renderCredential(made.credential) };
    },
  }),
  defineRoute({
    ...common,
    tag: "Credentials",
    method: "DELETE",
    path: `${credentialsPath}/{credentialId}`,
    summary: "End a key or secret, and the tokens that a secret was given.",
    params: { ...tenantParam, credentialId: "Public part of the credential." },
    response: {
      status: 204,
      description: "It no longer works; a gateway that the bus does not reach takes 60 seconds.",
    },
    handle: ({ params }) => auth.revokeCredential(params),
  }),
];

const agentsPath = `${tenantPath}/agents` as const;
const agentList = answer("Agents", "A page of the agents of a tenant.", {
  agents: listOf("The newest first.", agentShape),
  next: orNull(text("`after` of the next page; null on the last. A page with few agents, or none, may have it.")),
});
const agentQuery = closedQuery("Which agents are meant.", {
  status: oneOf("Only in this state.", agentStatuses),
  ...pageMembers,
});
const agentStatus = request("AgentStatusRequest", "Where an agent goes.", {
  status: oneOf("Where it goes.", ["ACTIVE", "REJECTED", "SUSPENDED", "CLOSED"]),
});

const agentRoutes = ({ auth }: Auth): readonly Route[] => [
  defineRoute({
    ...common,
    tag: "Agents",
    method: "GET",
    path: agentsPath,
    summary: "List the agents of a tenant.",
    params: tenantParam,
    query: agentQuery,
    response: { status: 200, description: "The newest first.", schema: agentList },
    refusals: ["INVALID_ARGUMENT"],
    async handle({ params, query }) {
      const { agents, next } = await auth.listAgents({ ...params, ...query });
      return { agents: agents.map(renderAgent), next: next ?? null };
    },
  }),
  defineRoute({
    ...common,
    tag: "Agents",
    method: "PUT",
    path: `${agentsPath}/{agentId}/status`,
    summary: "Approve, reject, suspend or close an agent.",
    params: { ...tenantParam, agentId: "UUID of the agent." },
    request: agentStatus,
    response: { status: 200, description: "The agent.", schema: agentShape },
    handle: async ({ params, body }) => renderAgent((await auth.changeAgentStatus({ ...params, ...body })).agent),
  }),
];

const keyList = answer("SigningKeys", "The published keys.", { keys: listOf("The keys, newest first.", keyShape) });

const keyRoutes = ({ auth }: Auth): readonly Route[] => [
  defineRoute({
    ...common,
    tag: "Signing keys",
    method: "GET",
    path: "/signing-keys",
    summary: "List the published keys.",
    response: { status: 200, description: "Newest first.", schema: keyList },
    handle: async () => ({ keys: (await auth.listSigningKeys({})).keys.map(renderKey) }),
  }),
  defineRoute({
    ...common,
    tag: "Signing keys",
    method: "POST",
    path: "/signing-keys",
    summary: "Publish the next key, which signs after the overlap.",
    response: { status: 201, description: "The next key.", schema: keyShape },
    handle: async () => renderKey((await auth.rotateSigningKey({})).key),
  }),
  defineRoute({
    ...common,
    tag: "Signing keys",
    method: "DELETE",
    path: "/signing-keys/{kid}",
    summary: "Take a key out of the set, and its tokens with it.",
    params: { kid: "RFC 7638 thumbprint." },
    response: { status: 204, description: "It is gone." },
    handle: ({ params }) => auth.revokeSigningKey(params),
  }),
];
