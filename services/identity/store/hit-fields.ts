import { anyText, flag, listOf, mayListOf, number, oneOf, part, text } from "../../shared/storage/stored-fields";
import { entryKinds } from "../domain/screening/list-entry";

/**
 * Any text of a list may be empty: a hit that cannot be stored would let a listed party through, or stop all processing.
 */
const listed = anyText;
const listEntry = part({
  list: listed,
  id: listed,
  kind: oneOf(entryKinds),
  names: listOf(part({ text: listed, isWeak: flag })),
  births: listOf(part({ from: listed, to: listed })),
  birthPlaces: listOf(String),
  documents: listOf(part({ type: listed, number: listed })),
  countries: listOf(String),
  programmes: listOf(String),
});

/** A hit as stored in reviews, with the listed entry at that time. */
export const hitFields = part({
  entryId: listed,
  entryDigest: text,
  likeness: number,
  factors: mayListOf(part({ factor: text, points: number, listed })),
  entry: listEntry,
});
