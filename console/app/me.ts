/** An agent of the user's tenant, in whose name agents' rows are called. */
export interface MyAgent {
  readonly agentId: string;
  readonly externalId: string | null;
}

/** Who is logged in, as `/api/me` says it. */
export interface Me {
  readonly userId: string;
  readonly name: string | null;
  readonly isOperator: boolean;
  readonly tenants: readonly { readonly tenant: string; readonly roles: readonly string[] }[];
  readonly roles: readonly string[];
  /** What the roles allow. */
  readonly permissions: readonly string[];
  readonly agents: readonly MyAgent[];
  readonly csrf: string;
  /** When the session ends if nobody uses it. */
  readonly expiresAt: string | null;
  readonly profile: "local" | "sandbox" | "production";
}

/** How people log in here. */
export interface LogIns {
  readonly profile: Me["profile"];
  readonly people: readonly { readonly person: string; readonly name: string; readonly tenant: string | null }[];
}
