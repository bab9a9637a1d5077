import { en, type Words } from "./en";
import { chosenLanguage, pseudo } from "./languages";
import { stretched } from "./stretched";

const chosen = chosenLanguage();

/** The language of dates, numbers and forms. */
export const language = chosen === pseudo ? "en" : chosen;

/** Every word that people see, in the language of this visit. */
export const text: Words = chosen === pseudo ? stretched(en) : en;
