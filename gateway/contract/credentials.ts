import { keyScopes, scopes as tokenScopes } from "../../services/shared/kernel/scopes";
import { answer, flag, givenInstant, instant, listOf, oneOf, orNull, requestWith, text, words } from "./parts";

const scopeOfToken = oneOf("A scope of access tokens.", tokenScopes);
/** Scopes of all kinds of credentials. */
export const credentialScopes = [...new Set([...tokenScopes, ...keyScopes])];
export const credentialKinds = ["key", "agent", "secret"] as const;
const scopeOfCredential = oneOf("A scope.", credentialScopes);
/** Scopes that a client can be given. */
export const scopesAsked = { ...listOf("What its tokens can allow.", scopeOfToken), minItems: 1 } as const;
const boundScopes = {
  ...listOf("What it allows: scopes of tokens for a secret, of keys for a key.", scopeOfCredential),
  minItems: 1,
} as const;
const network = { ...text("A network in CIDR form."), examples: ["203.0.113.0/24"] } as const;
const allowlist = { ...listOf("Where it may be used from.", network), maxItems: 100 } as const;

const boundsShown = {
  scopes: orNull(boundScopes),
  expiresAt: orNull(instant("From when on it does not work; null: it works until it is ended.")),
  allowlist,
} as const;

/** Restrictions of a credential; one that is left out restricts nothing. The auth service checks the rules beyond form. */
const boundsAsked = {
  scopes: boundScopes,
  expiresAt: {
    ...givenInstant("From when on it does not work, in the future."),
    rule: "must be an ISO 8601 instant",
    examples: ["2036-02-03T04:05:06Z"],
  },
  allowlist,
} as const;

export const boundsRequest = requestWith("CredentialBounds", "What a key or secret is bound to.", {}, boundsAsked);

export const client = answer("OauthClient", "A client that exchanges a secret for tokens.", {
  clientId: text("Public identifier."),
  tenant: text("Slug of its tenant."),
  scopes: listOf("What its tokens can allow.", scopeOfToken),
  disabledAt: orNull(instant("Null while it works.")),
});

export const clientList = answer("OauthClients", "The clients of a tenant.", {
  clients: listOf("The clients.", client),
});

export const clientChange = requestWith(
  "OauthClientChange",
  "What changes of a client.",
  {},
  {
    isDisabled: flag("True stops its tokens within 60 seconds."),
    scopes: scopesAsked,
  },
);

export const credential = answer("Credential", "A key or secret, without what is secret.", {
  id: text("Public part of the credential."),
  kind: oneOf("What it is for.", credentialKinds),
  owner: text("Slug of the tenant, id of the agent or id of the client."),
  prefix: text("Begin of the credential, by which its holder finds it."),
  createdAt: orNull(instant("When it was made.")),
  lastUsedAt: orNull(instant("When it was last seen; null while it never was.")),
  ...boundsShown,
});

export const credentialList = answer("Credentials", "The live credentials of a tenant.", {
  credentials: listOf("The credentials, oldest first.", credential),
});

export const credentialRequest = requestWith(
  "CredentialRequest",
  "A credential that is made.",
  {
    kind: oneOf("What it is for.", credentialKinds),
    owner: words("Slug of the tenant, id of the agent or id of the client."),
  },
  boundsAsked,
);

export const newCredential = answer("NewCredential", "A credential, shown only here.", {
  credential: text("The credential itself."),
  facts: credential,
});
