import { en, type Words } from "./en";
import { chosenLanguage, pseudo } from "./languages";
import { wordsOf } from "./words-of";

const chosen = chosenLanguage();

/** The language of dates, numbers and forms. */
export const language = chosen === pseudo ? "en" : chosen;

/** Every word that people see, in the language of this visit. */
export const text: Words = await wordsOf(en, { de: () => import("./de"), pt: () => import("./pt") });
