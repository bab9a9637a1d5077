/** Somebody who can log in here. */
export interface SandboxPerson {
  id: string;
  name: string;
  email: string;
  /** Words of the claim `groups`. */
  groups: readonly string[];
}

const person = (id: string, name: string, ...groups: string[]): SandboxPerson => ({
  id,
  name,
  email: `${id}@people.example`,
  groups,
});

const operators = ["support", "compliance", "treasury", "platform"].map((role) => `corridor:operators:${role}`);

/** Who there is: operators, a team of the tenant demo, one of another tenant, and somebody whom nobody has given a role. */
export const people: readonly SandboxPerson[] = [
  person("operator", "Operator with every role", ...operators),
  person("second-operator", "Second operator with every role", ...operators),
  person("support", "Operator of the support", "corridor:operators:support"),
  person("demo-viewer", "Viewer of demo", "corridor:demo:viewer"),
  person("demo-developer", "Developer of demo", "corridor:demo:developer"),
  person("demo-finance", "Finance of demo", "corridor:demo:finance"),
  person("demo-admin", "Admin of demo", "corridor:demo:admin"),
  person("other-admin", "Admin of other", "corridor:other:admin"),
  person("newcomer", "Somebody without a role"),
];
