/** Scripts whose letters are joined or separated by U+200C and U+200D; words are misspelt without them. */
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
/** Selects a form of an ideograph, as used in Japanese names. */
const ideographForm = /(?<=\p{Script=Han})[\u{E0100}-\u{E01EF}]/gu;

/**
 * Characters that are invisible or make text look like other text: controls, directions, ignorable marks, private use,
 * noncharacters and fillers. (Unassigned code points are allowed, since later Unicode versions may assign them.)
 */
const hidden = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}]/u;
const plain = /^[\x20-\x7e]*$/;

/** The rule of `readText`, for refusals. */
export const textRule = "must not hold control, direction or other hidden characters";

/**
 * Returns text in the form in which the platform stores, compares, screens, shows and sends it: composed (NFC). Undefined
 * for text with invisible characters, except joiners between letters that need them.
 */
export function readText(text: string): string | undefined {
  if (plain.test(text)) return text;
  const composed = text.normalize("NFC");
  if (!hidden.test(composed)) return composed;
  const rest = composed.replaceAll(joiner, "").replaceAll(ideographForm, "");
  return hidden.test(rest) ? undefined : composed;
}
