/** Fewest bytes of a secret that somebody might guess. */
const fewestBytes = 32;
/** What a text of random letters carries at least, by how often each of them stands in it: 32 random hex digits are below. */
const fewestBits = 136;

/** True for a secret of 32 bytes or more that is no repetition of a shorter one. */
export function isLongSecret(secret: string | Buffer): boolean {
  const bytes = Buffer.from(secret);
  return bytes.length >= fewestBytes && !/^(.{1,16}?)\1+$/s.test(bytes.toString("latin1"));
}

/** True for a secret that is long, and whose bytes are as different as random ones are. */
export function looksRandom(secret: string | Buffer): boolean {
  const bytes = Buffer.from(secret);
  const counts = new Map<number, number>();
  for (const byte of bytes) counts.set(byte, (counts.get(byte) ?? 0) + 1);
  const bits = [...counts.values()].reduce((sum, count) => sum - count * Math.log2(count / bytes.length), 0);
  return isLongSecret(bytes) && bits >= fewestBits;
}
