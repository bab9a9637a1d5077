/** Returns the word as one of those that an answer may have. Throws for another: a service has sent what its contract does not have. */
export function knownWord<T extends string>(words: readonly T[], sent: string): T {
  const word = words.find((known) => known === sent);
  if (word === undefined) throw new Error(`a service sent ${JSON.stringify(sent)} for one of ${words.join(", ")}`);
  return word;
}
