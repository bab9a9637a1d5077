/** A word in Latin letters. */
export interface RomanWord {
  text: string;
  /** Its script leaves vowels out. */
  isConsonantal: boolean;
  /** It came as one syllable of a Chinese or Korean name. */
  origin: "zh" | "ko" | undefined;
  /** Other ways to read or to spell it. */
  also?: readonly string[];
  /** With the particles in front of it. */
  glued?: string;
}
