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
/** Composing sorts the marks on one letter, in a time that grows with the square of their number. No language puts so many on one. */
const stackedMarks = /[\p{M}\uFF9E\uFF9F]{31}/u;

/** The rules of `readText`, for refusals. */
export const textRule = "must not hold control, direction or other hidden characters";
export const marksRule = "must not hold more than 30 marks in a row";

/** Which rule a text breaks that `readText` does not read. */
export const brokenRule = (text: string): string => (stackedMarks.test(text) ? marksRule : textRule);

/**
 * Returns text in the form in which the platform stores, compares, screens, shows and sends it: composed (NFC). Undefined
 * for text with invisible characters, except joiners between letters that need them, and for marks that are stacked without end.
 */
export function readText(text: string): string | undefined {
  if (plain.test(text)) return text;
  if (stackedMarks.test(text)) return undefined;
  const composed = text.normalize("NFC");
  if (!hidden.test(composed)) return composed;
  const rest = composed.replaceAll(joiner, "").replaceAll(ideographForm, "");
  return hidden.test(rest) ? undefined : composed;
}
