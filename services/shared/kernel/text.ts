/** Scripts whose letters are joined or parted by U+200C and U+200D: without them words are written wrongly. */
const joiningScripts = [
  "Arabic",
  "Bengali",
  "Devanagari",
  "Gujarati",
  "Gurmukhi",
  "Kannada",
  "Khmer",
  "Malayalam",
  "Mandaic",
  "Mongolian",
  "Myanmar",
  "Nko",
  "Oriya",
  "Sinhala",
  "Syriac",
  "Tamil",
  "Telugu",
];

const joining = `[${joiningScripts.map((script) => `\\p{Script=${script}}`).join("")}]`;
const joiner = new RegExp(`(?<=${joining})[\\u200C\\u200D](?=${joining})`, "gu");
/** Chooses one of the forms of an ideograph, as names in Japan are written. */
const ideographForm = /(?<=\p{Script=Han})[\u{E0100}-\u{E01EF}]/gu;

/**
 * What nobody sees, or what makes text look like other text: controls, directions, marks without a form, private use, what is
 * no character, and fillers. (Unassigned code points stay: they are the letters of tomorrow.)
 */
const hidden = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}]/u;
const plain = /^[\x20-\x7e]*$/;

/** The rule that `readText` goes by, for refusals. */
export const textRule = "must not hold control, direction or other hidden characters";

/**
 * Text as the platform keeps, compares, screens, shows and sends it: in composed form (NFC). Undefined for text with
 * characters that people do not see, joiners between letters that need them excepted.
 */
export function readText(text: string): string | undefined {
  if (plain.test(text)) return text;
  const composed = text.normalize("NFC");
  if (!hidden.test(composed)) return composed;
  const rest = composed.replaceAll(joiner, "").replaceAll(ideographForm, "");
  return hidden.test(rest) ? undefined : composed;
}
