import { chosenLanguage, type Language, pseudo } from "./languages";
import { stretched } from "./stretched";

/** Words in the language of this visit. Those of other languages than English come when they are asked for. */
export async function wordsOf<Words>(
  english: Words,
  others: Readonly<Record<Exclude<Language, "en">, () => Promise<{ readonly words: Words }>>>,
): Promise<Words> {
  const chosen = chosenLanguage();
  if (chosen === "en") return english;
  return chosen === pseudo ? stretched(english) : (await others[chosen]()).words;
}
