/** An agent of the user's tenant, for calls of agents' rows. */
export interface MyAgent {
  readonly agentId: string;
  readonly externalId: string | null;
}

/** The logged-in person, as `/api/me` describes them. */
export interface Me {
  readonly userId: string;
  readonly name: string | null;
  readonly isOperator: boolean;
  readonly tenants: readonly { readonly tenant: string; readonly roles: readonly string[] }[];
  readonly roles: readonly string[];
  /** Permissions of the roles. */
  readonly permissions: readonly string[];
  readonly agents: readonly MyAgent[];
  readonly csrf: string;
  /** Time at which the session ends if it is not used. */
  readonly expiresAt: string | null;
  readonly profile: "local" | "sandbox" | "production";
}

/** The ways to log in. */
export interface LogIns {
  readonly profile: Me["profile"];
  readonly people: readonly { readonly person: string; readonly name: string; readonly tenant: string | null }[];
}
