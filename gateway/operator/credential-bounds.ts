import type { CredentialBounds } from "../../proto/gen/corridor/auth/v1/directory_service";
import { parseInstant } from "../../services/shared/clock";
import type { FieldReader } from "../field-reader";
import { arrayOf, instantSchema, nullable, textSchema } from "../schemas/document-schema";

const scopesField = arrayOf(textSchema("A scope."), { minItems: 1 });
const allowlistField = arrayOf(textSchema("A network in CIDR form."), { maxItems: 100 });

/** What a credential is bound to, as it is shown. */
export const boundsFields = {
  scopes: nullable(scopesField),
  expiresAt: nullable(instantSchema("From when on it does not work; null: it works until it is ended.")),
  allowlist: allowlistField,
};

/** The same as it is asked for; each may be left out and binds nothing then. */
export const boundsRequestFields = {
  scopes: scopesField,
  expiresAt: instantSchema("From when on it does not work."),
  allowlist: allowlistField,
};

export const renderBounds = (bounds: CredentialBounds | undefined): object => ({
  scopes: bounds?.scopes?.values ?? null,
  expiresAt: bounds?.expiresAt?.toISOString() ?? null,
  allowlist: bounds?.allowlist ?? [],
});

/** The rules beyond form are the auth service's. */
export function readBounds(fields: FieldReader): CredentialBounds {
  const scopes = fields.optionalTexts("scopes");
  const allowlist = fields.optionalTexts("allowlist") ?? [];
  const text = fields.optionalText("expiresAt");
  const expiresAt = text === undefined ? undefined : parseInstant(text);
  fields.check((text === undefined) === (expiresAt === undefined), "expiresAt", "must be an ISO 8601 instant");
  return { scopes: scopes && { values: scopes }, expiresAt, allowlist };
}
