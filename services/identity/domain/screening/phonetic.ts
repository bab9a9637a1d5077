/**
 * Sounds of a word, one sign each: `S` sh, `Z` zh, `C` ch, `T` ts, `x` kh, `j` as in jam, `c` what is written c. Spellings that differ
 * between languages and systems of transliteration lead to equal or similar signs.
 */
export const soundsOf = (text: string): string =>
  rules.reduce((sounds, [from, to]) => sounds.replace(from, to), text.replaceAll("'", ""));

const rules: readonly (readonly [RegExp, string])[] = [
  [/([^aeiou])\1+|(a)a+/g, "$1$2"],
  [/^mp(?=[aeiouylr])/, "b"],
  [/^nt(?=[aeiouy])/, "d"],
  [/^gk(?=[aeiour])/, "g"],
  [/^choe$/, "choi"],
  [/^x/, "S"],
  [/x/g, "ks"],
  [/schtsch|shtsh|shch|shtch|szcz|stsch|sc(?=z)/g, "S"],
  [/tsch|tch|cz/g, "C"],
  [/dzh|dsch|dsh|dj|dzs|gj/g, "j"],
  [/chr/g, "kr"],
  [/sch|sh|sz/g, "S"],
  [/(?<=i)tzh/g, "Tx"],
  [/zh/g, "Z"],
  [/ch/g, "C"],
  [/ts|tz/g, "T"],
  [/kh/g, "x"],
  [/gh/g, "g"],
  [/ph/g, "f"],
  [/([tdbj])h/g, "$1"],
  [/([nl])h(?![aeiou])/g, "$1"],
  [/qu(?=[ei])/g, "k"],
  [/gu(?=[ei])/g, "g"],
  [/ck|q/g, "k"],
  [/w/g, "v"],
  [/eau/g, "o"],
  [/o[uo]+|uu+/g, "u"],
  [/ee|(?<![aeou])ie(?![ao])|[iy]{2,}|iy|ij(?![aeiou])|yj/g, "i"],
  [/[ae]y|ei/g, "ai"],
  [/([aou])e/g, "$1"],
  [/(?<![aeiou])y(?![aeiou])|y$/g, "i"],
  [/([aeiou])h$/g, "$1"],
  [/([oe])f$/g, "$1v"],
  [/(.)\1+/g, "$1"],
];

const vowels = "aeiouy";
export const isVowel = (sound: string): boolean => sound !== "" && vowels.includes(sound);

const classes: Readonly<Record<string, string>> = {
  b: "P",
  p: "P",
  f: "F",
  v: "F",
  t: "T",
  d: "T",
  s: "S",
  z: "S",
  S: "S",
  Z: "S",
  C: "S",
  T: "S",
  j: "S",
  k: "K",
  g: "K",
  x: "K",
  m: "M",
  n: "N",
  l: "L",
  r: "R",
};

/**
 * Returns the consonants of a word by class, after a sign that says whether it begins with one: the part that the spellings of one name
 * have in common. A sign with two readings gives both.
 */
export function skeletonsOf(sounds: string): string[] {
  const readings = [sounds];
  const also = (pattern: RegExp, to: string): void => {
    if (!pattern.test(sounds)) return;
    for (const reading of [...readings]) readings.push(reading.replaceAll(new RegExp(pattern, "g"), to));
  };
  also(/j/, "");
  also(/c/, "k");
  also(/C/, "k");
  also(/x/, "");
  also(/h/, "g");
  also(/v/, "");
  return [...new Set(readings.map(skeletonOf))].filter((skeleton) => skeleton.length > 1).slice(0, 6);
}

const skeletonOf = (reading: string): string => {
  let [skeleton, last] = [/^[aeiouyhv]/.test(reading) ? "V" : "C", ""];
  for (const sound of reading) {
    const own = sound === "c" ? "S" : (classes[sound] ?? (/[0-9]/.test(sound) ? sound : ""));
    if (own !== last) skeleton += own;
    last = own;
  }
  return skeleton;
};

/** Returns the sounds with similar vowels made equal. */
export const coarseOf = (sounds: string): string =>
  sounds
    .replaceAll(/[eyi]+/g, "i")
    .replaceAll(/[ou]+/g, "u")
    .replaceAll("c", "k")
    .replaceAll("h", "");

/** Makes similar vowels equal and keeps every sound: used to look up names in tables. */
export const evenOf = (sounds: string): string =>
  sounds.replaceAll(/[eyi]/g, "i").replaceAll(/[ou]/g, "u").replaceAll("c", "k");

const maskBits = new Map([..."PFTSKMNLR"].map((name, index) => [name, 1 << index]));

/** Returns the classes of consonants of a word, one bit each; those that vary with the spelling are left out. */
export const maskOf = (sounds: string): number =>
  [...sounds].reduce(
    (mask, sound) => mask | (maskBits.get("vhjxcC".includes(sound) ? "" : (classes[sound] ?? "")) ?? 0),
    0,
  );

/** Returns the number of consonants that a word has in every spelling system. */
export const consonantsOf = (sounds: string): number =>
  [...sounds].filter((sound) => !"vhjy".includes(sound) && classes[sound] !== undefined).length;
