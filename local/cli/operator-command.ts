/** A command of `npm run operator`. */
export interface Command {
  /** Names of the words that follow; those of the path must be given. */
  words: readonly string[];
  /** Name of one more word that may be left out. */
  optional?: string;
  does: string;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** `{name}` stands for a word. */
  path: string;
  /** Makes the body of the words behind those of the path. */
  body?(words: Readonly<Record<string, string>>): object;
}
