/** Invisible characters: control, format, unassigned and private characters, fillers and selectors. */
const hidden =
  /\p{Cc}|\p{Cf}|\p{Cn}|\p{Co}|\p{Variation_Selector}|\u034f|\u115f|\u1160|\u17b4|\u17b5|\u2800|\u3164|\uffa0/gu;
const apostrophes = /['`´ʹʻʼʽʾʿˈ‘’‛′＇"“”„«»]/gu;
const overridden = /\u202e([^\u202c\u202d\u2066-\u2069]*)/gu;

/** Letters that look like a Latin one, each followed by the Latin one. */
const twins =
  "аaеeоoрpсcуyхxіiѕsјjкkмmтtнhвbгrԁdԛqԝwһhӏlьbѵvүyҽeѐeԍgАAВBЕEІIЈJКKМMНHОOРPСCТTУYХXЅSԚQԜWҺHԌGҮYҼEЬb" +
  "οoαaρpνvυuιiκkτtβbηnχxεeγyωwϲcϳjΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXϹCͿJϒY" +
  "ոnռnսuցgօoհhյjզqՍUՕOՏSԼLɑaɡgıi" +
  "ᎪAᏴBᏟCᎠDᎬEᏀGᎻHᎥiᎫJᏦKᏞLᎷMᏢPᎡRᏚSᎢTᏙVᎳWᏃZ" +
  "ꓮAꓐBꓚCꓓDꓰEꓝFꓖGꓧHꓲIꓙJꓗKꓡLꓟMꓠNꓳOꓑPꓣRꓢSꓔTꓴUꓦVꓪWꓫXꓬYꓜZ";
const cyrillicTwins = "aаeеoоpрcсyуxхiіsѕjјkкmмtтhнbвAАBВCСEЕHНIІJЈKКMМOОPРSЅTТXХYУ";
const pairsOf = (text: string): ReadonlyMap<string, string> =>
  new Map((text.match(/../gu) ?? []).map((pair) => [[...pair][0] ?? "", [...pair][1] ?? ""] as const));
const toLatin = pairsOf(twins);
const toCyrillic = pairsOf(cyrillicTwins);
const figures = new Map([..."013457$@"].map((figure, index) => [figure, "oleasssa".charAt(index)]));

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
const exchange = (text: string, by: ReadonlyMap<string, string>): string =>
  [...text].map((letter) => by.get(letter) ?? letter).join("");

/**
 * Returns the words of a name in lower case, without invisible characters, each in one script as far as look-alikes allow. Signs within
 * words, such as the one in `ch'en`, become `'`; other signs separate words.
 */
export function visibleWords(name: string): string[] {
  const text = name
    .replaceAll(/[\t\n\r\u0085\u2028\u2029]/gu, " ")
    .replaceAll(hidden, "")
    .replaceAll(/ϲ(?=.*\p{Script=Latin})|(?<=\p{Script=Latin}.*)ϲ/giu, "c")
    .normalize("NFKC")
    .replaceAll(apostrophes, "'")
    .replaceAll(/[^\p{L}\p{M}\p{N}'$@&.ー]+/gu, " ");
  if (/^[\p{ASCII}]*$/u.test(text))
    return text.toLowerCase().split(" ").flatMap(splitDots).map(lettered).filter(isWord);
  const words = text.split(" ").map(unmixed);
  const isLatin = words.some((word) => /[A-Za-z]/.test(word));
  return words
    .map((word) => (isLatin ? wholeTwin(word) : word).toLowerCase().normalize("NFKC"))
    .flatMap(splitDots)
    .map(lettered)
    .filter(isWord);
}

const isWord = (word: string): boolean => /[\p{L}\p{N}]/u.test(word);

/**
 * Returns the name, and its visible form if its direction is overridden, if a digit may be one of two letters, or if every letter looks
 * like a Latin one.
 */
export function readingsOf(name: string): string[] {
  const turned = name.includes("\u202e")
    ? [name.replaceAll(overridden, (_all, text: string) => [...text].toReversed().join(""))]
    : [];
  const asI = /\p{L}1|1\p{L}/u.test(name) ? [name.replaceAll(/(?<=\p{L})1|1(?=\p{L})/gu, "i")] : [];
  const letters = [...name].filter((letter) => /\p{L}/u.test(letter));
  const isTwin = letters.length >= 5 && letters.every((letter) => toLatin.has(letter));
  return [name, ...turned, ...asI, ...(isTwin ? [exchange(name, toLatin)] : [])];
}

/** `j.k.` is two initials, `s.a.r.l.` one word: letters with dots between them stay together until it is known which they are. */
function splitDots(word: string): string[] {
  if (/^(?:\p{L}\.){2,}\p{L}?\.?$/u.test(word)) return [word.replaceAll(".", "").replace(/^(.*)$/u, ".$1")];
  return word.split(".").map((part) => part.replaceAll(/^'+|'+$/gu, ""));
}

const foreignLetter = /[\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Lisu}]/u;

/** Replaces letters of another script within a word by those that they look like. */
function unmixed(word: string): string {
  const foreign = [...word].filter((letter) => foreignLetter.test(letter));
  if (foreign.length === 0) return word;
  const latin = countOf(word, /\p{Script=Latin}/gu);
  const cyrillic = countOf(word, /\p{Script=Cyrillic}/gu);
  const areTwins = foreign.every((letter) => toLatin.has(letter));
  if (latin > 0) return exchange(word, areTwins || latin >= cyrillic ? toLatin : toCyrillic);
  const scripts = [/\p{Script=Greek}/u, /\p{Script=Cyrillic}/u, /\p{Script=Armenian}/u].filter((one) => one.test(word));
  return areTwins && scripts.length !== 1 ? exchange(word, toLatin) : word;
}

/** Replaces digits among letters by the letters that they look like. */
function lettered(word: string): string {
  if (!/[0-9$@]/.test(word)) return word;
  const letters = countOf(word, /\p{L}/gu);
  const isShort = letters === 1 && /^\p{L}[01]{1,2}$/u.test(word);
  return isShort || (letters >= 2 && letters * 2 > word.length) ? exchange(word, figures) : word;
}

/** Replaces a word that consists only of look-alikes in an otherwise Latin name. */
const wholeTwin = (word: string): string =>
  /^[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}']+$/u.test(word) &&
  [...word].every((letter) => toLatin.has(letter) || letter === "'")
    ? exchange(word, toLatin)
    : word;
