/** Languages of the console, each by its own name. */
export const languages = { en: "English", de: "Deutsch", pt: "Português" } as const;
export type Language = keyof typeof languages;

const name = "corridor.language";
/** The language of tests: long and accented, so that texts that do not fit, or were never translated, become visible. */
export const pseudo = "pseudo";

const isKnown = (value: string | null): value is Language => value !== null && value in languages;

/** Returns the chosen language, otherwise the browser's preference, otherwise English. */
export function chosenLanguage(): Language | typeof pseudo {
  const stored = localStorage.getItem(name);
  if (stored === pseudo || isKnown(stored)) return stored;
  return navigator.languages.map((tag) => tag.split("-")[0] ?? "").find((tag) => isKnown(tag)) ?? "en";
}

/** Stores the choice in this browser and reloads the page, which is then in that language from its first word on. */
export function chooseLanguage(chosen: string): void {
  localStorage.setItem(name, chosen);
  location.reload();
}
