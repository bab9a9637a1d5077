/** What shows nothing: control, format, unassigned and private characters, fillers and selectors. */
const hidden =
  /\p{Cc}|\p{Cf}|\p{Cn}|\p{Co}|\p{Variation_Selector}|\u034f|\u115f|\u1160|\u17b4|\u17b5|\u2800|\u3164|\uffa0/gu;
const apostrophes = /['`´ʹʻʼʽʾʿˈ‘’‛′＇"“”„«»]/gu;
const overridden = /\u202e([^\u202c\u202d\u2066-\u2069]*)/gu;

/** Letters that look like a Latin letter, in the order of `latinTwins`. */
const twins = "аеорсухіѕјкмтнвгԁԛԝһӏοαρνυικτβηχεγωɑɡıԍոսցօհ";
const latinTwins = "aeopcyxisjkmthbrdqwhloapvuiktbnxeywagigpugoh";
const cyrillicTwins = "aаeеoоpрcсyуxхiіsѕjјkкmмtтhнbв";
const toLatin = new Map([...twins].map((letter, index) => [letter, latinTwins.charAt(index)]));
const toCyrillic = new Map(
  (cyrillicTwins.match(/../gu) ?? []).map((pair) => [pair.charAt(0), pair.charAt(1)] as const),
);
const figures = new Map([..."013457$@"].map((figure, index) => [figure, "oleasssa".charAt(index)]));

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
const exchange = (text: string, by: ReadonlyMap<string, string>): string =>
  [...text].map((letter) => by.get(letter) ?? letter).join("");

/**
 * The words of a name in lower case, without what cannot be seen, each in one script as far as look-alikes allow it. Signs
 * that stand within words, such as the one in `ch'en`, become `'`; other signs part words.
 */
export function visibleWords(name: string): string[] {
  const text = name
    .replaceAll(/[\t\n\r\u0085\u2028\u2029]/gu, " ")
    .replaceAll(hidden, "")
    .normalize("NFKC")
    .toLowerCase()
    .normalize("NFKC")
    .replaceAll(apostrophes, "'")
    .replaceAll(/[^\p{L}\p{M}\p{N}'$@&.ー]+/gu, " ");
  const words = text.split(" ").flatMap(splitDots).map(unmixed);
  const isLatin = words.join("").match(/[a-z]/u) !== null;
  return words.map((word) => (isLatin ? wholeTwin(word) : word)).filter((word) => /[\p{L}\p{N}]/u.test(word));
}

/** The name, and the one that is seen where an override of direction turns it round. */
export function readingsOf(name: string): string[] {
  if (!name.includes("\u202e")) return [name];
  return [name, name.replaceAll(overridden, (_all, turned: string) => [...turned].toReversed().join(""))];
}

/** `j.k.` is two initials, `s.a.r.l.` one word: what is dotted letter by letter stays together until it is known what it is. */
function splitDots(word: string): string[] {
  if (/^(?:\p{L}\.){2,}\p{L}?\.?$/u.test(word)) return [word.replaceAll(".", "").replace(/^(.*)$/u, ".$1")];
  return word.split(".").map((part) => part.replaceAll(/^'+|'+$/gu, ""));
}

/** Letters of another script within a word, and figures among letters, are what they look like. */
function unmixed(word: string): string {
  const latin = countOf(word, /\p{Script=Latin}/gu);
  const cyrillic = countOf(word, /\p{Script=Cyrillic}/gu);
  const foreign = [...word].filter((letter) =>
    /[\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}]/u.test(letter),
  );
  const isMixed = latin > 0 && foreign.length > 0;
  const isLatin = isMixed && (latin >= cyrillic || foreign.every((letter) => toLatin.has(letter)));
  const one = isLatin ? exchange(word, toLatin) : isMixed ? exchange(word, toCyrillic) : word;
  const letters = countOf(one, /\p{L}/gu);
  return letters >= 2 && letters * 2 > one.length && /[0-9$@]/.test(one)
    ? exchange(one.replaceAll(/(?<=[^aeiou0-9])1/g, "i"), figures)
    : one;
}

/** A word of look-alikes alone in a name that is Latin otherwise. */
const wholeTwin = (word: string): string =>
  /^[\p{Script=Cyrillic}\p{Script=Greek}']+$/u.test(word) &&
  [...word].every((letter) => toLatin.has(letter) || letter === "'")
    ? exchange(word, toLatin)
    : word;
