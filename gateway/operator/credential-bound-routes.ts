import type { Upstreams } from "../clients";
import * as contracts from "../contract/credentials";
import { defineRoute } from "../contract/define-route";
import { renderCredential, toBounds } from "../render-credential";
import type { Route } from "../route";

/** Restrictions of keys and secrets, for operators. */
export const credentialBoundRoutes = ({ auth }: Pick<Upstreams, "auth">): readonly Route[] => [
  defineRoute({
    scheme: "operator",
    tag: "Credentials",
    method: "PUT",
    path: "/tenants/{tenant}/credentials/{credentialId}/bounds",
    summary: "Bind a key or secret to scopes, addresses and an end; what is left out is not bound. In force at once.",
    params: { tenant: "Slug of the tenant.", credentialId: "Public part of the credential." },
    request: contracts.boundsRequest,
    response: { status: 200, description: "The credential.", schema: contracts.credential },
    refusals: ["RECORD_NOT_FOUND"],
    async handle({ params, body }) {
      const { credential } = await auth.setCredentialBounds({ ...params, bounds: toBounds(body) });
      return renderCredential(credential);
    },
  }),
];
