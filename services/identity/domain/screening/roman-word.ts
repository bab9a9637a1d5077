/** A word in Latin letters. */
export interface RomanWord {
  text: string;
  /** Its script leaves vowels out. */
  isConsonantal: boolean;
  /** It was one syllable of a Chinese or Korean name. */
  origin: "zh" | "ko" | undefined;
  /** Other readings or spellings. */
  also?: readonly string[];
  /** The word with the particles before it. */
  glued?: string;
}
