import type { Upstreams } from "../clients";
import { readFields } from "../field-reader";
import { jsonAnswer, type OperatorCall, type Route, readJson, requireParam } from "../route";
import { objectSchema } from "../schemas/document-schema";
import { boundsRequestFields, readBounds } from "./credential-bounds";
import { credentialSchema, renderCredential } from "./directory-routes";

/** What keys and secrets are bound to, for operators. */
export const credentialBoundRoutes = ({ auth }: Pick<Upstreams, "auth">): readonly Route[] => [
  {
    scheme: "operator",
    tag: "Credentials",
    method: "PUT",
    path: "/tenants/{tenant}/credentials/{credentialId}/bounds",
    summary: "Bind a key or secret to scopes, addresses and an end; what is left out is not bound. In force at once.",
    body: "json",
    params: { tenant: "Slug of the tenant.", credentialId: "Public part of the credential." },
    requestSchema: objectSchema(boundsRequestFields, Object.keys(boundsRequestFields)),
    success: { status: 200, description: "The credential.", schema: credentialSchema },
    refusals: ["RECORD_NOT_FOUND"],
    async handle(call: OperatorCall) {
      const fields = readFields(readJson(call).value);
      const bounds = readBounds(fields);
      fields.finish();
      const which = { tenant: requireParam(call, "tenant"), credentialId: requireParam(call, "credentialId") };
      const { credential } = await auth.setCredentialBounds({ ...which, bounds });
      if (credential === undefined) throw new Error("the auth service sent no credential");
      return jsonAnswer(renderCredential(credential));
    },
  },
];
