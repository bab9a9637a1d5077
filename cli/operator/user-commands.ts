import type { Command } from "./curated.ts";

const list = (text = ""): string[] => text.split(",").filter((word) => word !== "" && word !== "-");

/** Commands about the people who log in: operators, and those of tenants. */
export const userCommands: Readonly<Record<string, Command>> = {
  "session show": { words: [], does: "show who you are, and what you may do", method: "GET", path: "/session" },
  ...commandsOf("operators", "/users", []),
  ...commandsOf("users", "/tenants/{tenant}/users", ["tenant"]),
};

function commandsOf(noun: string, path: string, words: readonly string[]): Record<string, Command> {
  const one = { words: [...words, "userId"], method: "PATCH", path: `${path}/{userId}` } as const;
  return {
    [`${noun} list`]: { words, does: "list those who were invited or have logged in", method: "GET", path },
    [`${noun} invite`]: {
      words: [...words, "email", "roles"],
      does: "invite the owner of an address; roles separated by commas",
      method: "POST",
      path,
      body: ({ email, roles }) => ({ email, roles: list(roles) }),
    },
    [`${noun} bind`]: {
      ...one,
      words: [...one.words, "roles"],
      does: "set the roles of an account, - for none",
      body: ({ roles }) => ({ roles: list(roles) }),
    },
    [`${noun} disable`]: { ...one, does: "disable an account", body: () => ({ isDisabled: true }) },
    [`${noun} enable`]: { ...one, does: "enable an account again", body: () => ({ isDisabled: false }) },
    [`${noun} end`]: {
      words: one.words,
      does: "end all sessions and tokens of an account",
      method: "DELETE",
      path: `${path}/{userId}/sessions`,
    },
  };
}
