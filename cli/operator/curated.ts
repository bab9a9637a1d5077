/** A command of operators that makes one call. */
export interface Command {
  /** Names of the words that follow; those in the path are required. */
  words: readonly string[];
  /** Name of one more, optional word. */
  optional?: string;
  does: string;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** `{name}` is replaced by a word. */
  path: string;
  /** Makes the body from the words that are not in the path. */
  body?(words: Readonly<Record<string, string>>): object;
}
