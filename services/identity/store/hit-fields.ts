import { anyText, flag, listOf, mayListOf, number, oneOf, part, text } from "../../shared/storage/stored-fields";
import { entryKinds } from "../domain/screening/list-entry";

/**
 * Whatever a list has, it may have as an empty text: what cannot be stored would let a listed party through, or stop
 * everything.
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

/** A hit as reviews keep it, with the listed entry as it was found. */
export const hitFields = part({
  entryId: listed,
  entryDigest: text,
  likeness: number,
  factors: mayListOf(part({ factor: text, points: number, listed })),
  entry: listEntry,
});
