import { text } from "./text";

/** Returns a status as a plain word: an unknown one is shown as it is, with spaces. */
export function statusText(value: string): string {
  const known = text.status[value];
  if (known !== undefined) return known;
  const spaced = value
    .replace(/_/g, " ")
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
