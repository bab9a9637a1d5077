import { hash } from "node:crypto";
import { Ajv } from "ajv";
import { DomainError } from "../../shared/kernel/errors";

/** One bank as listed in its country. */
export interface Bank {
  code: string;
  name: string;
  /** BIC of 8 characters; null where none is known. */
  swift: string | null;
}

/** The banks of one country, with their sources. */
export interface BankDirectory {
  /** Names the country and the content hash, so that a directory never changes under its id. */
  id: string;
  /** ISO 3166-1 alpha-2, or XK for Kosovo. */
  country: string;
  /** What kind of code identifies a bank. */
  scheme: string;
  /** Whether the codes are a published national list or only a convention. */
  basis: "published" | "convention";
  /** Titles of the sources of the rows. */
  sources: string[];
  /** By code, ascending, without duplicates. */
  banks: Bank[];
}

type DirectoryFile = Omit<BankDirectory, "id">;

const line = { type: "string", minLength: 1, maxLength: 200 };
const code = { type: "string", pattern: "^[A-Z0-9]{1,34}$" };
const country = { type: "string", pattern: "^[A-Z]{2}$" };
const swift = { type: ["string", "null"], pattern: "^[A-Z]{6}[A-Z0-9]{2}$" };

const fileSchema = {
  type: "object",
  required: ["country", "scheme", "basis", "sources", "banks"],
  properties: {
    country,
    scheme: line,
    basis: { enum: ["published", "convention"] },
    sources: { type: "array", minItems: 1, uniqueItems: true, items: line },
    banks: {
      type: "array",
      minItems: 1,
      items: {
        type: "object",
        required: ["code", "name", "swift"],
        properties: { code, name: line, swift },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
};

const ajv = new Ajv({ allErrors: true, strictTypes: false });
const isDirectoryFile = ajv.compile<DirectoryFile>(fileSchema);

/**
 * Reads one file of a bank directory; `titles` maps its source ids to titles, and `source` names the file in errors. Throws
 * unless the codes are unique and in order: the order of the file is the order of the pages.
 */
export function parseBankDirectory(
  content: string,
  titles: ReadonlyMap<string, string>,
  source: string,
): BankDirectory {
  const unusable = (problem: string): Error => new Error(`bank directory ${source} is not usable: ${problem}`);
  const file: unknown = JSON.parse(content);
  if (!isDirectoryFile(file)) throw unusable(ajv.errorsText(isDirectoryFile.errors, { dataVar: "" }));
  const late = file.banks.find(({ code }, index) => code <= (file.banks[index - 1]?.code ?? ""));
  if (late !== undefined) throw unusable(`${late.code} is not in ascending order`);
  const sources = file.sources.map((id) => {
    const title = titles.get(id);
    if (title === undefined) throw unusable(`source ${id} has no title`);
    return title;
  });
  const directory = { ...file, sources };
  return { id: `${file.country}@${hash("sha256", JSON.stringify(directory), "base64url")}`, ...directory };
}

/** Ids of the directories in use, by alpha-2 country. */
export type DirectoryIds = ReadonlyMap<string, string>;

/** Id of a country's directory. Throws BANK_NOT_FOUND when it has none. */
export function requireDirectory(ids: DirectoryIds, country: string): string {
  const id = ids.get(country);
  if (id === undefined) throw new DomainError("BANK_NOT_FOUND", "there is no bank directory for this country");
  return id;
}
