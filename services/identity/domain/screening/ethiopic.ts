/** Consonants of the Ethiopic block, row by row of eight signs. Rows with rounded lips end in `w`. */
const rows = "h l h m s r s sh k kw k kw b v t ch h hw n gn  k kw kh khw w  z zh y d d j g gw g t ch p ts ts f p".split(
  " ",
);
const firstSign = 0x1200;

/** Vowels of the signs of a row; the sixth is barely pronounced, or silent. */
const silent = "~";
const vowels = ["e", "u", "i", "a", "e", silent, "o", "wa"];

/** Returns the Latin spellings of a word in the letters of Ethiopia and Eritrea, the likeliest first. */
export function ethiopicReadings(word: string): string[] {
  const text = [...word.normalize("NFC")].map(signOf).join("");
  const plain = text
    .replace(/^~/, "i")
    .replaceAll(/y~/g, "i")
    .replaceAll(/([^aeiou~]+)~(?=\1)/g, "$1e")
    .replace(/~$/, "");
  const spoken = plain.replace(/^([^aeiou~]+)~/, "$1i");
  const open = spoken.replaceAll(/(?<=[^aeiou~])we/g, "wo").replace(/^we/, "wo");
  const bare = (spelled: string): string => spelled.replaceAll(silent, "");
  const readings = [
    bare(open),
    bare(spoken),
    bare(open.replace(/^([^aeiou~]+)i/, "$1e")),
    open.replaceAll(silent, "e"),
    open.replaceAll(silent, "i"),
    bare(open.replaceAll("gn", "n")),
    bare(open.replaceAll(/([^aeiou~]+~[^aeiou~]+)~(?=[^aeiou~])/g, "$1i")),
  ];
  return readings.map((reading) => reading.replaceAll(/(?<=i)y(?=[aeou])/g, "").replaceAll(/aa+/g, "a"));
}

function signOf(sign: string): string {
  const place = (sign.codePointAt(0) ?? 0) - firstSign;
  const consonant = rows[place >> 3];
  if (place < 0 || consonant === undefined) return "";
  const vowel = vowels[place & 7] ?? "";
  if (consonant === "") return (place & 7) === 0 ? "a" : vowel;
  return consonant + vowel;
}
