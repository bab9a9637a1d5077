import { type LocalPerson, localPeople } from "../../services/shared/kernel/local-people";

/** A person who can log in here. */
export interface SandboxPerson extends LocalPerson {
  email: string;
}

const newcomer: LocalPerson = { id: "newcomer", name: "Somebody without a role", groups: [] };

/** The people: the teams of a local platform, and a person without any role. */
export const people: readonly SandboxPerson[] = [...localPeople, newcomer].map((person) => ({
  ...person,
  email: `${person.id}@people.example`,
}));
