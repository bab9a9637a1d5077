/** Fewest bytes of a secret, so that it cannot be guessed. */
const fewestBytes = 32;
/** Least entropy of a text, by the frequency of its characters; 32 random hex digits have less. */
const fewestBits = 136;

/** True for a secret of 32 bytes or more that does not repeat a shorter one. */
export function isLongSecret(secret: string | Buffer): boolean {
  const bytes = Buffer.from(secret);
  return bytes.length >= fewestBytes && !/^(.{1,16}?)\1+$/s.test(bytes.toString("latin1"));
}

/** Fewest characters of a secret that another party has issued. */
const fewestIssued = 12;
/** Words of examples and of keys of test environments. */
const notIssued = /change-?me|example|placeholder|sandbox|(?:^|_)test_/i;

/** True for a secret of another party that is no example, no repetition and not for tests. */
export const looksIssued = (secret: string): boolean =>
  secret.length >= fewestIssued && !/^(.{1,16}?)\1+$/s.test(secret) && !notIssued.test(secret);

/** True for a long secret whose bytes vary as much as random ones. */
export function looksRandom(secret: string | Buffer): boolean {
  const bytes = Buffer.from(secret);
  const counts = new Map<number, number>();
  for (const byte of bytes) counts.set(byte, (counts.get(byte) ?? 0) + 1);
  const bits = [...counts.values()].reduce((sum, count) => sum - count * Math.log2(count / bytes.length), 0);
  return isLongSecret(bytes) && bits >= fewestBits;
}
