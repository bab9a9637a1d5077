import { readEuCsv, readEuXml } from "./eu-list";
import type { LoadedList } from "./list-facts";
import { readOfacCsv, readOfacXml } from "./ofac";
import { readFtmLines, readSimpleCsv } from "./open-sanctions";
import { readOwnList } from "./own-list";
import { readUkCsv } from "./uk-csv";
import { readUnXml } from "./un-xml";

const readers = {
  own: readOwnList,
  "ofac-xml": readOfacXml,
  "ofac-csv": readOfacCsv,
  "un-xml": readUnXml,
  "eu-csv": readEuCsv,
  "eu-xml": readEuXml,
  "uk-csv": readUkCsv,
  "opensanctions-csv": readSimpleCsv,
  "opensanctions-ftm": readFtmLines,
} as const;

export type ListFormat = keyof typeof readers;

export const listFormats = Object.keys(readers) as readonly ListFormat[];

/**
 * Reads the entries of a file in one of the formats. Throws an error that says what is wrong: a partly read list would let through parties
 * that it names.
 */
export const readList = (format: ListFormat, text: string): LoadedList => readers[format](text);
