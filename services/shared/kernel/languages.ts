/** Languages that the words of forms exist in, the first one where a caller asks for another. */
export const languages = ["en", "de", "pt"] as const;
export type Language = (typeof languages)[number];

/** The language of the words for a caller who asked with a tag (BCP 47), whatever its region, script and variants. */
export const languageOf = (tag: string): Language =>
  languages.find((one) => tag.toLowerCase().split("-")[0] === one) ?? languages[0];
