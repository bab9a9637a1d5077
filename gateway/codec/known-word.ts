/**
 * Returns the word as one of those that an answer may have. Throws for any other word: a service has sent one that its contract does not
 * have.
 */
export function knownWord<T extends string>(words: readonly T[], sent: string): T {
  const word = words.find((known) => known === sent);
  if (word === undefined) throw new Error(`a service sent ${JSON.stringify(sent)} for one of ${words.join(", ")}`);
  return word;
}
