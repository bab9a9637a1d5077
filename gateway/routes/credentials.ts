import { DomainError } from "../../services/shared/kernel/errors";
import type { Upstreams } from "../clients";
import * as contracts from "../contract/credentials";
import { defineRoute } from "../contract/define-route";
import { request } from "../contract/parts";
import type { Schema } from "../contract/schema";
import { renderClient, renderCredential, toBounds } from "../render-credential";
import type { Route } from "../route";

type Auth = Pick<Upstreams, "auth">;

const common = {
  scheme: "person",
  /** Another tenant's clients and credentials do not exist for the caller. */
  admit({ tenant, params }: { tenant: string; params: { tenant: string } }): void {
    if (params.tenant !== tenant) throw new DomainError("RECORD_NOT_FOUND", "there is no such tenant");
  },
} as const;
const change = { ...common, isPrivileged: true, limit: "credentialChange" } as const;
const tenantParam = { tenant: "Slug of the caller's own tenant." };
const clientsPath = "/organizations/{tenant}/clients";
const credentialsPath = "/organizations/{tenant}/credentials";
const credentialParam = { ...tenantParam, credentialId: "Public part of the credential." };

const clientRequest = request("OwnClientRequest", "A client that a tenant adds.", {
  name: {
    type: "string",
    description: "Its name within the tenant. Its public identifier is the tenant's slug, a dot and this name.",
    pattern: "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$",
    rule: "must be 1 to 64 letters, digits, underscores and hyphens, and begin with a letter or digit",
    examples: ["billing"],
  } as const satisfies Schema,
  scopes: contracts.scopesAsked,
});

/** Clients and credentials of a tenant, for its own people. */
export const credentialRoutes = (upstreams: Auth): readonly Route[] => [
  ...clientRoutes(upstreams),
  ...keyRoutes(upstreams),
];

const clientRoutes = ({ auth }: Auth): readonly Route[] => [
  defineRoute({
    ...common,
    tag: "OAuth clients",
    method: "GET",
    path: clientsPath,
    summary: "List the tenant's OAuth clients.",
    params: tenantParam,
    response: { status: 200, description: "By id.", schema: contracts.clientList },
    refusals: ["RECORD_NOT_FOUND"],
    async handle({ tenant }) {
      const { clients } = await auth.listClients({ tenant });
      return { clients: clients.map(renderClient) };
    },
  }),
  defineRoute({
    ...change,
    tag: "OAuth clients",
    method: "POST",
    path: clientsPath,
    summary: "Add an OAuth client; its secret is made as a credential.",
    params: tenantParam,
    request: clientRequest,
    response: { status: 201, description: "The new client, without a secret.", schema: contracts.client },
    refusals: ["RECORD_NOT_FOUND", "RECORD_CONFLICT"],
    // Ids are unique over all tenants. The slug prefix keeps one tenant from discovering or taking ids of another.
    handle: async ({ tenant, body: { name, scopes } }) =>
      renderClient((await auth.createClient({ tenant, clientId: `${tenant}.${name}`, scopes: [...scopes] })).client),
  }),
  defineRoute({
    ...change,
    tag: "OAuth clients",
    method: "PATCH",
    path: `${clientsPath}/{clientId}`,
    summary: "Disable or enable an OAuth client, or set its scopes.",
    params: { ...tenantParam, clientId: "Public identifier." },
    request: contracts.clientChange,
    response: { status: 200, description: "The client.", schema: contracts.client },
    refusals: ["RECORD_NOT_FOUND"],
    async handle({ tenant, params: { clientId }, body: { isDisabled, scopes } }) {
      const values = scopes === undefined ? undefined : { values: [...scopes] };
      return renderClient((await auth.changeClient({ tenant, clientId, isDisabled, scopes: values })).client);
    },
  }),
];

const keyRoutes = ({ auth }: Auth): readonly Route[] => [
  defineRoute({
    ...common,
    tag: "Credentials",
    method: "GET",
    path: credentialsPath,
    summary: "List the tenant's live API keys and client secrets, without what is secret.",
    params: tenantParam,
    response: { status: 200, description: "Oldest first.", schema: contracts.credentialList },
    refusals: ["RECORD_NOT_FOUND"],
    async handle({ tenant }) {
      const { credentials } = await auth.listCredentials({ tenant });
      return { credentials: credentials.map(renderCredential) };
    },
  }),
  defineRoute({
    ...change,
    tag: "Credentials",
    method: "POST",
    path: credentialsPath,
    summary: "Make a key or secret beside the present one: an owner may have two.",
    params: tenantParam,
    request: contracts.credentialRequest,
    response: { status: 201, description: "The credential, shown only here.", schema: contracts.newCredential },
    refusals: ["RECORD_NOT_FOUND", "RECORD_CONFLICT"],
    async handle({ tenant, body: { kind, owner, ...bounds } }) {
      const made = await auth.createCredential({ tenant, kind, owner, bounds: toBounds(bounds) });
      return { credential: made.text, facts: renderCredential(made.credential) };
    },
  }),
  defineRoute({
    ...change,
    tag: "Credentials",
    method: "PUT",
    path: `${credentialsPath}/{credentialId}/bounds`,
    summary: "Bind a key or secret to scopes, addresses and an end; what is left out is not bound. In force at once.",
    params: credentialParam,
    request: contracts.boundsRequest,
    response: { status: 200, description: "The credential.", schema: contracts.credential },
    refusals: ["RECORD_NOT_FOUND"],
    async handle({ tenant, params: { credentialId }, body }) {
      const { credential } = await auth.setCredentialBounds({ tenant, credentialId, bounds: toBounds(body) });
      return renderCredential(credential);
    },
  }),
  defineRoute({
    ...change,
    tag: "Credentials",
    method: "DELETE",
    path: `${credentialsPath}/{credentialId}`,
    summary: "End a key or secret, and the tokens that a secret was given.",
    params: credentialParam,
    response: {
      status: 204,
      description: "It no longer works; a gateway that the bus does not reach takes 60 seconds.",
    },
    refusals: ["RECORD_NOT_FOUND"],
    handle: ({ tenant, params: { credentialId } }) => auth.revokeCredential({ tenant, credentialId }),
  }),
];
