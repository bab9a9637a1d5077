import type { CredentialBounds } from "../../proto/gen/corridor/auth/v1/directory_service";
import { parseInstant } from "../../services/shared/kernel/clock";
import { givenInstant, instant, listOf, orNull, text } from "../contract/parts";

const scopes = { ...listOf("What it allows.", text("A scope.")), minItems: 1 } as const;
const allowlist = { ...listOf("Where it may be used from.", text("A network in CIDR form.")), maxItems: 100 } as const;

/** What a credential is bound to, as it is shown. */
export const boundsShown = {
  scopes: orNull(scopes),
  expiresAt: orNull(instant("From when on it does not work; null: it works until it is ended.")),
  allowlist,
} as const;

/** The same as it is asked for; each may be left out and binds nothing then. The rules beyond form are the auth service's. */
export const boundsAsked = {
  scopes,
  expiresAt: { ...givenInstant("From when on it does not work."), rule: "must be an ISO 8601 instant" },
  allowlist,
} as const;

export const renderBounds = (bounds: CredentialBounds | undefined) => ({
  scopes: bounds?.scopes?.values ?? null,
  expiresAt: bounds?.expiresAt ?? null,
  allowlist: bounds?.allowlist ?? [],
});

interface AskedBounds {
  scopes?: readonly string[];
  expiresAt?: string;
  allowlist?: readonly string[];
}

export const toBounds = ({ scopes: given, expiresAt, allowlist: networks = [] }: AskedBounds): CredentialBounds => ({
  scopes: given && { values: [...given] },
  expiresAt: expiresAt === undefined ? undefined : parseInstant(expiresAt),
  allowlist: [...networks],
});
