/** Translates between an enum of the wire and the words of a domain. */
export interface EnumCodec<W extends string, D extends string> {
  /** Returns the word; undefined for a value that is unspecified or newer than this program. */
  decode(wire: W): D | undefined;
  /** Returns the wire value. Throws for a word that has none, which is a bug. */
  encode(word: D): W;
}

/** Makes the codec of one enum from a table that names every value of the wire. */
export function enumCodec<W extends string, D extends string>(
  table: Readonly<Record<W, D | undefined>>,
): EnumCodec<W, D> {
  const words = Object.entries(table) as [W, D | undefined][];
  const wireByWord = new Map(words.flatMap(([wire, word]) => (word === undefined ? [] : [[word, wire] as const])));
  return {
    decode: (wire) => table[wire],
    encode(word) {
      const wire = wireByWord.get(word);
      if (wire === undefined) throw new Error(`the wire has no value for ${word}`);
      return wire;
    },
  };
}
