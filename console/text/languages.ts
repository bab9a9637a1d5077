/** Languages of the console, each by its own name. */
const languages = { en: "English" } as const;
type Language = keyof typeof languages;

const name = "corridor.language";
/** The language of tests: long and accented, so that what does not fit, and what was never translated, is seen. */
export const pseudo = "pseudo";

const isKnown = (value: string | null): value is Language => value !== null && value in languages;

/** What was chosen, else what the browser prefers, else English. */
export function chosenLanguage(): Language | typeof pseudo {
  const stored = localStorage.getItem(name);
  if (stored === pseudo || isKnown(stored)) return stored;
  return navigator.languages.map((tag) => tag.split("-")[0] ?? "").find((tag) => isKnown(tag)) ?? "en";
}
