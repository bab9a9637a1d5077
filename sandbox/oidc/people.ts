import { type LocalPerson, localPeople } from "../../services/shared/kernel/local-people";

/** Somebody who can log in here. */
export interface SandboxPerson extends LocalPerson {
  email: string;
}

const newcomer: LocalPerson = { id: "newcomer", name: "Somebody without a role", groups: [] };

/** Who there is: the teams of a local platform, and somebody whom nobody has given a role. */
export const people: readonly SandboxPerson[] = [...localPeople, newcomer].map((person) => ({
  ...person,
  email: `${person.id}@people.example`,
}));
