import { readFile } from "node:fs/promises";

/** The bank of an IFSC. */
export interface IfscBank {
  name: string;
  /** True when the code begins with another bank's letters because this bank clears through it. */
  isGuest: boolean;
}

/** The branch codes of India. */
export interface IfscCodes {
  /** The bank of a code of 11 characters; undefined when no branch has it. */
  find(code: string): Promise<IfscBank | undefined>;
}

interface Lists {
  /** Branches by the bank's four letters. A branch whose six characters are digits is a number without leading zeros. */
  branches: Map<string, (number | string)[]>;
  names: Map<string, string>;
  /** Letters of a code's bank, where they differ from the code's first four. */
  guests: Map<string, string>;
}

/**
 * Reads the lists of package `ifsc` with the first code: few processes need these 4 MB. Does not import the package's own
 * module, which loads an HTTP client for its web service.
 */
export function makeIfscCodes(): IfscCodes {
  let loading: Promise<Lists> | undefined;
  return {
    async find(code) {
      loading ??= readLists().catch((error: unknown) => {
        loading = undefined;
        throw error;
      });
      const { branches, names, guests } = await loading;
      const [letters, branch] = [code.slice(0, 4), code.slice(5)];
      const listed = /^\d+$/.test(branch) ? Number.parseInt(branch, 10) : branch;
      if (code[4] !== "0" || branches.get(letters)?.includes(listed) !== true) return undefined;
      const owner = guests.get(code) ?? letters;
      return { name: names.get(owner) ?? owner, isGuest: owner !== letters };
    },
  };
}

async function readLists(): Promise<Lists> {
  const [branches, names, guests] = await Promise.all([
    readMap<(number | string)[]>(require.resolve("ifsc/src/IFSC.json")),
    readMap<string>(require.resolve("ifsc/src/banknames.json")),
    readMap<string>(require.resolve("ifsc/src/sublet.json")),
  ]);
  return { branches, names, guests };
}

async function readMap<T>(file: string): Promise<Map<string, T>> {
  return new Map(Object.entries(JSON.parse(await readFile(file, "utf8")) as Record<string, T>));
}
