import type { EntryKind } from "../screening/list-entry";
import { namedRows } from "./csv-rows";
import {
  addDocument,
  addName,
  addTo,
  birthSpanOf,
  countriesOf,
  type DraftEntry,
  dayAt,
  draftOf,
  finished,
  type LoadedList,
} from "./list-facts";
import { below, readXml, type XmlElement } from "./xml-elements";

/** Written `P` and `person` in two columns, in either order. */
const kindOf = (...said: readonly string[]): EntryKind =>
  said.some((word) => /^(P|person)$/i.test(word.trim())) ? "PERSON" : "COMPANY";

/** The consolidated list of the EU as CSV: semicolons, one row for each name, birth, document or address. */
export function readEuCsv(text: string): LoadedList {
  const rows = namedRows(text, ["Entity_LogicalId", "Entity_SubjectType", "NameAlias_WholeName"], ";");
  const entries = new Map<string, DraftEntry>();
  for (const row of rows) {
    const of = (column: string): string => row[column] ?? "";
    const id = of("Entity_LogicalId");
    const draft =
      entries.get(id) ?? draftOf(id, kindOf(of("Entity_SubjectType"), of("Entity_SubjectType_ClassificationCode")));
    entries.set(id, draft);
    const parts = [of("NameAlias_FirstName"), of("NameAlias_MiddleName"), of("NameAlias_LastName")].join(" ");
    addName(draft, of("NameAlias_WholeName") || parts, /^false$/i.test(of("NameAlias_Strong")));
    addTo(draft.programmes, of("Entity_Regulation_Programme"));
    addBirth(draft, of);
    addDocument(draft, of("Identification_TypeCode"), of("Identification_Number"));
    for (const code of countriesOf(of("Citizenship_CountryIso2Code") || of("Citizenship_CountryDescription")))
      draft.countries.add(code);
  }
  const [first] = rows;
  const made = first?.["fileGenerationDate"];
  return { version: made ?? "", madeAt: dayAt(made), entries: finished(entries.values(), "EU") };
}

function addBirth(draft: DraftEntry, of: (column: string) => string): void {
  const range = `${of("BirthDate_YearRangeFrom")} ${of("BirthDate_YearRangeTo")}`.trim();
  const said = of("BirthDate_BirthDate") || range || of("BirthDate_Year");
  const span = birthSpanOf(/^true$/i.test(of("BirthDate_Circa")) ? `circa ${said}` : said);
  if (span !== undefined) draft.births.push(span);
  addTo(draft.birthPlaces, of("BirthDate_Place") || of("BirthDate_City"));
}

/** The same as XML, version 1.1. */
export function readEuXml(text: string): LoadedList {
  const entries: DraftEntry[] = [];
  let made: string | undefined;
  const told = (name: string, attributes: Readonly<Record<string, string>>): void => {
    if (name === "export") made = attributes["generationDate"];
  };
  readXml(text, ["sanctionEntity"], (element) => entries.push(entryOf(element)), told);
  return {
    version: made ?? "",
    madeAt: made === undefined ? undefined : dayAt(made.slice(0, 10)),
    entries: finished(entries, "EU"),
  };
}

function entryOf(element: XmlElement): DraftEntry {
  const [type] = below(element, "subjectType");
  const said = [type?.attributes["code"] ?? "", type?.attributes["classificationCode"] ?? ""];
  const draft = draftOf(element.attributes["logicalId"] ?? "", kindOf(...said));
  for (const { attributes } of below(element, "nameAlias")) {
    const parts = [attributes["firstName"], attributes["middleName"], attributes["lastName"]].filter(Boolean).join(" ");
    addName(draft, attributes["wholeName"] || parts, attributes["strong"] === "false");
  }
  for (const { attributes } of below(element, "regulation")) addTo(draft.programmes, attributes["programme"]);
  for (const { attributes } of below(element, "birthdate")) {
    const range = `${attributes["yearRangeFrom"] ?? ""} ${attributes["yearRangeTo"] ?? ""}`.trim();
    const date = attributes["birthdate"] || range || (attributes["year"] ?? "");
    const span = birthSpanOf(attributes["circa"] === "true" ? `circa ${date}` : date);
    if (span !== undefined) draft.births.push(span);
    addTo(draft.birthPlaces, attributes["place"] || attributes["city"]);
  }
  for (const { attributes } of below(element, "identification")) {
    addDocument(draft, attributes["identificationTypeCode"] ?? "", attributes["number"] ?? "");
  }
  for (const { attributes } of below(element, "citizenship")) {
    for (const code of countriesOf(attributes["countryIso2Code"])) draft.countries.add(code);
  }
  return draft;
}
