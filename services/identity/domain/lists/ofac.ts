import type { EntryKind, ListEntry } from "../screening/list-entry";
import { plainRows } from "./csv-rows";
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
import { below, readXml, textBelow, type XmlElement } from "./xml-elements";

const kinds: Readonly<Record<string, EntryKind>> = {
  individual: "PERSON",
  entity: "COMPANY",
  vessel: "VESSEL",
  aircraft: "VESSEL",
};
const kindOf = (type: string): EntryKind => kinds[type.trim().toLowerCase()] ?? "COMPANY";

/** The SDN list as XML, `sdn.xml` of the publisher; also the consolidated one, which has the same form. */
export function readOfacXml(text: string): LoadedList {
  const entries: DraftEntry[] = [];
  const head = new Map<string, string>();
  readXml(text, ["sdnEntry", "publshInformation", "publishInformation"], (element) => {
    if (element.name === "sdnEntry") entries.push(sdnEntry(element));
    else for (const { name, text: value } of element.children) head.set(name, value);
  });
  const count = Number.parseInt(head.get("Record_Count") ?? String(entries.length), 10);
  if (count !== entries.length)
    throw new Error(`the OFAC list says that it has ${count} entries and has ${entries.length}`);
  return loaded(head.get("Publish_Date"), finished(entries, "OFAC"));
}

/** `mm/dd/yyyy`. */
const loaded = (published: string | undefined, entries: ListEntry[]): LoadedList => {
  const iso = (published ?? "").replace(/^(\d\d)\/(\d\d)\/(\d{4})$/, "$3-$1-$2");
  return { version: iso, madeAt: dayAt(iso), entries };
};

function sdnEntry(element: XmlElement): DraftEntry {
  const draft = draftOf(textBelow(element, "uid"), kindOf(textBelow(element, "sdnType")));
  const nameOf = (of: XmlElement): string => `${textBelow(of, "firstName")} ${textBelow(of, "lastName")}`;
  addName(draft, nameOf(element));
  for (const aka of below(element, "akaList", "aka"))
    addName(draft, nameOf(aka), textBelow(aka, "category") === "weak");
  for (const { text } of below(element, "programList", "program")) addTo(draft.programmes, text);
  for (const id of below(element, "idList", "id")) {
    const [type, number] = [textBelow(id, "idType"), textBelow(id, "idNumber")];
    if (isNumber(type)) addDocument(draft, typeOf(type, number), number);
  }
  for (const item of below(element, "dateOfBirthList", "dateOfBirthItem")) {
    const span = birthSpanOf(textBelow(item, "dateOfBirth"));
    if (span !== undefined) draft.births.push(span);
  }
  for (const item of below(element, "placeOfBirthList", "placeOfBirthItem"))
    addTo(draft.birthPlaces, textBelow(item, "placeOfBirth"));
  const from = [
    ...below(element, "nationalityList", "nationality"),
    ...below(element, "citizenshipList", "citizenship"),
  ];
  for (const one of from) for (const country of countriesOf(textBelow(one, "country"))) draft.countries.add(country);
  return draft;
}

/** OFAC lists features such as gender among the numbers of documents. */
const isNumber = (type: string): boolean =>
  !/gender|website|email|phone|sanctions|information|determination|prohibit|target|date/i.test(type);
const typeOf = (type: string, number: string): string =>
  /vessel registration/i.test(type) && /imo/i.test(number) ? "IMO" : type;

/**
 * The SDN list as `sdn.csv`, followed by the rows of `alt.csv` if they are given: twelve and five columns without a header, `-0-` for an
 * empty value, and weak aliases, births and documents in the remarks.
 */
export function readOfacCsv(text: string): LoadedList {
  const entries = new Map<string, DraftEntry>();
  for (const row of plainRows(text)) {
    const [id = "", name = "", type = "", programmes = ""] = row.map((field) => field.replace(/^-0-\s*$/, "").trim());
    if (id === "") continue;
    if (row.length === 5) {
      const known = entries.get(id);
      if (known === undefined) throw new Error(`an alias of the OFAC list belongs to no entry: ${id}`);
      addName(known, commaName(row[3] ?? "", known.kind), /weak/i.test(row[4] ?? ""));
      continue;
    }
    if (row.length !== 12) throw new Error(`a row of the OFAC list has ${row.length} columns and not twelve: ${id}`);
    const draft = draftOf(id, type === "" ? "COMPANY" : kindOf(type));
    addName(draft, commaName(name, draft.kind));
    for (const programme of programmes.split(/\]\s*\[|;/)) addTo(draft.programmes, programme.replaceAll(/[[\]]/g, ""));
    readRemarks(draft, row[11] ?? "");
    entries.set(id, draft);
  }
  return { version: "csv", madeAt: undefined, entries: finished(entries.values(), "OFAC") };
}

/** `FAMILY, Given` of people; names of companies may contain a comma. */
const commaName = (name: string, kind: EntryKind): string =>
  kind === "PERSON" ? name.replace(/^([^,]+),\s*(.+)$/, "$2 $1") : name;

function readRemarks(draft: DraftEntry, remarks: string): void {
  for (const [, weak = ""] of remarks.matchAll(/(?:^|[;\s])[afn]\.k\.a\.\s+['"]([^'"]+)['"]/g))
    addName(draft, weak, true);
  for (const part of remarks.split(";").map((one) => one.trim().replace(/\.$/, ""))) {
    const [, birth] = /^(?:alt\. )?DOB (.+)$/.exec(part) ?? [];
    const span = birth === undefined ? undefined : birthSpanOf(birth);
    if (span !== undefined) draft.births.push(span);
    const [, place] = /^(?:alt\. )?POB (.+)$/.exec(part) ?? [];
    addTo(draft.birthPlaces, place);
    const [, country] = /^(?:nationality|citizen|alt\. nationality|alt\. citizen) (.+)$/i.exec(part) ?? [];
    for (const code of countriesOf(country)) draft.countries.add(code);
    const [, type = "", number = ""] =
      /^((?:Passport|National ID|Tax ID|Identification|Registration|SSN|Cedula|RFC|C\.U\.R\.P\.|Vessel Registration Identification IMO)[A-Za-z. ]*?(?: No\.?| Number)?)\s+#?([A-Z0-9][A-Z0-9/-]*\d[A-Z0-9/-]*)/i.exec(
        part,
      ) ?? [];
    if (number !== "") addDocument(draft, /IMO/.test(type) ? "IMO" : type, number);
  }
}
