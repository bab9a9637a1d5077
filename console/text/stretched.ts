const accents: Readonly<Record<string, string>> = {
  a: "á",
  e: "é",
  i: "í",
  o: "ó",
  u: "ú",
  A: "Á",
  E: "É",
  O: "Ó",
  U: "Ú",
};

/** Makes a text a third longer and accented, but still readable. Codes and commands are left unchanged. */
const stretch = (words: string): string => {
  if (words === "" || /^[A-Z]+:|^corridor /.test(words)) return words;
  const accented = words.replace(/[aeiouAEOU]/g, (letter) => accents[letter] ?? letter);
  return `[${accented}${" ~".repeat(Math.ceil(words.length / 6))}]`;
};

const isMaker = (value: unknown): value is (...given: readonly unknown[]) => unknown => typeof value === "function";

/** Makes all texts longer, including those that functions return. */
export function stretched<Value>(value: Value): Value {
  const make = (): unknown => {
    if (typeof value === "string") return stretch(value);
    if (isMaker(value)) return (...given: readonly unknown[]) => stretch(String(value(...given)));
    if (Array.isArray(value)) return value.map((one: unknown) => stretched(one));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, stretched(inner)]));
  };
  return make() as Value;
}
