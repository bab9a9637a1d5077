import { parseInstant } from "../../../shared/kernel/clock";
import {
  addDocument,
  addName,
  addTo,
  birthSpanOf,
  countriesOf,
  type DraftEntry,
  draftOf,
  finished,
  type LoadedList,
} from "./list-facts";
import { below, readXml, textBelow, type XmlElement } from "./xml-elements";

const nameParts = ["FIRST_NAME", "SECOND_NAME", "THIRD_NAME", "FOURTH_NAME"];

/** The consolidated list of the Security Council. */
export function readUnXml(text: string): LoadedList {
  const entries: DraftEntry[] = [];
  let generated: string | undefined;
  const told = (name: string, attributes: Readonly<Record<string, string>>): void => {
    if (name === "CONSOLIDATED_LIST") generated = attributes["dateGenerated"];
  };
  readXml(text, ["INDIVIDUAL", "ENTITY"], (element) => entries.push(entryOf(element)), told);
  if (generated === undefined) throw new Error("the UN list does not say when it was made");
  const madeAt = parseInstant(generated);
  return {
    version: generated,
    madeAt,
    entries: finished(entries, "UN"),
  };
}

function entryOf(element: XmlElement): DraftEntry {
  const kind = element.name === "INDIVIDUAL" ? "PERSON" : "COMPANY";
  const draft = draftOf(textBelow(element, "DATAID"), kind);
  addName(draft, nameParts.map((part) => textBelow(element, part)).join(" "));
  addName(draft, textBelow(element, "NAME_ORIGINAL_SCRIPT"));
  for (const alias of below(element, `${element.name}_ALIAS`)) {
    const isWeak = /^low$/i.test(textBelow(alias, "QUALITY"));
    for (const name of textBelow(alias, "ALIAS_NAME").split(";")) addName(draft, name, isWeak);
  }
  addTo(draft.programmes, textBelow(element, "UN_LIST_TYPE"));
  for (const birth of below(element, "INDIVIDUAL_DATE_OF_BIRTH")) {
    const isAbout = /APPROXIMATELY/i.test(textBelow(birth, "TYPE_OF_DATE"));
    const range = `${textBelow(birth, "FROM_YEAR")} ${textBelow(birth, "TO_YEAR")}`.trim();
    const said = range || textBelow(birth, "DATE") || textBelow(birth, "YEAR");
    const span = birthSpanOf(isAbout ? `circa ${said}` : said);
    if (span !== undefined) draft.births.push(span);
  }
  for (const place of below(element, "INDIVIDUAL_PLACE_OF_BIRTH")) {
    addTo(
      draft.birthPlaces,
      ["CITY", "STATE_PROVINCE", "COUNTRY"]
        .map((part) => textBelow(place, part))
        .filter(Boolean)
        .join(", "),
    );
  }
  for (const { text } of below(element, "NATIONALITY", "VALUE"))
    for (const code of countriesOf(text)) draft.countries.add(code);
  for (const document of below(element, "INDIVIDUAL_DOCUMENT")) {
    addDocument(draft, textBelow(document, "TYPE_OF_DOCUMENT"), textBelow(document, "NUMBER"));
  }
  return draft;
}
