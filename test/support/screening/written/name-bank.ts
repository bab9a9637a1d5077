/** A word of names: in its own script, and as it is spelled in Latin letters. */
export interface BankWord {
  native: string;
  latin: readonly string[];
}

/** Names of one culture, written down by hand from manuals of transliteration and from how people sign. */
export interface NameBank {
  culture: string;
  country: string;
  given: readonly BankWord[];
  family: readonly BankWord[];
}

const wordsOf = (text: string): BankWord[] =>
  text
    .split(/[|\n]/)
    .map((entry) =>
      entry
        .trim()
        .split(" ")
        .map((word) => word.replaceAll("_", " ")),
    )
    .map(([native = "", ...latin]) => ({ native, latin }));

export const bankOf = (culture: string, country: string, given: string, family: string): NameBank => ({
  culture,
  country,
  given: wordsOf(given),
  family: wordsOf(family),
});
