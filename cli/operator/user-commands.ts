import type { Command } from "./curated.ts";

const list = (text = ""): string[] => text.split(",").filter((word) => word !== "" && word !== "-");

/** Commands about the people who log in: operators, and those of tenants. */
export const userCommands: Readonly<Record<string, Command>> = {
  "session show": { words: [], does: "who you are, and what you may do", method: "GET", path: "/session" },
  ...commandsOf("operators", "/users", []),
  ...commandsOf("users", "/tenants/{tenant}/users", ["tenant"]),
};

function commandsOf(noun: string, path: string, words: readonly string[]): Record<string, Command> {
  const one = { words: [...words, "userId"], method: "PATCH", path: `${path}/{userId}` } as const;
  return {
    [`${noun} list`]: { words, does: "who was invited or has come", method: "GET", path },
    [`${noun} invite`]: {
      words: [...words, "email", "roles"],
      does: "who logs in with this address; roles parted by commas",
      method: "POST",
      path,
      body: ({ email, roles }) => ({ email, roles: list(roles) }),
    },
    [`${noun} bind`]: {
      ...one,
      words: [...one.words, "roles"],
      does: "the roles that are bound from now on, - for none",
      body: ({ roles }) => ({ roles: list(roles) }),
    },
    [`${noun} disable`]: { ...one, does: "shut it out", body: () => ({ isDisabled: true }) },
    [`${noun} enable`]: { ...one, does: "let it log in again", body: () => ({ isDisabled: false }) },
    [`${noun} end`]: {
      words: one.words,
      does: "end all its sessions and tokens",
      method: "DELETE",
      path: `${path}/{userId}/sessions`,
    },
  };
}
