/** A number that JSON.stringify writes with its own digits. */
export interface ExactNumber {
  readonly rawJSON: string;
}

declare global {
  interface JSON {
    /** Makes a value that JSON.stringify writes as the given text (ECMAScript proposal JSON.parse source text access). */
    rawJSON(text: string): ExactNumber;
  }
}

const plainNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** A JSON number with exactly these digits, also where a double would round them. */
export function exactNumber(decimal: string): ExactNumber {
  if (!plainNumber.test(decimal)) throw new Error("an amount is not a plain decimal");
  return JSON.rawJSON(decimal);
}
