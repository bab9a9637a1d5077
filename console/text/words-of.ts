import { chosenLanguage, type Language, pseudo } from "./languages";
import { stretched } from "./stretched";

/** Returns words in the language of this visit. Languages other than English are loaded on demand. */
export async function wordsOf<Words>(
  english: Words,
  others: Readonly<Record<Exclude<Language, "en">, () => Promise<{ readonly words: Words }>>>,
): Promise<Words> {
  const chosen = chosenLanguage();
  if (chosen === "en") return english;
  return chosen === pseudo ? stretched(english) : (await others[chosen]()).words;
}
