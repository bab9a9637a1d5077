/** A person who can log in to a local platform with one click. */
export interface LocalPerson {
  id: string;
  name: string;
  /** Slug of the tenant; absent for an operator. */
  tenant?: string;
  /** The groups that an identity provider would report. */
  groups: readonly string[];
}

const operator = (id: string, name: string, ...roles: string[]): LocalPerson => ({
  id,
  name,
  groups: roles.map((role) => `corridor:operators:${role}`),
});
const member = (tenant: string, id: string, name: string, ...roles: string[]): LocalPerson => ({
  id,
  name,
  tenant,
  groups: roles.map((role) => `corridor:${tenant}:${role}`),
});

/** The teams of a local platform: operators, people of the tenant demo, and one of another tenant. */
export const localPeople: readonly LocalPerson[] = [
  member("demo", "demo-developer", "Developer of demo", "developer"),
  member("demo", "demo-finance", "Finance of demo", "finance"),
  member("demo", "demo-admin", "Admin of demo", "admin"),
  member("demo", "demo-viewer", "Viewer of demo", "viewer"),
  member("demo", "demo-second", "Second person of demo, finance and admin", "finance", "admin"),
  member("other", "other-admin", "Admin of other", "admin"),
  operator("operator", "Operator with every role", "support", "compliance", "treasury", "platform"),
  operator("second-operator", "Second operator with every role", "support", "compliance", "treasury", "platform"),
  operator("support", "Operator of the support", "support"),
  operator("compliance", "Operator of compliance", "compliance"),
  operator("treasury", "Operator of the treasury", "treasury"),
  operator("platform", "Operator of the platform", "platform"),
];
