import { operatorText as english } from "./en-operator";
import { chosenLanguage, pseudo } from "./languages";
import { stretched } from "./stretched";

/** What operators alone see. It comes with the first of their pages, so nobody else waits for it. */
export const operatorText: typeof english = chosenLanguage() === pseudo ? stretched(english) : english;
