import { text } from "./text";

/** A status as a word of plain language: what is not known is shown as it is, only spaced. */
export function statusText(value: string): string {
  const known = text.status[value];
  if (known !== undefined) return known;
  const spaced = value
    .replace(/_/g, " ")
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
